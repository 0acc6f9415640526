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

/** The number of characters of a line that are shown, and those before the place. */
const longestLine = 160;
const shownBefore = 40;

/** Where the lines of a text begin, found once: a large file may have many failures. */
export class TextLines {
  readonly #text: string;
  readonly #starts: number[] = [0];

  constructor(text: string) {
    this.#text = text;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) this.#starts.push(end + 1);
  }

  /** Where an offset is: line and column count from 1. */
  place(offset: number): { readonly line: number; readonly column: number } {
    let [line, after] = [1, this.#starts.length + 1];
    while (after - line > 1) {
      const middle = (line + after) >> 1;
      if (this.#starts[middle - 1]! <= offset) line = middle;
      else after = middle;
    }
    return { line, column: offset - this.#starts[line - 1]! + 1 };
  }

  /**
   * The lines from an offset on, the first few of them. A long line is cut on both sides of the
   * offset, or of its beginning: a file may have one line only.
   */
  shown(offset: number, count: number): readonly string[] {
    const first = this.place(offset).line;
    const last = Math.min(first + count - 1, this.#starts.length);
    return Array.from({ length: last - first + 1 }, (_, i) =>
      this.#cut(first + i, i === 0 ? offset : this.#starts[first + i - 1]!),
    );
  }

  #cut(line: number, offset: number): string {
    const start = this.#starts[line - 1]!;
    const next = (this.#starts[line] ?? this.#text.length + 1) - 1;
    const end = next - (next < this.#text.length && this.#text[next - 1] === '\r' ? 1 : 0);
    if (end - start <= longestLine) return this.#text.slice(start, Math.max(start, end));
    const first = Math.max(start, Math.min(offset - shownBefore, end - longestLine));
    const last = Math.min(end, first + longestLine);
    return `${first > start ? '…' : ''}${this.#text.slice(first, last)}${last < end ? '…' : ''}`;
  }
}
