/** The command as Regal: called through a link of that name, it has Regal's commands. */

import { buildInfo } from '../../engine/index.js';
import type { Command } from '../command.js';
import type { Io } from '../io.js';

/** Runs a command with its arguments; its help has the name of the program. */
type Run = (command: Command, argv: readonly string[], io: Io, program: string) => Promise<number>;

/** Runs a command line of Regal. */
export async function runAsRegal([name, ...rest]: readonly string[], io: Io, runCommand: Run): Promise<number> {
  const runOne = (command: Command) => runCommand(command, rest, io, 'regal');
  switch (name) {
    case 'lint':
      return runOne((await import('../commands/lint.js')).regalLintCommand);
    case 'fix':
      return runOne((await import('../commands/fix.js')).fixCommand);
    case 'parse':
      return runOne((await import('./print-tree.js')).regalParseCommand);
    case 'test':
      return runOne((await import('./test-own-rules.js')).regalTestCommand);
    case 'language-server': {
      const { languageServerCommand } = await import('../language-server/language-server-command.js');
      return runOne(languageServerCommand);
    }
    case 'new':
      return runOne((await import('./new-rule.js')).regalNewCommand);
    case 'capabilities': {
      const { currentCapabilities } = await import('../capabilities-file.js');
      io.stdout(`${JSON.stringify(await currentCapabilities(), undefined, 2)}\n`);
      return 0;
    }
    case 'debug':
      return runOne((await import('./debug-adapter.js')).regalDebugCommand);
    case 'version':
      return printVersion(rest, io);
    case undefined:
    case 'help':
    case '--help':
    case '-h':
      if (name === 'help' && rest[0] !== undefined) return runAsRegal([rest[0], '--help'], io, runCommand);
      io.stdout(usage);
      return 0;
    default:
      io.stderr(`Error: unknown command ${JSON.stringify(name)} for "regal"\nRun 'regal --help' for usage.\n`);
      return 1;
  }
}

const usage = `Usage:
  regal [command]

Commands:
  lint        Look for mistakes and bad style in policies
  fix         Fix findings
  parse       Print the syntax tree that rules in Rego read
  test        Run the tests of rules of your own
  new         Begin a rule of your own
  capabilities
              Print the built-ins and features that policies may use
  debug       Serve editors by the debug adapter protocol
  language-server
              Serve editors by the language server protocol
  version     Show the release of Regal that it equals, and that of writ
`;

/** The release of Regal that the rules and messages equal: editors start no older server. */
const equalsRegal = '1.20.0';

function printVersion(args: readonly string[], io: Io): number {
  const { version: release, commit, timestamp } = buildInfo;
  const version = equalsRegal;
  const isJson = args.some(
    (arg, i) => arg === '--format=json' || (arg === 'json' && /^(-f|--format)$/.test(args[i - 1] ?? '')),
  );
  const document = { version, commit, timestamp, writ: release };
  if (isJson) io.stdout(`${JSON.stringify(document, undefined, 2)}\n`);
  else io.stdout(`Version:    ${version}\nCommit:     ${commit}\nTimestamp:  ${timestamp}\nWrit:       ${release}\n`);
  return 0;
}
