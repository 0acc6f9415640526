/** Errors as people read them: `formatDiagnostics`. */

import type { ExcerptStyle } from '../../compiler/index.js';
import { CompileErrors, errorParagraphs, type ShownError, shownDiagnostic } from '../../compiler/index.js';

export interface FormatDiagnosticsOptions {
  /** Whether to mark places with the colours of a terminal. Default: false. */
  readonly color?: boolean | undefined;
}

const colors: ExcerptStyle = {
  gutter: (text) => `\u001b[34m${text}\u001b[39m`,
  mark: (text) => `\u001b[31m${text}\u001b[39m`,
};

/**
 * An error as the commands show it at a terminal: of policies each error with its place, its line
 * of source and a hint; of anything else its message.
 * @example
 * try {
 *   await engine.setPolicy('authz.rego', text);
 * } catch (error) {
 *   console.error(formatDiagnostics(error, { color: process.stderr.isTTY }));
 * }
 */
export function formatDiagnostics(error: unknown, { color = false }: FormatDiagnosticsOptions = {}): string {
  // An error may be wrapped in one that names a task.
  for (let each = error; each instanceof Error; each = each.cause) {
    if (!(each instanceof CompileErrors)) continue;
    const { diagnostics, hint } = each;
    const shown = diagnostics.map((diagnostic): ShownError => shownDiagnostic(diagnostic, hint));
    return errorParagraphs(shown, color ? colors : undefined);
  }
  return error instanceof Error ? error.message : String(error);
}
