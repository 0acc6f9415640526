import type { Command, CommandTable } from '../command.js';
import { bashScript } from '../completion/bash.js';
import { fishScript } from '../completion/fish.js';
import { completionModel } from '../completion/model.js';
import { powershellScript } from '../completion/powershell.js';
import { zshScript } from '../completion/zsh.js';
import { exitCodes, usageError } from '../exit.js';
import { helpText } from '../help.js';

const scripts = { bash: bashScript, fish: fishScript, powershell: powershellScript, zsh: zshScript };

/**
 * The command over all commands, of which it is one.
 * @param program the name of the link
 */
export const completionCommand = (table: CommandTable, program = 'writ'): Command => ({
  name: 'completion',
  use: '{bash,fish,powershell,zsh}',
  long: 'Prints a script for a shell that completes commands, flags and their values.',
  examples: [
    ['In ~/.bashrc', `source <(${program} completion bash)`],
    ['In ~/.zshrc', `source <(${program} completion zsh)`],
    ['In config.fish', `${program} completion fish | source`],
    ['In the profile of PowerShell', `${program} completion powershell | Out-String | Invoke-Expression`],
  ],
  flags: [{ name: 'no-descriptions', type: 'bool', usage: 'complete without descriptions' }],
  arguments: Object.keys(scripts),
  async run({ flags, positionals }, io) {
    const [shell, ...others] = positionals;
    if (shell === undefined) {
      io.stdout(helpText(completionCommand(table, program), io.columns, program));
      return exitCodes.ok;
    }
    if (others.length > 0 || !Object.hasOwn(scripts, shell))
      throw usageError(
        `unknown shell ${JSON.stringify(positionals.join(' '))}: specify one of ${Object.keys(scripts).join(', ')}`,
      );
    const model = await completionModel(table, program, !flags.on('no-descriptions'));
    io.stdout(scripts[shell as keyof typeof scripts](model));
    return exitCodes.ok;
  },
});
