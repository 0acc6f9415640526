import { isOwn } from './equal.js';
import { Composite } from './hash.js';
import { ExactNumber, numberKey } from './numbers/number.js';
import type { Value } from './value.js';
import { countWork } from './work.js';

/** The number of elements of an array, and about that of characters of a string, which are read. */
const maxRead = 16;

/**
 * An integer of 32 bits that is the same for equal values, and may be the same for others. It takes
 * a fraction of the time of a text of the whole value (`hash.ts`).
 * @param levels composite values this deep inside of the value all have the same number
 */
export function roughHash(value: Value, levels: number): number {
  if (typeof value === 'string') return hashText(value);
  if (typeof value === 'number') return mixed(value ^ ((value % 1) * 0x7fffffff));
  if (typeof value !== 'object' || value === null) return Number(value);
  if (value instanceof ExactNumber) return roughHash(numberKey(value), 0);
  let hash = 0;
  if (levels === 0) return hash;
  if (value instanceof Composite) return value.roughHash(levels - 1);
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && i < maxRead; i++) hash = Math.imul(hash, 31) + roughHash(value[i]!, levels - 1);
    return (hash + value.length) | 0;
  }
  for (const key in value) {
    if (!isOwn.call(value, key)) continue;
    countWork();
    hash += roughHash((value as { readonly [key: string]: Value })[key]!, levels - 1);
  }
  return hash | 0;
}

/** Reads the characters of a short string, and some of a long one. */
function hashText(text: string): number {
  const step = Math.ceil(text.length / maxRead);
  let hash = text.length;
  for (let i = text.length - 1; i >= 0; i -= step) hash = Math.imul(hash, 31) + text.charCodeAt(i);
  return mixed(hash);
}

/** Spreads numbers that are close, so that sums of them differ, too: those of objects are sums. */
function mixed(hash: number): number {
  const spread = Math.imul(hash ^ (hash >>> 16), 0x9e3779b1);
  const other = Math.imul(spread ^ (spread >>> 15), 0x2c1b3c6d);
  return other ^ (other >>> 14);
}
