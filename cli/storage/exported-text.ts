/** The lines of a file that `storage export` wrote. */
import { createReadStream } from 'node:fs';
import type { Io } from '../io.js';
import { linesInUtf8 } from '../sources/text-chunks.js';

/** @param path of the file, `-` for standard input */
export function exportedText(path: string, io: Io): AsyncGenerator<string> {
  return linesInUtf8(path === '-' ? [io.stdin()] : createReadStream(path));
}
