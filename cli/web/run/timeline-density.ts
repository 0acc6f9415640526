/** How many events of a kind each column of the timeline has: a column may stand for thousands. */

/** The number of either kind of event, by row of calls and by column. */
export class Density {
  readonly #columns: number;
  readonly #rows = new Map<number, readonly [Uint32Array, Uint32Array]>();

  constructor(columns: number) {
    this.#columns = Math.max(1, Math.ceil(columns));
  }

  /** Counts one of the first kind, or of the second. Places beside the columns are not counted. */
  add(row: number, x: number, isSecond: boolean): void {
    const column = Math.floor(x);
    if (column < 0 || column >= this.#columns) return;
    let counts = this.#rows.get(row);
    if (counts === undefined) {
      counts = [new Uint32Array(this.#columns), new Uint32Array(this.#columns)];
      this.#rows.set(row, counts);
    }
    counts[isSecond ? 1 : 0][column]!++;
  }

  /** The columns with something, and which share of it is of the second kind. */
  *cells(): Iterable<{ readonly row: number; readonly x: number; readonly share: number }> {
    for (const [row, [first, second]] of this.#rows) {
      for (let x = 0; x < this.#columns; x++) {
        const [a, b] = [first[x]!, second[x]!];
        if (a + b > 0) yield { row, x, share: b / (a + b) };
      }
    }
  }
}

/**
 * The part of a height for a share: never nothing for some, nor all where there are others.
 * @param least of either part that there is
 */
export function shareOfHeight(share: number, height: number, least: number): number {
  if (share === 0 || share === 1) return share * height;
  return Math.min(height - least, Math.max(least, share * height));
}
