/** Parts of texts. Positions count characters (code points). */

import { checkElements } from '../../../memory.js';
import { countWork } from '../../../work.js';
import { BuiltinError } from '../../builtin-errors.js';
import { charactersOf, splitAt } from '../go/find-part.js';
import { block, surrogate, unitsPerPart } from './text-units.js';

/** A negative length reaches to the end. */
export function substring(value: string, start: number, size: number): string {
  if (start < 0) throw new BuiltinError('negative offset');
  if (!surrogate.test(value)) return size < 0 ? value.slice(start) : value.slice(start, start + size);
  const from = unitAt(value, 0, start);
  return value.slice(from, size < 0 ? undefined : unitAt(value, from, size));
}

/** The end of a number of characters after a position. */
function unitAt(text: string, from: number, characters: number): number {
  let at = from;
  for (let i = 0; i < characters && at < text.length; i++) {
    if (i % block === block - 1) countWork(block);
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  }
  return at;
}

/** An empty delimiter splits into characters. */
export function splitByDelimiter(text: string, delimiter: string): readonly string[] {
  if (delimiter !== '') return splitAt(text, delimiter);
  if (surrogate.test(text)) return charactersOf(text);
  countWork(text.length * 2);
  checkElements(text.length);
  return text.split('');
}

/** The first `n` parts, or the last ones where `n` is negative. */
export function splitN(text: string, delimiter: string, n: number): readonly string[] {
  const parts = splitByDelimiter(text, delimiter);
  return n >= 0 ? parts.slice(0, n) : parts.slice(Math.max(parts.length + n, 0));
}

/** Block by block, since a list of all characters takes far more memory than the text. */
export function reverse(text: string): string {
  if (text.length <= block) return Array.from(text).reverse().join('');
  const blocks: string[] = [];
  for (let end = text.length; end > 0; ) {
    let start = Math.max(end - block, 0);
    if (start > 0 && characterBefore(text, start + 1).length === 2) start--;
    countWork((end - start) * unitsPerPart);
    blocks.push(Array.from(text.slice(start, end)).reverse().join(''));
    end = start;
  }
  return blocks.join('');
}

export function characterBefore(text: string, end: number): string {
  const isPair = (text.charCodeAt(end - 1) & 0xfc00) === 0xdc00 && end > 1 && (text.codePointAt(end - 2) ?? 0) > 0xffff;
  return text.slice(isPair ? end - 2 : end - 1, end);
}
