/** A line of a view: listing, program, JavaScript. */
export interface CodeLine {
  readonly text: string;
  /** The address of its statement. */
  readonly at?: string;
}

/** The lines as text. */
export function textOfLines(lines: readonly CodeLine[]): string {
  return lines.map(({ text }) => `${text}\n`).join('');
}
