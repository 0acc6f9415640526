/** Errors as JSON and as text. */
import { readFileSync } from 'node:fs';
import { filePath } from '../../bundle/disk/file-path.js';
import { type Excerpt, excerptLines } from '../../compiler/diagnostics/excerpt.js';
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
    // A command may wrap the errors in one that names its task.
    for (let each = error; each instanceof Error; each = each.cause) {
      const errors = outputErrors(each);
      if (errors.some(({ excerpt, location }) => excerpt !== undefined || location !== undefined)) return terminalText(errors, io.env);
    }
  }
  return (error as Error).message;
}

/** A paragraph for each cause: the place, code and message, the line of source, and a hint. */
function terminalText(errors: readonly OutputError[], env: Io['env']): string {
  const causes = new Map<string, OutputError[]>();
  for (const [i, error] of withoutConsequences(errors).entries()) {
    const cause = error.hint?.cause === undefined ? String(i) : `${error.message} ${error.hint.cause}`;
    causes.set(cause, [...(causes.get(cause) ?? []), error]);
  }
  const hints = new Set<string>();
  const paragraphs = [...causes.values()].map((group) => paragraph(group, env, hints));
  return paragraphs.length === 1 ? paragraphs[0]! : [...paragraphs, `${paragraphs.length} errors`].join('\n\n');
}

/** The line of an error of the evaluation; undefined where its module is no file of its own. */
function excerptInFile(location: OutputError['location']): Excerpt | undefined {
  if (location === undefined || location.file === '') return undefined;
  try {
    const line = readFileSync(filePath(location.file), 'utf8').split('\n')[location.row - 1];
    return line === undefined ? undefined : { row: location.row, line: line.replace(/\r$/, ''), col: location.col, length: 1 };
  } catch {
    return undefined;
  }
}

/** A value that is not bound since a name in it is not is no error of its own. */
function withoutConsequences(errors: readonly OutputError[]): readonly OutputError[] {
  const place = ({ location }: OutputError): string => `${location?.file}:${location?.row}`;
  const named = new Set(errors.filter(({ code, message }) => code === unsafe && message !== unsafeWildcard).map(place));
  const roots = new Set(errors.filter(({ code, hint }) => code === unsafe && !hint?.isConsequence).map(({ location }) => location?.file));
  return errors.filter(
    ({ message, hint, location }, i) =>
      (message !== unsafeWildcard || !named.has(place(errors[i]!))) && !(hint?.isConsequence && roots.has(location?.file)),
  );
}

const unsafe = 'rego_unsafe_var_error';
const unsafeWildcard = 'var _ is unsafe';

/** So many places are named, and the others counted. */
const shownPlaces = 8;

function placesText(errors: readonly OutputError[]): string {
  const places = errors.slice(0, shownPlaces).map(({ excerpt }) => `${excerpt!.row}:${excerpt!.col}`);
  const others = errors.length - places.length;
  return places.join(', ') + (others > 0 ? ` and ${others} more` : '');
}

/** @param hints the hints printed so far: each is printed once */
function paragraph([error, ...more]: readonly OutputError[], env: Io['env'], hints: Set<string>): string {
  const { location, code, message, text, hint } = error!;
  const excerpt = error!.excerpt ?? excerptInFile(location);
  if (excerpt === undefined || location === undefined) return text;
  const place = `${location.file === '' ? '' : `${location.file}:`}${excerpt.row}:${excerpt.col}: `;
  const lines = [`${place}${code}: ${message}`, ...excerptLines(excerpt, excerptStyle(env))];
  for (const note of error!.notes ?? []) lines.push(`${' '.repeat(String(excerpt.row).length + 3)}${note}`);
  if (more.length > 0) lines.push(`also at ${placesText(more)}`);
  if (hint?.text !== undefined && !hints.has(hint.text)) lines.push(`hint: ${hint.text}`);
  if (hint?.text !== undefined) hints.add(hint.text);
  return lines.join('\n');
}
