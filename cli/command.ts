/** A command: its flags, its help, and its function. */
import type { Arguments } from './args.js';
import type { Flag } from './flags.js';
import type { Io } from './io.js';

/** An example: its effect, and the command line. */
export type CommandExample = readonly [does: string, line: string];

export interface Command {
  readonly name: string;
  /** The usage line after the command's name. */
  readonly use: string;
  /** The first paragraphs of `--help`; lines that begin with a space stay as they are. */
  readonly long: string;
  /** The examples of `--help`. */
  readonly examples: readonly CommandExample[];
  readonly flags: readonly Flag[];
  /** The words that may be its arguments, for completion; undefined: paths and other texts. */
  readonly arguments?: readonly string[];
  /** The exit code of a wrong command line; 1 where it has no other meaning. */
  readonly usageExit?: number;
  /** Whether it tells how far it has come, at a terminal. */
  readonly showsProgress?: true;
  /** Runs the command and returns the exit code. Rejects with a CommandError. */
  run(args: Arguments, io: Io): Promise<number>;
}

/** A command that is loaded on demand. */
export interface CommandEntry {
  /** The description in the list of commands. */
  readonly short: string;
  readonly load: () => Promise<Command>;
}

/** The commands by name, a name of two words for one of a group; and the groups' descriptions. */
export interface CommandTable {
  readonly commands: Readonly<Record<string, CommandEntry>>;
  readonly groups: Readonly<Record<string, string>>;
}
