/** The lines of a file that `storage export` wrote. */
import { open } from 'node:fs/promises';
import type { Io } from '../io.js';

/** @param path of the file, `-` for standard input */
export async function* exportedText(path: string, io: Io): AsyncGenerator<string> {
  if (path === '-') yield* Buffer.from(io.stdin()).toString().split('\n');
  else for await (const line of (await open(path)).readLines()) yield line;
}
