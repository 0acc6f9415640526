/** A command: its flags, its help, and what it does. */
import type { Arguments } from './args.js';
import type { Flag } from './flags.js';
import type { Io } from './io.js';

export interface Command {
  readonly name: string;
  /** After the command's name in the usage line. */
  readonly use: string;
  /** One line. */
  readonly short: string;
  /** What `--help` begins with. */
  readonly long: string;
  readonly flags: readonly Flag[];
  /** Does it and answers the exit code. Rejects with a CommandError. */
  run(args: Arguments, io: Io): Promise<number>;
}
