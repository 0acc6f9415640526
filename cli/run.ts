/**
 * Finds a command, parses its flags and runs it. Each command is loaded on demand: a start must be
 * cheap.
 */
import { parseArguments } from './args.js';
import type { Command } from './command.js';
import { CommandError, exitCodes } from './exit.js';
import { helpText, rootHelp, usageText } from './help.js';
import type { Io } from './io.js';

interface Entry {
  readonly short: string;
  readonly load: () => Promise<Command>;
}

/** All commands, with their description for the help. */
export const commands: Readonly<Record<string, Entry>> = {
  bench: { short: 'Measure how long a query takes', load: async () => (await import('./commands/bench.js')).benchCommand },
  build: { short: 'Make a bundle or a plan of policies and data', load: async () => (await import('./commands/build.js')).buildCommand },
  capabilities: {
    short: 'Print the capabilities of writ',
    load: async () => (await import('./commands/capabilities.js')).capabilitiesCommand,
  },
  check: { short: 'Report mistakes in policies', load: async () => (await import('./commands/check.js')).checkCommand },
  deps: { short: 'Show the rules and documents that a query needs', load: async () => (await import('./commands/deps.js')).depsCommand },
  eval: { short: 'Answer a query', load: async () => (await import('./commands/eval.js')).evalCommand },
  exec: { short: 'Make one decision for each of many input files', load: async () => (await import('./commands/exec.js')).execCommand },
  fmt: { short: 'Write policies in the canonical layout', load: async () => (await import('./commands/fmt.js')).fmtCommand },
  inspect: { short: 'Show the content of bundles and plans', load: async () => (await import('./commands/inspect.js')).inspectCommand },
  parse: { short: 'Show the syntax tree of a policy', load: async () => (await import('./commands/parse.js')).parseCommand },
  sign: { short: 'Sign the files of a bundle', load: async () => (await import('./commands/sign.js')).signCommand },
  test: { short: 'Run the tests of policies', load: async () => (await import('./commands/test.js')).testCommand },
  run: { short: 'Serve the REST API, or ask at a prompt', load: async () => (await import('./commands/run.js')).runCommand },
  version: { short: 'Show the release of writ', load: async () => (await import('./commands/version.js')).versionCommand },
};

/**
 * Runs a command line and returns the exit code; it does not end the process and does not reject.
 * @param argv the arguments after the program's name
 */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  const [name, ...rest] = argv;
  if (name === undefined || name === '--help' || name === '-h') return print(io, rootHelp(commands));
  if (name === 'help') return rest.length === 0 ? print(io, rootHelp(commands)) : run([rest[0]!, '--help'], io);
  if (name.startsWith('-'))
    return fail(io, name.startsWith('--') ? `unknown flag: ${name}` : `unknown shorthand flag: '${name[1]}' in ${name}`);
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (entry === undefined) return fail(io, `unknown command ${JSON.stringify(name)} for "writ"${suggestion(name)}`);
  const command = await entry.load();
  try {
    const args = parseArguments(command.name, command.flags, rest, io.env);
    if (args.help) return print(io, helpText(command));
    noteIgnored(command, args.flags, io);
    return await command.run(args, io);
  } catch (error) {
    if (!(error instanceof CommandError)) return fail(io, (error as Error).message);
    io.stderr(error.usage ? `Error: ${error.message}\n${usageText(command)}\n` : `${error.message}\n`);
    return error.exitCode;
  }
}

function print(io: Io, text: string): number {
  io.stdout(text);
  return exitCodes.ok;
}

function fail(io: Io, message: string): number {
  io.stderr(`Error: ${message}\nRun 'writ --help' for usage.\n`);
  return exitCodes.failure;
}

/** Prints one line for all flags without effect. */
function noteIgnored(command: Command, flags: { has(name: string): boolean }, io: Io): void {
  const ignored = command.flags.filter(({ name, ignored }) => ignored !== undefined && flags.has(name));
  if (ignored.length === 0) return;
  const notes = ignored.map((flag) => `--${flag.name} has no effect (${flag.ignored})`);
  io.stderr(`warning: ${notes.join('; ')}\n`);
}

function suggestion(name: string): string {
  const similar = Object.keys(commands).filter((command) => distance(name, command) <= 2 || command.startsWith(name));
  return similar.length === 0 ? '' : `\n\nDid you mean this?\n${similar.map((command) => `\t${command}\n`).join('')}`;
}

/** The edit distance: the number of characters to change, insert or delete. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= Math.min(a.length, 40); i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1)!;
}
