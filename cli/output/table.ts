/** Tables with borders, in the reference's format. */

import { displayWidth as width } from '../../values/index.js';
import { columnWidths } from '../../views/index.js';

interface TableOptions {
  /** Leaves the first cell empty if it repeats the one above. */
  readonly merge?: boolean;
  /** Column titles in capitals. */
  readonly capitals?: boolean;
}

/** A table as text, with a line break at the end. Cells are aligned left, titles are centred. */
export function tableText(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  options: TableOptions = {},
): string {
  const head = options.capitals === true ? titles.map((title) => title.toUpperCase()) : titles;
  const sizes = columnWidths([head, ...rows], width);
  const columns = head.map((title, i) => ({ title, size: sizes[i] ?? 0 }));
  const line = (left: string, middle: string, right: string) =>
    left + columns.map(({ size }) => '─'.repeat(size + 2)).join(middle) + right;
  const cells = (row: readonly string[]) =>
    `│${columns.map(({ size }, i) => ` ${pad(row[i] ?? '', size)} `).join('│')}│`;
  const body = rows.map((row, i) =>
    options.merge === true && rows[i - 1]?.[0] === row[0] ? ['', ...row.slice(1)] : row,
  );
  const lines = [
    line('┌', '┬', '┐'),
    cells(columns.map(({ title, size }) => centered(title, size))),
    line('├', '┼', '┤'),
    ...body.map(cells),
    line('└', '┴', '┘'),
  ];
  return `${lines.join('\n')}\n`;
}

/** A table without titles; with `numbers`, the second column is aligned right. */
export function rowsText(rows: readonly (readonly string[])[], numbers = false): string {
  const widths = columnWidths(rows, width);
  const line = (left: string, middle: string, right: string) =>
    left + widths.map((w) => '─'.repeat(w + 2)).join(middle) + right;
  const cell = (text: string, i: number, w: number) => (numbers && i > 0 ? text.padStart(w) : pad(text, w));
  const body = rows.map((row) => `│${widths.map((w, i) => ` ${cell(row[i] ?? '', i, w)} `).join('│')}│`);
  return `${[line('┌', '┬', '┐'), ...body, line('└', '┴', '┘')].join('\n')}\n`;
}

/** Groups of rows of two cells, with a line between two groups. */
export function gridText(groups: readonly (readonly (readonly string[])[])[]): string {
  const rows = groups.flat();
  const widths = columnWidths(rows, width);
  const line = (left: string, middle: string, right: string) =>
    left + widths.map((w) => '─'.repeat(w + 2)).join(middle) + right;
  const body = groups.map((group) =>
    group.map((row) => `│${widths.map((w, i) => ` ${pad(row[i] ?? '', w)} `).join('│')}│`).join('\n'),
  );
  return `${line('┌', '┬', '┐')}\n${body.join(`\n${line('├', '┼', '┤')}\n`)}\n${line('└', '┴', '┘')}\n`;
}

function pad(text: string, to: number): string {
  return text + ' '.repeat(to - width(text));
}

function centered(text: string, to: number): string {
  return ' '.repeat((to - width(text)) >> 1) + text;
}

/** A text cut to a length, with dots in place of the rest. */
export function truncated(text: string, limit: number): string {
  return text.length < limit ? text : `${text.slice(0, limit - 3)}...`;
}

/**
 * A path shortened to a length if possible: directories in the middle are removed, the first one
 * and the end stay.
 */
export function truncatedPath(path: string, limit: number): string {
  if (path.length < limit) return path;
  const directory = path.slice(0, Math.max(0, path.lastIndexOf('/'))).replace(/^\//, '');
  const slash = directory.indexOf('/');
  const middle = slash > 0 ? directory.slice(slash + 1) : directory;
  const excess = limit - (path.length - middle.length + 3);
  const cut = excess <= 0 ? middle : excess > middle.length ? '' : middle.slice(0, middle.length - excess);
  return cut.length > 3 ? path.replace(cut, () => '...') : path;
}
