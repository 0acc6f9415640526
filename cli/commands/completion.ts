import type { Command, CommandTable } from '../command.js';
import { bashScript } from '../completion/bash.js';
import { fishScript } from '../completion/fish.js';
import { completionModel } from '../completion/model.js';
import { powershellScript } from '../completion/powershell.js';
import { zshScript } from '../completion/zsh.js';
import { exitCodes, usageError } from '../exit.js';
import { helpText } from '../help.js';

const scripts = { bash: bashScript, fish: fishScript, powershell: powershellScript, zsh: zshScript };

/** The command over all commands, of which it is one. */
export const completionCommand = (table: CommandTable): Command => ({
  name: 'completion',
  use: '{bash,fish,powershell,zsh}',
  long: 'Prints a script for a shell that completes commands, flags and their values.',
  examples: [
    ['In ~/.bashrc', 'source <(writ completion bash)'],
    ['In ~/.zshrc', 'source <(writ completion zsh)'],
    ['In config.fish', 'writ completion fish | source'],
    ['In the profile of PowerShell', 'writ completion powershell | Out-String | Invoke-Expression'],
  ],
  flags: [{ name: 'no-descriptions', type: 'bool', usage: 'complete without descriptions' }],
  arguments: Object.keys(scripts),
  async run({ flags, positionals }, io) {
    const [shell, ...others] = positionals;
    if (shell === undefined) {
      io.stdout(helpText(completionCommand(table), io.columns));
      return exitCodes.ok;
    }
    if (others.length > 0 || !Object.hasOwn(scripts, shell))
      throw usageError(
        `unknown shell ${JSON.stringify(positionals.join(' '))}: specify one of ${Object.keys(scripts).join(', ')}`,
      );
    io.stdout(scripts[shell as keyof typeof scripts](await completionModel(table, !flags.on('no-descriptions'))));
    return exitCodes.ok;
  },
});
