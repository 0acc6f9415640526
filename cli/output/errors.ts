/** Errors as JSON and as text. */
import { excerptLines } from '../../compiler/diagnostics/excerpt.js';
import type { Io } from '../io.js';
import { excerptStyle } from './color.js';
import { outputErrors } from './failures.js';
import { json, Ordered } from './ordered-json.js';
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
  return json(new Ordered(['errors', errorDocuments(errors)]));
}

/**
 * `1 error occurred: …`, or all errors, one a line; on a terminal each with its line of source.
 */
export function errorsText(errors: readonly OutputError[], io: Io): string {
  if (io.isTerminal?.('stderr')) return terminalText(errors, io.env);
  const lines = errors.map(({ text }) => text).join('\n');
  return errors.length === 1 ? `1 error occurred: ${lines}` : `${errors.length} errors occurred:\n${lines}`;
}

/**
 * An error as a command prints it: its message as it is; on a terminal, if it is about policies,
 * all that it holds with the lines of source.
 */
export function errorText(error: unknown, io: Io, stream: 'stdout' | 'stderr' = 'stderr'): string {
  if (io.isTerminal?.(stream)) {
    // A command may say around the errors what it was doing.
    for (let each = error; each instanceof Error; each = each.cause) {
      const errors = outputErrors(each);
      if (errors.some(({ excerpt }) => excerpt !== undefined)) return terminalText(errors, io.env);
    }
  }
  return (error as Error).message;
}

/** A paragraph for each error: its place, code and message, and its line of source. */
function terminalText(errors: readonly OutputError[], env: Io['env']): string {
  const style = excerptStyle(env);
  const paragraphs = errors.map((error) => {
    const { excerpt, location, code, message, text } = error;
    if (excerpt === undefined || location === undefined) return text;
    const { file, row, col } = location;
    const place = `${file === '' ? '' : `${file}:`}${row}:${col}: `;
    return [`${place}${code}: ${message}`, ...excerptLines(excerpt, style)].join('\n');
  });
  return errors.length === 1 ? paragraphs[0]! : [...paragraphs, `${errors.length} errors`].join('\n\n');
}
