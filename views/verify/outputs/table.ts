/** Results as a table. */
import type { CheckResult } from '../results.js';

/** The rows of the table; a cell may have several lines. */
export function resultRows(results: readonly CheckResult[]): readonly (readonly string[])[] {
  return results.flatMap((check) => {
    const row = (word: string, message: string) => [word, check.filename, check.namespace, message];
    return [
      ...Array<null>(check.successes)
        .fill(null)
        .map(() => row('success', 'SUCCESS')),
      ...check.exceptions.map(({ msg }) => row('exception', msg)),
      ...check.warnings.map(({ msg }) => row('warning', msg)),
      ...check.skipped.map(({ msg }) => row('skipped', msg)),
      ...check.failures.map(({ msg }) => row('failure', msg)),
    ];
  });
}

export const tableTitles = ['RESULT', 'FILE', 'NAMESPACE', 'MESSAGE'] as const;

/** Rows whose cells have one line each: further lines are rows of their own. */
export function splitRows(rows: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return rows.flatMap((row) => {
    const cells = row.map((cell) => cell.split('\n'));
    const height = Math.max(...cells.map((lines) => lines.length));
    return Array.from({ length: height }, (_, i) => cells.map((lines) => lines[i] ?? ''));
  });
}
