/**
 * The shortest edit script between two texts: fewest insertions and deletions (Myers 1986, in
 * linear space).
 */

interface Edit {
  readonly kind: 'same' | 'gone' | 'new';
  readonly text: string;
}

/**
 * The maximum number of steps: enough for texts of some megabytes with few differences, or of some
 * ten kilobytes that differ everywhere.
 */
const maxSteps = 20_000_000;

/**
 * The edits in order, deletions before insertions. Ranges too different to compare in reasonable
 * time are replaced as a whole.
 */
export function textEdits(before: string, after: string): readonly Edit[] {
  const found: Edit[] = [];
  new Comparison(found).compare(before, after);
  return merged(found);
}

class Comparison {
  readonly #found: Edit[];
  #steps = 0;

  constructor(found: Edit[]) {
    this.#found = found;
  }

  compare(before: string, after: string): void {
    const prefix = commonPrefix(before, after);
    const suffix = commonPrefix(before.slice(prefix), after.slice(prefix), true);
    this.#add('same', before.slice(0, prefix));
    this.#middle(before.slice(prefix, before.length - suffix), after.slice(prefix, after.length - suffix));
    this.#add('same', before.slice(before.length - suffix));
  }

  /** Compares two texts without a common prefix or suffix. */
  #middle(before: string, after: string): void {
    const split = before === '' || after === '' ? undefined : this.#split(before, after);
    if (split === undefined) {
      this.#add('gone', before);
      this.#add('new', after);
      return;
    }
    const [x, y] = split;
    this.compare(before.slice(0, x), after.slice(0, y));
    this.compare(before.slice(x), after.slice(y));
  }

  #add(kind: Edit['kind'], text: string): void {
    if (text !== '') this.#found.push({ kind, text });
  }

  /**
   * A point on a shortest path, where the searches from the start and from the end meet. Diagonals
   * are numbered by the offset in `before` minus the offset in `after`; for each diagonal the
   * tables hold the furthest offset in `before`.
   */
  #split(before: string, after: string): readonly [number, number] | undefined {
    const [n, m] = [before.length, after.length];
    const most = Math.ceil((n + m) / 2);
    const offset = most + 1;
    const forward = new Int32Array(2 * most + 3).fill(-1);
    const backward = new Int32Array(2 * most + 3).fill(-1);
    forward[offset + 1] = 0;
    backward[offset + 1] = 0;
    const delta = n - m;
    for (let edits = 0; edits <= most; edits++) {
      this.#steps += 2 * edits + 2;
      if (this.#steps > maxSteps) return undefined;
      for (let k = -edits; k <= edits; k += 2) {
        let x = furthest(forward, offset + k, k === -edits, k === edits);
        if (x > n || x - k > m) {
          forward[offset + k] = x;
          continue;
        }
        while (x < n && x - k < m && before.charCodeAt(x) === after.charCodeAt(x - k)) x++;
        forward[offset + k] = x;
        const opposite = delta - k;
        const met = delta % 2 !== 0 && Math.abs(opposite) <= edits - 1 ? backward[offset + opposite]! : -1;
        if (met >= 0 && x + met >= n) return [x, x - k];
      }
      for (let k = -edits; k <= edits; k += 2) {
        let x = furthest(backward, offset + k, k === -edits, k === edits);
        if (x > n || x - k > m) {
          backward[offset + k] = x;
          continue;
        }
        while (x < n && x - k < m && before.charCodeAt(n - 1 - x) === after.charCodeAt(m - 1 - x + k)) x++;
        backward[offset + k] = x;
        const opposite = delta - k;
        const met = delta % 2 === 0 && Math.abs(opposite) <= edits ? forward[offset + opposite]! : -1;
        if (met >= 0 && x + met >= n) return [met, met - opposite];
      }
    }
    return undefined;
  }
}

/**
 * The furthest offset on a diagonal that is reached from its neighbours: by an insertion, or by a
 * deletion if that reaches further.
 */
function furthest(table: Int32Array, at: number, isFirst: boolean, isLast: boolean): number {
  const inserted = table[at + 1]!;
  const deleted = table[at - 1]!;
  return isFirst || (!isLast && deleted < inserted) ? inserted : deleted + 1;
}

function commonPrefix(a: string, b: string, fromEnd = false): number {
  const length = Math.min(a.length, b.length);
  const unit = (text: string, i: number): number => text.charCodeAt(fromEnd ? text.length - 1 - i : i);
  let i = 0;
  while (i < length && unit(a, i) === unit(b, i)) i++;
  return i;
}

/** Merges consecutive edits of one kind; among mixed edits, deletions come first. */
function merged(edits: readonly Edit[]): readonly Edit[] {
  const result: Edit[] = [];
  const waiting = { gone: '', new: '' };
  const flush = (): void => {
    for (const kind of ['gone', 'new'] as const) {
      if (waiting[kind] !== '') result.push({ kind, text: waiting[kind] });
      waiting[kind] = '';
    }
  };
  for (const { kind, text } of edits) {
    if (kind !== 'same') {
      waiting[kind] += text;
      continue;
    }
    flush();
    const last = result.at(-1);
    if (last?.kind === 'same') result[result.length - 1] = { kind, text: last.text + text };
    else result.push({ kind, text });
  }
  flush();
  return result;
}
