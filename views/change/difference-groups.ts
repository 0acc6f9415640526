/** Differences by kind, path and cause, with an example each. */
import { type Cause, causeKey } from './causes.js';
import { type DifferenceKind, differenceKinds } from './outcome.js';
import type { DecisionExample, DifferenceGroup } from './report.js';

const mostGroups = 200;

export class DifferenceGroups {
  readonly #groups = new Map<string, { readonly group: DifferenceGroup; count: number }>();
  /** Differences in groups beyond the most. */
  ungrouped = 0;

  /** Counts a difference; the example is made for the first of its group. */
  add(kind: DifferenceKind, path: string, [old, next]: readonly [Cause, Cause], example: () => DecisionExample): void {
    const key = keyOf(kind, path, [old, next]);
    const known = this.#groups.get(key);
    if (known !== undefined) known.count++;
    else if (this.#groups.size < mostGroups)
      this.#groups.set(key, { group: { kind, path, count: 1, old, new: next, example: example() }, count: 1 });
    else this.ungrouped++;
  }

  /** Whether there is a group, so that another example would not show. */
  has(kind: DifferenceKind, path: string, causes: readonly [Cause, Cause]): boolean {
    return this.#groups.size >= mostGroups || this.#groups.has(keyOf(kind, path, causes));
  }

  get size(): number {
    return this.#groups.size;
  }

  /** In the order of kinds, then the largest first. */
  list(): readonly DifferenceGroup[] {
    const groups = [...this.#groups.values()].map(({ group, count }) => ({ ...group, count }));
    const order = (kind: DifferenceKind) => differenceKinds.indexOf(kind);
    return groups.sort((a, b) => order(a.kind) - order(b.kind) || b.count - a.count);
  }
}

function keyOf(kind: DifferenceKind, path: string, [old, next]: readonly [Cause, Cause]): string {
  return `${kind} ${path} ${causeKey(old)} ${causeKey(next)}`;
}
