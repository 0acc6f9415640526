/** Errors as JSON and as text. */
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

/** `1 error occurred: …`, or all errors, one a line. */
export function errorsText(errors: readonly OutputError[]): string {
  const lines = errors.map(({ text }) => text).join('\n');
  return errors.length === 1 ? `1 error occurred: ${lines}` : `${errors.length} errors occurred:\n${lines}`;
}
