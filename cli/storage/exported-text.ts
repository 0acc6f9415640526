/** The lines of a file that `storage export` wrote. */
import { createReadStream } from 'node:fs';
import type { Io } from '../io.js';
import { linesInUtf8 } from '../sources/text-chunks.js';

/**
 * The file is opened when its first line is asked for: a stream that nobody reads has no one to
 * tell its error.
 *
 * @param path of the file, `-` for standard input
 */
export async function* exportedText(path: string, io: Io): AsyncGenerator<string> {
  yield* linesInUtf8(path === '-' ? [io.stdin()] : createReadStream(path));
}
