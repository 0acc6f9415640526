/** Where two collections differ. */
import { compare, isArray, isObject, isSet, lookup, objectKeys, type Value } from '../../../values/index.js';
import type { Explaining } from './explaining.js';
import type { Difference } from './explanation.js';

/** The most places that are shown. */
const mostDifferences = 8;

/** A place in two values; one of them has none there. */
interface Place {
  readonly at: readonly Value[];
  readonly left: Value | undefined;
  readonly right: Value | undefined;
}

/**
 * The first places at which two arrays, objects or sets differ: entries that one of them lacks, and
 * entries with other values. Members of a set have no place: those that one set lacks.
 * @param leftPath the place of the left value in the input, if it is there
 */
export function valueDifferences(
  explaining: Explaining,
  left: Value,
  right: Value,
  leftPath?: readonly Value[],
): readonly Difference[] {
  const found: Difference[] = [];
  for (const { at, left: a, right: b } of places([], left, right)) {
    if (found.length === mostDifferences) break;
    found.push({
      at: at.map((key) => keyText(explaining, key)).join(''),
      ...(a !== undefined && { left: explaining.shown(a, leftPath && [...leftPath, ...at]) }),
      ...(b !== undefined && { right: explaining.shown(b) }),
    });
  }
  return found;
}

/** Characters of a text that are shown before and behind the place where it differs. */
const around = 20;

/**
 * Where two texts differ: their lines, or a part of texts of one line.
 * @param leftPath the place of the left text in the input, if it is there
 */
export function textDifferences(
  explaining: Explaining,
  left: string,
  right: string,
  leftPath?: readonly Value[],
): readonly Difference[] {
  if (explaining.shown(left, leftPath).masked || explaining.shown(right).masked) return [];
  const [before, after] = [left.split('\n'), right.split('\n')];
  const [head, tail] = commonEnds(before, after);
  const [gone, added] = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)];
  const [[a], [b]] = [gone, added];
  if (a !== undefined && b !== undefined && gone.length === 1 && added.length === 1) {
    const [start, end] = commonEnds([...a], [...b]);
    const part = (text: string) => {
      const characters = [...text];
      const [from, to] = [Math.max(0, start - around), Math.min(characters.length, characters.length - end + around)];
      return explaining.shown(
        `${from > 0 ? '…' : ''}${characters.slice(from, to).join('')}${to < characters.length ? '…' : ''}`,
      );
    };
    const line = before.length > 1 || after.length > 1 ? `line ${head + 1}, ` : '';
    return [{ at: `${line}character ${start + 1}`, left: part(a), right: part(b) }];
  }
  return [
    ...gone.slice(0, mostDifferences).map((line, i) => ({ at: `line ${head + i + 1}`, left: explaining.shown(line) })),
    ...added
      .slice(0, mostDifferences)
      .map((line, i) => ({ at: `line ${head + i + 1}`, right: explaining.shown(line) })),
  ];
}

/** How many items two lists have in common at their beginnings, and then at their ends. */
function commonEnds(left: readonly string[], right: readonly string[]): readonly [head: number, tail: number] {
  const shorter = Math.min(left.length, right.length);
  let head = 0;
  while (head < shorter && left[head] === right[head]) head++;
  let tail = 0;
  while (tail < shorter - head && left[left.length - 1 - tail] === right[right.length - 1 - tail]) tail++;
  return [head, tail];
}

/** Deeper places are not told apart. */
const mostKeys = 20;

function* places(at: readonly Value[], left: Value, right: Value): Generator<Place> {
  if (at.length >= mostKeys) {
    if (compare(left, right) !== 0) yield { at, left, right };
  } else if (isSet(left) && isSet(right)) {
    for (const member of left) if (!right.has(member)) yield { at, left: member, right: undefined };
    for (const member of right) if (!left.has(member)) yield { at, left: undefined, right: member };
  } else if (isArray(left) && isArray(right)) {
    for (let i = 0; i < Math.max(left.length, right.length); i++) yield* entry([...at, i], left[i], right[i]);
  } else if (isObject(left) && isObject(right)) {
    for (const key of objectKeys(left)) yield* entry([...at, key], lookup(left, key), lookup(right, key));
    for (const key of objectKeys(right)) {
      if (lookup(left, key) === undefined) yield { at: [...at, key], left: undefined, right: lookup(right, key) };
    }
  } else if (compare(left, right) !== 0) yield { at, left, right };
}

function* entry(at: readonly Value[], left: Value | undefined, right: Value | undefined): Generator<Place> {
  if (left !== undefined && right !== undefined) yield* places(at, left, right);
  else yield { at, left, right };
}

function keyText(explaining: Explaining, key: Value): string {
  return typeof key === 'string' && /^[A-Za-z_]\w*$/.test(key)
    ? `.${explaining.told(key)}`
    : `[${explaining.short(key)}]`;
}
