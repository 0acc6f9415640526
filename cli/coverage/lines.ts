/** Coverage by rows, as tools for other languages count it. */
import type { FileCoverage } from './coverage.js';

/** A row that has something to cover. */
export interface CoveredLine {
  readonly row: number;
  /** Parts of the row that were evaluated, and all its parts. */
  readonly covered: number;
  readonly parts: number;
}

/** The rows of a file in their order. A range of several rows is a part of each. */
export function coverageRows({ covered = [], not_covered = [] }: FileCoverage): readonly CoveredLine[] {
  const rows = new Map<number, { covered: number; parts: number }>();
  for (const [ranges, count] of [
    [covered, 1],
    [not_covered, 0],
  ] as const) {
    for (const { start, end } of ranges) {
      for (let row = start.row; row <= end.row; row++) {
        const line = rows.get(row) ?? { covered: 0, parts: 0 };
        rows.set(row, { covered: line.covered + count, parts: line.parts + 1 });
      }
    }
  }
  return [...rows].map(([row, line]) => ({ row, ...line })).sort((a, b) => a.row - b.row);
}

/** A row of which only some parts were evaluated. */
export function isPartly({ covered, parts }: CoveredLine): boolean {
  return covered > 0 && covered < parts;
}
