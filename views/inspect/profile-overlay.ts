/** Counts and times of statements before the lines of a view. */
import { timeText } from '../../values/index.js';
import type { CodeLine } from './code-line.js';
import { columnWidths } from './columns.js';

/** The counts of a statement in a profile. */
export interface OverlaidCounts {
  readonly count: number;
  readonly failed: number;
  /** The rounds of a loop, and those whose block passed to its end. */
  readonly rows_in?: number;
  readonly rows_out?: number;
  readonly time_ns: number;
}

const titles = ['count', 'fails', 'rows', 'self'] as const;

/**
 * The lines of a view with columns before them: how often each statement ran and failed, the rows
 * of loops, and its own time. A statement that did not run has dashes.
 * @param counts by address
 */
export function overlaid(lines: readonly CodeLine[], counts: ReadonlyMap<string, OverlaidCounts>): readonly CodeLine[] {
  const rows = lines.map((line) => ({ line, cells: line.at === undefined ? [] : cellsOf(counts.get(line.at)) }));
  const widths = columnWidths([titles, ...rows.map(({ cells }) => cells)]);
  const before = (cells: readonly string[]): string =>
    widths.map((width, i) => (cells[i] ?? '').padStart(width)).join('  ');
  return [
    { text: before(titles) },
    ...rows.map(
      ({ line, cells }): CodeLine => ({ ...line, text: line.text === '' ? '' : `${before(cells)}  ${line.text}` }),
    ),
  ];
}

function cellsOf(counts: OverlaidCounts | undefined): readonly string[] {
  if (counts === undefined) return ['-'];
  const { count, failed, rows_in: rowsIn, rows_out: rowsOut, time_ns: time } = counts;
  return [
    String(count),
    failed > 0 ? String(failed) : '',
    rowsIn === undefined ? '' : `${rowsIn}→${rowsOut}`,
    timeText(time),
  ];
}
