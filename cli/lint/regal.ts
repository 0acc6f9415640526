/** The command as Regal: called through a link of that name, it has Regal's commands. */

import { buildInfo } from '../../engine/index.js';
import type { Command } from '../command.js';
import type { Io } from '../io.js';

/** Runs a command of writ with its arguments. */
type Run = (command: Command, argv: readonly string[], io: Io) => Promise<number>;

/** Runs a command line of Regal. */
export async function runAsRegal([name, ...rest]: readonly string[], io: Io, runOne: Run): Promise<number> {
  switch (name) {
    case 'lint':
      return runOne((await import('../commands/lint.js')).regalLintCommand, rest, io);
    case 'fix':
      return runOne((await import('../commands/fix.js')).fixCommand, rest, io);
    case 'parse':
      return (await import('./print-tree.js')).printTree(rest, io);
    case 'test':
      return runOne((await import('./test-own-rules.js')).regalTestCommand, rest, io);
    case 'language-server': {
      const { languageServerCommand } = await import('../language-server/language-server-command.js');
      return runOne(languageServerCommand, rest, io);
    }
    case 'debug':
      return runOne((await import('../commands/debug.js')).debugCommand, [dapFlag(rest)], io);
    case 'version':
      return printVersion(rest, io);
    case undefined:
    case 'help':
    case '--help':
    case '-h':
      io.stdout(usage);
      return 0;
    default:
      io.stderr(`Error: unknown command ${JSON.stringify(name)} for "regal"\nRun 'regal --help' for usage.\n`);
      return 1;
  }
}

/** The debugger of editors: on the standard streams, or at an address. */
function dapFlag(args: readonly string[]): string {
  const at = args.findIndex((arg) => /^(?:-a|--address)(?:=|$)/.test(arg));
  const address = at < 0 ? undefined : (/=(.*)$/.exec(args[at]!)?.[1] ?? args[at + 1]);
  if (address !== undefined) return `--dap=${address}`;
  return args.some((arg) => arg === '-s' || arg === '--server') ? '--dap=127.0.0.1:4712' : '--dap';
}

const usage = `Usage:
  regal [command]

Commands:
  lint        Look for mistakes and bad style in policies
  fix         Fix findings
  parse       Print the syntax tree that rules in Rego read
  test        Run the tests of rules of your own
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
