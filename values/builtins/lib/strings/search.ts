/** Texts found in texts. Positions count characters (code points). */
import { checkElements } from '../../../memory.js';
import { codePoints } from '../../../text/code-points.js';
import { countText, countWork } from '../../../work.js';
import { BuiltinError } from '../../builtin-errors.js';
import { finderOf } from '../go/find-part.js';
import { block } from './text-units.js';

export function containsText(haystack: string, needle: string): boolean {
  return haystack.length <= block ? haystack.includes(needle) : needle === '' || finderOf(needle)(haystack, 0) >= 0;
}

export function indexOf(haystack: string, needle: string): number {
  if (needle === '') throw new BuiltinError('empty search character');
  const at = haystack.length <= block ? haystack.indexOf(needle) : finderOf(needle)(haystack, 0);
  countText(at);
  return at <= 0 ? at : codePoints(haystack.slice(0, at));
}

/** Matches may overlap. */
export function allIndexesOf(haystack: string, needle: string): number[] {
  if (needle === '') throw new BuiltinError('empty search character');
  const found: number[] = [];
  let counted = 0;
  let position = 0;
  const find = finderOf(needle);
  for (let at = find(haystack, 0); at >= 0; at = find(haystack, at + 1)) {
    countWork(1 + ((at - counted) >> 3));
    checkElements(found.length + 1);
    position += codePoints(haystack, counted, at);
    counted = at;
    found.push(position);
  }
  return found;
}

/** Matches do not overlap; an empty string is found around every character. */
export function countMatches(text: string, part: string): number {
  if (part === '') {
    countText(text.length);
    return codePoints(text) + 1;
  }
  let found = 0;
  const find = finderOf(part);
  for (let at = find(text, 0); at >= 0; at = find(text, at + part.length)) {
    countWork();
    found++;
  }
  return found;
}
