/** Diagnostics as the command line and the API show them. */

import { CompileErrors, type Diagnostic, type ParseDetails } from './diagnostics.js';

/**
 * One error: `policy.rego:3: rego_parse_error: …`, for a parse error with the line and a caret
 * below it.
 */
export function renderDiagnostic(diagnostic: Diagnostic): string {
  const { location, details } = diagnostic;
  const prefix =
    location === undefined
      ? ''
      : location.file === ''
        ? `${location.row}:${location.col}: `
        : `${location.file}:${location.row}: `;
  const lines = detailLines(details).map((line) => `\n\t${line}`);
  return `${prefix}${diagnostic.code}: ${diagnostic.message}${lines.join('')}`;
}

/** Lines with the types that a type error has found and wanted. */
export function expectations({ details }: Diagnostic): readonly string[] {
  return detailLines(details)
    .map((line) => line.trim())
    .filter((line) => /^(?:have|want|left|right)\b.*: /.test(line));
}

/** All errors as one text: `1 error occurred: …`, or `2 errors occurred:` and a line each. */
export function renderDiagnostics(diagnostics: readonly Diagnostic[]): string {
  if (diagnostics.length === 0) return 'no error(s)';
  const [first, ...others] = diagnostics;
  if (first && others.length === 0) return `1 error occurred: ${renderDiagnostic(first)}`;
  return `${diagnostics.length} errors occurred:\n${diagnostics.map(renderDiagnostic).join('\n')}`;
}

/** An error as an element of an API answer's `errors`. */
export function diagnosticToJson(diagnostic: Diagnostic): Record<string, unknown> {
  const { code, message, location, details } = diagnostic;
  return {
    code,
    message,
    ...(location && { location: { file: location.file, row: location.row, col: location.col } }),
    ...(details !== undefined && { details }),
  };
}

/** The error to throw for a list of diagnostics. */
export function compileErrors(diagnostics: readonly Diagnostic[], hint?: CompileErrors['hint']): CompileErrors {
  return new CompileErrors(diagnostics, renderDiagnostics(diagnostics), hint);
}

/** Details that render themselves as lines. */
interface Lines {
  lines(): readonly string[];
}

function detailLines(details: unknown): readonly string[] {
  if (typeof details !== 'object' || details === null) return [];
  if (typeof (details as Partial<Lines>).lines === 'function') return (details as Lines).lines();
  const { line, idx } = details as Partial<ParseDetails>;
  if (typeof line !== 'string' || typeof idx !== 'number') return [];
  const text = line.replace(/^\t+/, '');
  const indent = Math.max(0, idx - (line.length - text.length));
  return [text, `${' '.repeat(indent)}^`];
}
