/** Finds a command, parses its flags and runs it. */
import { fileErrorText } from '../engine/node.js';
import { type Arguments, parseArguments } from './args.js';
import type { Command } from './command.js';
import { commands, commandsOf, groups, topLevel } from './command-table.js';
import { CommandError, exitCodes } from './exit.js';
import { groupHelp, helpText, rootHelp } from './help.js';
import type { Io } from './io.js';
import { similarNames } from './similar-names.js';

/**
 * Runs a command line and returns the exit code; it does not end the process and does not reject.
 * @param argv the arguments after the program's name
 */
export async function runCommandLine(argv: readonly string[], io: Io): Promise<number> {
  if (!io.isTerminal?.('stderr')) return runNamed(argv, io);
  let said = '';
  const hear = (text: string): void => void (said = (said + text).slice(-mostSaid));
  const stderr = (text: string): void => {
    hear(text);
    io.stderr(text);
  };
  // Some commands report on stdout, as the reference does.
  const stdout = (text: string): void => {
    if (text.startsWith('error: ')) hear(text);
    io.stdout(text);
  };
  const exit = await runNamed(argv, { ...io, stderr, stdout });
  if (exit === exitCodes.ok) return exit;
  const cure = (await import('./output/cures.js')).cureOf(said, argv);
  if (cure !== undefined) io.stderr(`hint: ${cure}\n`);
  return exit;
}

/** The first argument that `bin/writ` adds if it is called through a link of this name. */
const asRegal = 'regal';

/** The first argument for a link named `opa`: editors read the first line of its version. */
const asOpa = 'opa';

/** The end of a command's output is enough to find a cure. */
const mostSaid = 4096;

async function runNamed(argv: readonly string[], io: Io): Promise<number> {
  const [name, ...rest] = argv;
  if (name === undefined || name === '--help' || name === '-h') return print(io, rootHelp(topLevel(), io.columns));
  if (name === 'help') return help(rest, io);
  if (name === asRegal) return (await import('./lint/regal.js')).runAsRegal(rest, io, runOne);
  if (name === asOpa) return runAsOpa(rest, io);
  if (name === 'conftest') return await (await import('./verify/conftest.js')).runConftest(rest, io);
  if (name.startsWith('-'))
    return fail(
      io,
      name.startsWith('--') ? `unknown flag: ${name}` : `unknown shorthand flag: '${name[1]}' in ${name}`,
    );
  if (Object.hasOwn(groups, name)) return runGroup(name, rest, io);
  if (!Object.hasOwn(commands, name))
    return fail(io, `unknown command ${JSON.stringify(name)} for "writ"${suggestion(name)}`);
  return runOne(await commands[name]!.load(), rest, io);
}

async function runAsOpa(argv: readonly string[], io: Io): Promise<number> {
  const [name, ...rest] = argv;
  if (name === 'version') return runNamed(['version', '--compatible', ...rest], io);
  if (name !== 'completion') return runNamed(argv, io);
  const { completionCommand } = await import('./commands/completion.js');
  return runOne(completionCommand({ commands, groups }, asOpa), rest, io, asOpa);
}

/** Shows how a command, or a command of a group, is used. */
async function help([name, inner]: readonly string[], io: Io): Promise<number> {
  if (name !== undefined && Object.hasOwn(groups, name))
    return runCommandLine(inner === undefined ? [name] : [name, inner, '--help'], io);
  if (name !== undefined && Object.hasOwn(commands, name)) return runCommandLine([name, '--help'], io);
  if (name !== undefined) io.stderr(`Unknown help topic ${JSON.stringify(name)}\n`);
  return print(io, rootHelp(topLevel(), io.columns));
}

async function runGroup(group: string, [name, ...rest]: readonly string[], io: Io): Promise<number> {
  const members = commandsOf(group);
  if (name !== undefined && Object.hasOwn(members, name)) return runOne(await members[name]!.load(), rest, io);
  if (name?.startsWith('-') && name !== '--help' && name !== '-h') return fail(io, `unknown flag: ${name}`);
  if (name !== undefined && !name.startsWith('-') && io.isTerminal?.('stderr')) {
    const [meant] = similarNames(name, Object.keys(members));
    io.stderr(
      `hint: there is no command "${group} ${name}"${meant === undefined ? '' : `: did you mean "${meant}"?`}\n`,
    );
  }
  return print(io, groupHelp(group, groups[group]!, members));
}

async function runOne(command: Command, argv: readonly string[], io: Io, program = 'writ'): Promise<number> {
  try {
    const args = parseArguments(command.name, command.flags, argv, io.env);
    if (args.help) return print(io, helpText(command, io.columns, program));
    noteIgnored(command, args.flags, io);
    const yaml = args.flags.text('yaml');
    if (yaml !== undefined) (await import('../values/yaml/yaml-scalars.js')).useYaml(yaml);
    return await (command.showsProgress ? runWithProgress(command, args, io) : command.run(args, io));
  } catch (error) {
    const { usageExit = exitCodes.failure } = command;
    if (!(error instanceof CommandError)) return failRunning(io, error, usageExit);
    if (error.usage) return fail(io, error.message, `${program} ${command.name}`, usageExit);
    io.stderr(`${error.message}\n`);
    return error.exitCode;
  }
}

/**
 * Runs a command with a line of progress, which is erased before the command writes something else.
 * Formats for programs have none.
 */
async function runWithProgress(command: Command, args: Arguments, io: Io): Promise<number> {
  const { progressLine } = io;
  if (progressLine === undefined || (args.flags.text('format') ?? 'pretty') !== 'pretty')
    return await command.run(args, io);
  const { Progress } = await import('./output/progress.js');
  const progress = new Progress(io.stderr, progressLine);
  const erasing = (write: (text: string) => void) => (text: string) => {
    progress.erase();
    write(text);
  };
  try {
    return await command.run(args, { ...io, progress, stdout: erasing(io.stdout), stderr: erasing(io.stderr) });
  } finally {
    progress.end();
  }
}

function print(io: Io, text: string): number {
  io.stdout(text);
  return exitCodes.ok;
}

function fail(io: Io, message: string, command = 'writ', exit: number = exitCodes.failure): number {
  io.stderr(`Error: ${message}\nRun '${command} --help' for usage.\n`);
  return exit;
}

/** An error that no command expects, such as a file that cannot be read. */
function failRunning(io: Io, error: unknown, exit: number): number {
  const { cause = error } = error as Error;
  const isSystem = (cause as NodeJS.ErrnoException).syscall !== undefined;
  if (!isSystem) return fail(io, (error as Error).message, 'writ', exit);
  // The command line was right: its usage would not help.
  io.stderr(`Error: ${fileErrorText(error)}\n`);
  return exit;
}

/** Prints one line for all flags without effect. */
function noteIgnored(command: Command, flags: { has(name: string): boolean }, io: Io): void {
  const ignored = command.flags.filter(({ name, ignored }) => ignored !== undefined && flags.has(name));
  if (ignored.length === 0) return;
  const notes = ignored.map((flag) => `--${flag.name} has no effect (${flag.ignored})`);
  io.stderr(`warning: ${notes.join('; ')}\n`);
}

function suggestion(name: string): string {
  const similar = similarNames(name, Object.keys(topLevel()));
  return similar.length === 0 ? '' : `\n\nDid you mean this?\n${similar.map((command) => `\t${command}\n`).join('')}`;
}
