/** Columns of listings. */

/** The length of the longest text; 0 if there is none. */
export function widest(texts: Iterable<string>): number {
  let width = 0;
  // A list of statements can have more members than a call can have arguments.
  for (const { length } of texts) width = Math.max(width, length);
  return width;
}

/** The width of each column of a table, in characters if nothing else says how wide a text is. */
export function columnWidths(
  rows: Iterable<readonly string[]>,
  widthOf = (text: string): number => text.length,
): readonly number[] {
  const widths: number[] = [];
  for (const row of rows) for (const [i, text] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, widthOf(text));
  return widths;
}

/** A row of a table: its cells below those of other rows. */
export function rowText(cells: readonly string[], widths: readonly number[]): string {
  const padded = cells.map((cell, i) => cell.padEnd(widths[i] ?? 0));
  return padded.join('  ').trimEnd();
}
