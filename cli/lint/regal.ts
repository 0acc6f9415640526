/** The command as Regal: called through a link of that name, it has Regal's commands. */

import { buildInfo } from '../../engine/index.js';
import type { Command, CommandEntry } from '../command.js';
import type { Io } from '../io.js';

/** Runs a command with its arguments; its help has the name of the program. */
type Run = (command: Command, argv: readonly string[], io: Io, program: string) => Promise<number>;

const commands: Readonly<Record<string, CommandEntry>> = {
  lint: {
    short: 'Look for mistakes and bad style in policies',
    load: async () => (await import('../commands/lint.js')).regalLintCommand,
  },
  fix: { short: 'Fix findings', load: async () => (await import('../commands/fix.js')).fixCommand },
  parse: {
    short: 'Print the syntax tree that rules in Rego read',
    load: async () => (await import('./print-tree.js')).regalParseCommand,
  },
  test: {
    short: 'Run the tests of rules of your own',
    load: async () => (await import('./test-own-rules.js')).regalTestCommand,
  },
  new: { short: 'Begin a rule of your own', load: async () => (await import('./new-rule.js')).regalNewCommand },
  capabilities: {
    short: 'Print the built-ins and features that policies may use',
    load: async () => capabilitiesCommand,
  },
  debug: {
    short: 'Serve editors by the debug adapter protocol',
    load: async () => (await import('./debug-adapter.js')).regalDebugCommand,
  },
  'language-server': {
    short: 'Serve editors by the language server protocol',
    load: async () => (await import('../language-server/language-server-command.js')).languageServerCommand,
  },
  completion: {
    short: 'Print a completion script for a shell',
    load: async () => (await import('../commands/completion.js')).completionCommand({ commands, groups: {} }, 'regal'),
  },
  version: {
    short: 'Show the release of Regal that it equals, and that of writ',
    load: async () => versionCommand,
  },
};

/** Runs a command line of Regal. */
export async function runAsRegal([name, ...rest]: readonly string[], io: Io, runCommand: Run): Promise<number> {
  const isHelp = name === undefined || name === 'help' || name === '--help' || name === '-h';
  if (name === 'help' && rest[0] !== undefined) return runAsRegal([rest[0], '--help'], io, runCommand);
  if (isHelp) {
    io.stdout(usage());
    return 0;
  }
  if (Object.hasOwn(commands, name)) return runCommand(await commands[name]!.load(), rest, io, 'regal');
  const problem = name.startsWith('-')
    ? `unknown flag: ${name}`
    : `unknown command ${JSON.stringify(name)} for "regal"`;
  io.stderr(`Error: ${problem}\nRun 'regal --help' for usage.\n`);
  return 1;
}

function usage(): string {
  const rows = Object.entries(commands).map(([name, { short }]) => `  ${name.padEnd(17)} ${short}\n`);
  return `Usage:\n  regal [command]\n\nCommands:\n${rows.join('')}`;
}

const capabilitiesCommand: Command = {
  name: 'capabilities',
  use: '',
  long: 'Prints the built-ins and features that policies may use, as JSON.',
  examples: [['Begin a file that a configuration names', 'regal capabilities > capabilities.json']],
  flags: [],
  arguments: [],
  async run(_args, io) {
    const { currentCapabilities } = await import('../capabilities-file.js');
    io.stdout(`${JSON.stringify(await currentCapabilities(), undefined, 2)}\n`);
    return 0;
  },
};

/** The release of Regal that the rules and messages equal: editors start no older server. */
const equalsRegal = '1.20.0';

const versionCommand: Command = {
  name: 'version',
  use: '',
  long: 'Shows the release of Regal that it equals, and that of writ.',
  examples: [['For programs', 'regal version --format json']],
  flags: [{ name: 'format', short: 'f', type: ['pretty', 'json'], usage: 'form of the text', default: 'pretty' }],
  arguments: [],
  async run({ flags }, io) {
    const { version: release, commit, timestamp } = buildInfo;
    const version = equalsRegal;
    const document = { version, commit, timestamp, writ: release };
    if (flags.text('format') === 'json') io.stdout(`${JSON.stringify(document, undefined, 2)}\n`);
    else io.stdout(`Version:    ${version}\nCommit:     ${commit}\nTimestamp:  ${timestamp}\nWrit:       ${release}\n`);
    return 0;
  },
};
