/** Whether texts start or end with any of some texts. */

import { countSort } from '../../../compare.js';
import { countWhile } from '../../../sorting/binary-search.js';
import { countWork } from '../../../work.js';
import { reverse } from './cut.js';
import { unitsPerPart } from './text-units.js';

export function anyPrefixMatch(texts: readonly string[], prefixes: readonly string[]): boolean {
  return anyStartsWithAny(texts, prefixes, false);
}

export function anySuffixMatch(texts: readonly string[], suffixes: readonly string[]): boolean {
  return anyStartsWithAny(texts, suffixes, true);
}

const fewPairs = 256;

/** Units for finding a text in a sorted list. */
const unitsPerSearch = 30;

function anyStartsWithAny(texts: readonly string[], parts: readonly string[], atEnd: boolean): boolean {
  countWork(texts.length * unitsPerPart + parts.length * unitsPerSearch);
  if (texts.length * parts.length <= fewPairs) {
    return texts.some((text) => parts.some((part) => (atEnd ? text.endsWith(part) : text.startsWith(part))));
  }
  const sorted = sortedTexts(texts, atEnd);
  return parts.some((part) => {
    const prefix = atEnd ? reverse(part) : part;
    return sorted[lowerBound(sorted, prefix)]?.startsWith(prefix) === true;
  });
}

// Documents are immutable, and policies search the same long list many times.
const sortedForward = new WeakMap<readonly string[], readonly string[]>();

const sortedBackward = new WeakMap<readonly string[], readonly string[]>();

/**
 * Texts in the order of code units, so that the texts which start with a text follow it. For
 * suffixes they are reversed.
 */
function sortedTexts(texts: readonly string[], reversed: boolean): readonly string[] {
  const known = reversed ? sortedBackward : sortedForward;
  let sorted = known.get(texts);
  if (sorted === undefined) countSort(texts.length);
  if (sorted === undefined) known.set(texts, (sorted = (reversed ? texts.map(reverse) : [...texts]).sort()));
  return sorted;
}

/** The index of the first text that does not sort before `wanted`. */
function lowerBound(sorted: readonly string[], wanted: string): number {
  return countWhile(sorted, (text) => text < wanted);
}
