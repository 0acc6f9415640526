/** Sets of characters as sorted ranges of code points that neither touch nor overlap. */

export type CharRange = readonly [number, number];
export type CharSet = readonly CharRange[];

const lastCodePoint = 0x10ffff;

export const digits: CharSet = [[0x30, 0x39]];
export const spaces: CharSet = [
  [9, 10],
  [12, 13],
  [32, 32],
];
export const words: CharSet = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];
export const anyCharacter: CharSet = [[0, lastCodePoint]];

/** The set of ranges that may be in any order. */
export function charSet(ranges: readonly CharRange[]): CharSet {
  const sorted = [...ranges].sort((a, b) => a[0] - b[0]);
  const merged: [number, number][] = [];
  for (const [low, high] of sorted) {
    const last = merged.at(-1);
    if (last !== undefined && low <= last[1] + 1) last[1] = Math.max(last[1], high);
    else merged.push([low, high]);
  }
  return merged;
}

export function complement(set: CharSet): CharSet {
  const ranges: CharRange[] = [];
  let next = 0;
  for (const [low, high] of set) {
    if (low > next) ranges.push([next, low - 1]);
    next = high + 1;
  }
  if (next <= lastCodePoint) ranges.push([next, lastCodePoint]);
  return ranges;
}

export function overlap(a: CharSet, b: CharSet): boolean {
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const [low, high] = a[i]!;
    const [otherLow, otherHigh] = b[j]!;
    if (low <= otherHigh && otherLow <= high) return true;
    if (high < otherHigh) i++;
    else j++;
  }
  return false;
}

/**
 * Adds the other case of ASCII letters, and the two letters beyond ASCII that fold to one (the
 * Kelvin sign, the long s).
 */
export function foldAscii(set: CharSet): CharSet {
  const ranges: CharRange[] = [...set];
  for (const [low, high] of set) {
    for (const [from, to, shift] of [
      [0x41, 0x5a, 32],
      [0x61, 0x7a, -32],
    ] as const) {
      const start = Math.max(low, from);
      const end = Math.min(high, to);
      if (start <= end) ranges.push([start + shift, end + shift]);
    }
  }
  const folded = charSet(ranges);
  const has = (code: number) => folded.some(([low, high]) => low <= code && code <= high);
  if (has(0x6b)) ranges.push([0x212a, 0x212a]);
  if (has(0x73)) ranges.push([0x17f, 0x17f]);
  return charSet(ranges);
}

/** Whether the set has only ASCII characters, or also all others. */
export function isAsciiOrComplement(set: CharSet): boolean {
  return set.every(([low, high]) => high < 0x80 || (high === lastCodePoint && low <= 0x80));
}
