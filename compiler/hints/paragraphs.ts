/** Errors with their lines of source, for people at a terminal. */

import type { CompileErrors, Diagnostic, Hint } from '../diagnostics/diagnostics.js';
import { type Excerpt, type ExcerptStyle, excerptLines, excerptOfDiagnostic } from '../diagnostics/excerpt.js';
import { expectations, renderDiagnostic } from '../diagnostics/render.js';
import { hintOf } from './hints.js';

/** An error as it is shown. */
export interface ShownError {
  readonly message: string;
  readonly code?: string;
  readonly location?: { readonly file: string; readonly row: number; readonly col: number };
  /** The error as one line of text, with location and code. */
  readonly text: string;
  /** The line of source, for a terminal. */
  readonly excerpt?: Excerpt;
  /** Lines below it: the types of operands. */
  readonly notes?: readonly string[];
  /** For a terminal. */
  readonly hint?: Hint;
}

export function shownDiagnostic(diagnostic: Diagnostic, hint: CompileErrors['hint'] = hintOf): ShownError {
  const { code, message, location } = diagnostic;
  const excerpt = excerptOfDiagnostic(diagnostic);
  return {
    code,
    message,
    text: renderDiagnostic(diagnostic),
    ...(location !== undefined && { location }),
    ...(excerpt !== undefined && { excerpt, notes: expectations(diagnostic), hint: hint(diagnostic) }),
  };
}

/**
 * A paragraph for each cause: the place, code and message, the line of source, and a hint.
 * @param excerptAt the line of an error that has none; undefined where it is in no file
 */
export function errorParagraphs(
  errors: readonly ShownError[],
  style?: ExcerptStyle,
  excerptAt: (location: ShownError['location']) => Excerpt | undefined = () => undefined,
  noun = 'errors',
): string {
  const causes = new Map<string, [ShownError, ...ShownError[]]>();
  for (const [i, error] of withoutConsequences(errors).entries()) {
    const cause = error.hint?.cause === undefined ? String(i) : `${error.message} ${error.hint.cause}`;
    const group = causes.get(cause);
    if (group) group.push(error);
    else causes.set(cause, [error]);
  }
  const hints = new Set<string>();
  const paragraphs = [...causes.values()].map((group) => paragraph(group, style, excerptAt, hints));
  const count = paragraphs.length === 1 ? [] : [`${paragraphs.length} ${noun}`];
  return [...paragraphs, ...count].join('\n\n');
}

/** A value that is not bound since a name in it is not is no error of its own. */
function withoutConsequences(errors: readonly ShownError[]): readonly ShownError[] {
  const place = ({ location }: ShownError): string => `${location?.file}:${location?.row}`;
  const named = new Set(errors.filter(({ code, message }) => code === unsafe && message !== unsafeWildcard).map(place));
  const roots = new Set(
    errors.filter(({ code, hint }) => code === unsafe && !hint?.isConsequence).map(({ location }) => location?.file),
  );
  return errors.filter(
    (error) =>
      (error.message !== unsafeWildcard || !named.has(place(error))) &&
      !(error.hint?.isConsequence && roots.has(error.location?.file)),
  );
}

const unsafe = 'rego_unsafe_var_error';
const unsafeWildcard = 'var _ is unsafe';

/** The most places that are named; the others are counted. */
const shownPlaces = 8;

function placesText(errors: readonly ShownError[]): string {
  const all = errors.flatMap(({ excerpt }) => (excerpt ? [`${excerpt.row}:${excerpt.col}`] : []));
  const places = all.slice(0, shownPlaces);
  const others = errors.length - places.length;
  return places.join(', ') + (others > 0 ? ` and ${others} more` : '');
}

/** @param hints the hints printed so far: each is printed once */
function paragraph(
  [error, ...more]: readonly [ShownError, ...ShownError[]],
  style: ExcerptStyle | undefined,
  excerptAt: (location: ShownError['location']) => Excerpt | undefined,
  hints: Set<string>,
): string {
  const { location, code, message, text, hint } = error;
  const excerpt = error.excerpt ?? excerptAt(location);
  if (excerpt === undefined || location === undefined) return text;
  const place = `${location.file === '' ? '' : `${location.file}:`}${excerpt.row}:${excerpt.col}: `;
  const lines = [`${place}${code}: ${message}`, ...excerptLines(excerpt, style)];
  for (const note of error.notes ?? []) lines.push(`${' '.repeat(String(excerpt.row).length + 3)}${note}`);
  if (more.length > 0) lines.push(`also at ${placesText(more)}`);
  if (hint?.text !== undefined && !hints.has(hint.text)) lines.push(`hint: ${hint.text}`);
  if (hint?.text !== undefined) hints.add(hint.text);
  return lines.join('\n');
}
