/** Worker processes of `run --workers`. */
import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { usageError } from '../exit.js';
import type { FlagValues } from '../flags.js';
import type { Io } from '../io.js';

/** Set in the environment of a worker. */
export const workerVariable = 'WRIT_SERVER_WORKER';

/** Variables of the allocator, as bin/writ sets them for the first process. */
const allocator = {
  WRIT_MALLOC: '1',
  MALLOC_MMAP_THRESHOLD_: '262144',
  MALLOC_TRIM_THRESHOLD_: '131072',
  MALLOC_ARENA_MAX: '2',
};

/** How many processes answer requests; with one, it is the process itself. */
export function workerCount(flags: FlagValues, { entry }: Io): number {
  const given = flags.text('workers') ?? '1';
  if (given !== 'auto' && !/^[1-9]\d{0,2}$/.test(given))
    throw usageError(
      `invalid argument ${JSON.stringify(given)} for "--workers" flag: must be a number from 1 to 999, or auto`,
    );
  // Another program's process has no command to start again.
  return entry === undefined ? 1 : given === 'auto' ? availableParallelism() : Number(given);
}

/** The same command once more, as a worker. */
export function spawnWorker({ entry, env }: Io): ChildProcess {
  return fork(entry!, process.argv.slice(2), {
    env: { ...env, ...allocator, [workerVariable]: '1' },
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}
