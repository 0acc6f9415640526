/** Errors of policies as bundlers show them: each at its place, with the line of source. */
import { readFileSync } from 'node:fs';
import type { Diagnostic, Excerpt, Hint, Location } from '../../../compiler/index.js';
import { CompileErrors, excerptLines, excerptOfDiagnostic, expectations, hintOf } from '../../../compiler/index.js';
import { lenientTextOfFile } from '../../../values/index.js';

/** One error, or a warning. */
export interface Problem {
  /** `rego_type_error: …`, with details and a hint in lines below. */
  readonly message: string;
  readonly place: Place | undefined;
}

interface Place {
  /** The absolute path. */
  readonly file: string;
  readonly row: number;
  readonly col: number;
  /** The line, and carets below the part at fault. */
  readonly frame: string;
  readonly excerpt: Excerpt;
}

/**
 * The errors of policies, in the order of their stage.
 * @param pathOf the path of a file with this name
 * @throws the error where it is none of policies
 */
export function problemsOf(error: unknown, pathOf: (name: string) => string): readonly Problem[] {
  if (!(error instanceof CompileErrors)) throw error;
  const hint = error.hint ?? hintOf;
  return error.diagnostics.map((diagnostic) => problemOf(diagnostic, hint(diagnostic), pathOf));
}

function problemOf(diagnostic: Diagnostic, { text: hint }: Hint, pathOf: (name: string) => string): Problem {
  const { code, message, location } = diagnostic;
  const file = location && pathOf(location.file);
  const excerpt = excerptOfDiagnostic(diagnostic) ?? (file && location ? excerptInFile(file, location) : undefined);
  const lines = [`${code}: ${message}`, ...expectations(diagnostic), ...(hint === undefined ? [] : [`hint: ${hint}`])];
  return {
    message: lines.join('\n'),
    place: file === undefined || excerpt === undefined ? undefined : excerptPlace(file, excerpt),
  };
}

export function excerptPlace(file: string, excerpt: Excerpt): Place {
  return { file, row: excerpt.row, col: excerpt.col, frame: excerptLines(excerpt).join('\n'), excerpt };
}

/** Errors of plans have no text of their own. */
function excerptInFile(file: string, { row, col }: Location): Excerpt | undefined {
  try {
    return { row, col, line: lenientTextOfFile(readFileSync(file)).split(/\r?\n/)[row - 1] ?? '', length: 1 };
  } catch {
    return undefined;
  }
}

/** A problem as a text of its own: `policy.rego:3:10: …`, and the frame. */
export function problemText({ message, place }: Problem, shown: (file: string) => string): string {
  if (place === undefined) return message;
  return `${shown(place.file)}:${place.row}:${place.col}: ${message}\n\n${place.frame}`;
}
