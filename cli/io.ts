/** Access of a command to streams and environment. Tests pass their own. */
import { fstatSync, readSync, statSync, writeSync } from 'node:fs';
import { runAlone } from '../values/index.js';
import type { Progress, ProgressLine } from './output/progress.js';

export interface Io {
  /** Reads all of standard input. */
  stdin(): Uint8Array;
  /** Standard input in parts, where it may be longer than memory; absent: all at once. */
  stdinChunks?(): Iterable<Uint8Array>;
  stdout(text: string): void;
  stderr(text: string): void;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether stdout is a terminal: output is coloured only then. */
  readonly color: boolean;
  /** Whether a stream is a terminal: errors show their line of source only there. */
  readonly isTerminal?: (stream: 'stdout' | 'stderr') => boolean;
  /** The width of the terminal; undefined where stdout is none. */
  readonly columns?: number | undefined;
  /** Where stderr may show a line of progress; undefined where it may not. */
  readonly progressLine?: ProgressLine | undefined;
  /** The line of a command that shows its progress. */
  readonly progress?: Progress | undefined;
  /**
   * The script of this process, for server threads; absent if another program calls the commands.
   */
  readonly entry?: string | undefined;
  /**
   * Has long work take no turns of the event loop from now on; absent if other tasks share the
   * process.
   */
  readonly runAlone?: () => void;
}

/**
 * The streams of this process. Writes are synchronous: no output is lost when the process ends, and
 * a closed pipe ends the process quietly.
 */
export function processIo(): Io {
  return {
    stdin: () => Buffer.concat([...chunksOf(0)]),
    stdinChunks: () => chunksOf(0),
    stdout: (text) => writeAll(1, text),
    stderr: (text) => writeAll(2, text),
    env: process.env,
    entry: process.argv[1],
    runAlone,
    get color() {
      return !process.env.NO_COLOR && process.env.TERM !== 'dumb' && isTerminal(1);
    },
    get columns() {
      return isTerminal(1) ? process.stdout.columns : undefined;
    },
    get progressLine() {
      if (!allowsProgress(process.env) || !isTerminal(2)) return undefined;
      return { afterMs: 1000, everyMs: 100, columns: () => process.stderr.columns };
    },
    isTerminal: (stream) => isTerminal(stream === 'stdout' ? 1 : 2),
  };
}

/** Whether an environment allows lines that are erased: build servers keep what is written. */
export function allowsProgress({ CI = '', TERM }: Io['env']): boolean {
  return (CI === '' || CI === 'false') && TERM !== 'dumb';
}

/** Checks the file descriptor first: creating `process.stdout` takes three milliseconds. */
function isTerminal(descriptor: 1 | 2): boolean {
  const output = fstatSync(descriptor);
  if (!output.isCharacterDevice() || output.rdev === statSync('/dev/null', { throwIfNoEntry: false })?.rdev)
    return false;
  return (descriptor === 1 ? process.stdout : process.stderr).isTTY === true;
}

function* chunksOf(fd: number): Generator<Uint8Array> {
  for (;;) {
    const chunk = Buffer.allocUnsafe(65_536);
    try {
      const length = readSync(fd, chunk);
      if (length === 0) return;
      yield chunk.subarray(0, length);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // EAGAIN comes from a pipe without data yet, EOF from a closed pipe.
      if (code === 'EOF') return;
      if (code !== 'EAGAIN') throw error;
      pause();
    }
  }
}

function writeAll(fd: number, text: string): void {
  const bytes = Buffer.from(text);
  let at = 0;
  while (at < bytes.length) {
    try {
      at += writeSync(fd, bytes, at);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // EAGAIN comes from a pipe with a slow reader, EPIPE from one whose reader has exited.
      if (code === 'EAGAIN') pause();
      else if (code === 'EPIPE') return;
      else throw error;
    }
  }
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
}
