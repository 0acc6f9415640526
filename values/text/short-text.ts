/** Values in Rego's notation, cut to a size: only the shown parts are visited. */

import { sortedEntries, sortedMembers } from '../compare.js';
import { isArray, isObject, isSet, type ObjectValue, type Value } from '../value.js';
import { termText } from './term-text.js';

/** The text of a value, or more than `size` characters of its beginning. */
export function beginOfText(value: Value, size: number): string {
  if (typeof value === 'string') return termText(value.length > size ? value.slice(0, size + 1) : value);
  if (isArray(value)) return joined('[', value.values(), ']', size);
  if (isSet(value)) return value.size === 0 ? termText(value) : joined('{', sortedMembers(value).values(), '}', size);
  return isObject(value) ? objectText(value, size) : termText(value);
}

/** The text of a value, cut to `size` characters and `…` if it is longer. */
export function shortText(value: Value, size: number): string {
  const text = beginOfText(value, size);
  return text.length > size ? `${cutText(text, size)}…` : text;
}

function joined(open: string, parts: Iterable<Value>, close: string, size: number): string {
  let text = open;
  for (const part of parts) {
    if (text.length > size) return text;
    text += `${text === open ? '' : ', '}${beginOfText(part, size - text.length)}`;
  }
  return text + close;
}

function objectText(value: ObjectValue, size: number): string {
  let text = '{';
  for (const [key, part] of sortedEntries(value)) {
    if (text.length > size) return text;
    text += `${text === '{' ? '' : ', '}${beginOfText(key, size - text.length)}: `;
    text += beginOfText(part, Math.max(0, size - text.length));
  }
  return `${text}}`;
}

/** Does not split a character of two units. */
export function cutText(text: string, size: number): string {
  const end = (text.charCodeAt(size - 1) & 0xfc00) === 0xd800 ? size - 1 : size;
  return text.slice(0, end);
}
