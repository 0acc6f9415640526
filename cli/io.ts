/** What a command sees of the world: streams and environment. Tests hand in their own. */
import { fstatSync, readSync, statSync, writeSync } from 'node:fs';

export interface Io {
  /** All of standard input. */
  stdin(): Uint8Array;
  stdout(text: string): void;
  stderr(text: string): void;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether what goes to stdout is read by a person: only then it is coloured. */
  readonly color: boolean;
  /** The script that this process runs, for threads of a server; absent where commands are called by another program. */
  readonly entry?: string | undefined;
}

/** The streams of this process. Writing is synchronous: nothing is lost when the process ends, and a closed pipe ends it quietly. */
export function processIo(): Io {
  return {
    stdin: () => readAll(0),
    stdout: (text) => writeAll(1, text),
    stderr: (text) => writeAll(2, text),
    env: process.env,
    entry: process.argv[1],
    get color() {
      return !process.env.NO_COLOR && process.env.TERM !== 'dumb' && isTerminal();
    },
  };
}

/** Asks the file descriptor first: `process.stdout` takes three milliseconds to come into being. */
function isTerminal(): boolean {
  const output = fstatSync(1);
  if (!output.isCharacterDevice() || output.rdev === statSync('/dev/null', { throwIfNoEntry: false })?.rdev) return false;
  return process.stdout.isTTY === true;
}

function readAll(fd: number): Uint8Array {
  const chunks: Uint8Array[] = [];
  for (;;) {
    const chunk = Buffer.allocUnsafe(65_536);
    try {
      const length = readSync(fd, chunk);
      if (length === 0) break;
      chunks.push(chunk.subarray(0, length));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // A pipe that has nothing yet answers so; a closed one ends.
      if (code === 'EOF') break;
      if (code !== 'EAGAIN') throw error;
      pause();
    }
  }
  return Buffer.concat(chunks);
}

function writeAll(fd: number, text: string): void {
  const bytes = Buffer.from(text);
  let at = 0;
  while (at < bytes.length) {
    try {
      at += writeSync(fd, bytes, at);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // A pipe whose reader is slow answers so; a reader that has gone wants no more.
      if (code === 'EAGAIN') pause();
      else if (code === 'EPIPE') return;
      else throw error;
    }
  }
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
}
