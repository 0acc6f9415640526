/** Sorting in steps. */
import { cachedSortedKeys, cacheSortedKeys, compareStrings, sortStrings } from './compare.js';
import type { Steps } from './steps.js';
import type { PlainObject } from './value.js';

/** The number of strings sorted or merged in a step. */
const stringsPerStep = 4096;

/** The keys of an object in the language's order. The object must not change until this ends. */
export function* sortedKeysSteps(object: PlainObject): Steps<readonly string[]> {
  const known = cachedSortedKeys(object);
  if (known !== undefined) return known;
  const keys = yield* sortStringsSteps(Object.keys(object));
  cacheSortedKeys(object, keys);
  return keys;
}

/** Strings in the language's order: sorts short runs, and merges them. */
function* sortStringsSteps(strings: readonly string[]): Steps<readonly string[]> {
  let runs: (readonly string[])[] = [];
  for (let i = 0; i < strings.length; i += stringsPerStep) {
    runs.push(sortStrings(strings.slice(i, i + stringsPerStep)));
    yield;
  }
  while (runs.length > 1) {
    const merged: (readonly string[])[] = [];
    for (let i = 0; i < runs.length; i += 2) merged.push(i + 1 < runs.length ? yield* merge(runs[i]!, runs[i + 1]!) : runs[i]!);
    runs = merged;
  }
  return runs[0] ?? [];
}

function* merge(a: readonly string[], b: readonly string[]): Steps<readonly string[]> {
  const merged: string[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const takesA = j === b.length || (i < a.length && compareStrings(a[i]!, b[j]!) <= 0);
    merged.push(takesA ? a[i++]! : b[j++]!);
    if (merged.length % stringsPerStep === 0) yield;
  }
  return merged;
}
