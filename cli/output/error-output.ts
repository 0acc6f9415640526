/** Errors as JSON and as text. */
import { readFileSync } from 'node:fs';
import { type Excerpt, errorParagraphs } from '../../compiler/index.js';
import { fileErrorText, filePath } from '../../engine/node.js';
import { lenientTextOfFile } from '../../values/index.js';
import type { Io } from '../io.js';
import { excerptStyle } from './color.js';
import { outputErrors } from './failures.js';
import { jsonOutput, Ordered } from './ordered-json.js';
import type { OutputError } from './output.js';

/** The documents of errors, undefined if there are none. */
export function errorDocuments(errors: readonly OutputError[]): readonly Ordered[] | undefined {
  return errors.length === 0 ? undefined : errors.map(errorDocument);
}

function errorDocument({ message, code, location, details }: OutputError): Ordered {
  const { file = '', row = 0, col = 0 } = location ?? {};
  return new Ordered(
    ['message', message],
    ['code', code],
    ['location', location && new Ordered(['file', file], ['row', row], ['col', col])],
    ['details', details],
  );
}

/** Errors alone, in the `-f json` format of the other commands. */
export function errorsJson(errors: readonly OutputError[]): string {
  return jsonOutput(new Ordered(['errors', errorDocuments(errors)]));
}

/**
 * `1 error occurred: …`, or all errors, one a line; on a terminal each with its line of source.
 */
export function errorsText(errors: readonly OutputError[], io: Io): string {
  if (io.isTerminal?.('stderr')) return errorParagraphs(errors, excerptStyle(io.env), excerptInFile);
  const lines = errors.map(({ text }) => text).join('\n');
  return errors.length === 1 ? `1 error occurred: ${lines}` : `${errors.length} errors occurred:\n${lines}`;
}

/**
 * An error as a command prints it: its message as it is; on a terminal, if it is about policies,
 * all that it holds with the lines of source.
 */
export function errorText(error: unknown, io: Io, stream: 'stdout' | 'stderr' = 'stderr'): string {
  if (io.isTerminal?.(stream)) {
    // A command may wrap the errors in one that names its task.
    for (let each = error; each instanceof Error; each = each.cause) {
      const errors = outputErrors(each);
      if (errors.some(({ excerpt, location }) => excerpt !== undefined || location !== undefined))
        return errorParagraphs(errors, excerptStyle(io.env), excerptInFile);
    }
  }
  return fileErrorText(error);
}

/** The line of an error of the evaluation; undefined where its module is no file of its own. */
function excerptInFile(location: OutputError['location']): Excerpt | undefined {
  if (location === undefined || location.file === '') return undefined;
  try {
    const line = lenientTextOfFile(readFileSync(filePath(location.file))).split('\n')[location.row - 1];
    return line === undefined
      ? undefined
      : { row: location.row, line: line.replace(/\r$/, ''), col: location.col, length: 1 };
  } catch {
    return undefined;
  }
}
