/** Sorting in steps. */
import { compareStrings, keepSortedKeys, keptSortedKeys, plainKeys, sortStrings } from '../compare.js';
import type { Steps } from '../steps.js';
import type { PlainObject } from '../value.js';

/** The number of items sorted or merged in a step. */
const itemsPerStep = 4096;

/** The keys of an object in the language's order. The object must not change until this ends. */
export function* sortedKeysSteps(object: PlainObject): Steps<readonly string[]> {
  const known = keptSortedKeys(object);
  if (known !== undefined) return known;
  const keys = yield* sortRuns(plainKeys(object), sortStrings, compareStrings);
  keepSortedKeys(object, keys);
  return keys;
}

/** A sorted copy. The sort is stable. */
export function sortedSteps<Item>(items: readonly Item[], compare: Compare<Item>): Steps<readonly Item[]> {
  return sortRuns(items, (run) => run.sort(compare), compare);
}

type Compare<Item> = (a: Item, b: Item) => number;

/** Sorts short runs, and merges them. */
function* sortRuns<Item>(
  items: readonly Item[],
  sort: (run: Item[]) => readonly Item[],
  compare: Compare<Item>,
): Steps<readonly Item[]> {
  let runs: (readonly Item[])[] = [];
  for (let i = 0; i < items.length; i += itemsPerStep) {
    runs.push(sort(items.slice(i, i + itemsPerStep)));
    yield;
  }
  while (runs.length > 1) {
    const merged: (readonly Item[])[] = [];
    for (let i = 0; i < runs.length; i += 2)
      merged.push(i + 1 < runs.length ? yield* merge(runs[i]!, runs[i + 1]!, compare) : runs[i]!);
    runs = merged;
  }
  return runs[0] ?? [];
}

function* merge<Item>(a: readonly Item[], b: readonly Item[], compare: Compare<Item>): Steps<readonly Item[]> {
  const merged: Item[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const takesA = j === b.length || (i < a.length && compare(a[i]!, b[j]!) <= 0);
    merged.push(takesA ? a[i++]! : b[j++]!);
    if (merged.length % itemsPerStep === 0) yield;
  }
  return merged;
}
