/** The places of a document's parts in its text. */
import type { Value } from '../../../values/index.js';

export type PathKey = string | number;

/** Offsets in a text; the end is behind the last character. */
export interface MarkedRange {
  readonly start: number;
  readonly end: number;
}

export interface FoundRange extends MarkedRange {
  /** How many keys of the path exist. */
  readonly depth: number;
}

/**
 * Ranges by container and key. A member of an object begins at its key, so that a place names the
 * line that an author wrote.
 */
export class Marks {
  readonly #ranges = new WeakMap<object, Map<PathKey, MarkedRange>>();

  /** Notes a member; the first place of a key counts where a later part extends it. */
  at(container: object, key: PathKey, start: number, end: number): void {
    let ranges = this.#ranges.get(container);
    if (ranges === undefined) this.#ranges.set(container, (ranges = new Map()));
    ranges.set(key, { start, end });
  }

  has(container: object, key: PathKey): boolean {
    return this.#ranges.get(container)?.has(key) === true;
  }

  /** The range of a path below a document, or of the nearest part above that is written. */
  find(root: Value, path: readonly PathKey[]): FoundRange | undefined {
    let found: FoundRange | undefined;
    let value: unknown = root;
    for (const [i, key] of path.entries()) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) break;
      const range = this.#ranges.get(value)?.get(key);
      if (range !== undefined) found = { ...range, depth: i + 1 };
      value = (value as Record<PathKey, unknown>)[key];
    }
    return found;
  }
}
