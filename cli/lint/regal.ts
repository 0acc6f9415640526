/** The command as Regal: called through a link of that name, it has Regal's commands. */

import { buildInfo } from '../../engine/build-info.js';
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
      return (await import('./test-own-rules.js')).testOwnRules(rest, io);
    case 'language-server': {
      const { languageServerCommand } = await import('../language-server/language-server-command.js');
      return runOne(languageServerCommand, rest, io);
    }
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

const usage = `Usage:
  regal [command]

Commands:
  lint        Look for mistakes and bad style in policies
  fix         Fix findings
  parse       Print the syntax tree that rules in Rego read
  test        Run the tests of rules of your own
  language-server
              Serve editors by the language server protocol
  version     Show the release of writ
`;

function printVersion(args: readonly string[], io: Io): number {
  const { version, commit, timestamp } = buildInfo;
  const isJson = args.some(
    (arg, i) => arg === '--format=json' || (arg === 'json' && /^(-f|--format)$/.test(args[i - 1] ?? '')),
  );
  const document = { version, commit, timestamp };
  if (isJson) io.stdout(`${JSON.stringify(document, undefined, 2)}\n`);
  else io.stdout(`Version:    ${version}\nCommit:     ${commit}\nTimestamp:  ${timestamp}\n`);
  return 0;
}
