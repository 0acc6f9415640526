/** A text by its lines. */
export interface Line {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The lines without their ends; a text that ends with a line end has an empty last line. */
export function linesOf(text: string): Line[] {
  let start = 0;
  return text.split('\n').map((part) => {
    const line = part.endsWith('\r') ? part.slice(0, -1) : part;
    const found = { text: line, start, end: start + line.length };
    start += part.length + 1;
    return found;
  });
}
