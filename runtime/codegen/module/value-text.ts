/** Values as JavaScript expressions. */
import type { PlainObject, Value } from '../../../values/index.js';
import { ExactNumber, isArray, objectEntries, RegoObject, RegoSet } from '../../../values/index.js';

/** A string literal that may stand in a script of a page too. */
export function stringText(text: string): string {
  return JSON.stringify(text)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}

/**
 * The expression of a value. Documents are read by `JSON.parse`, which V8 does faster than reading
 * a literal; classes of the language are made by their constructors.
 */
export function valueText(value: Value): string {
  if (typeof value === 'string') return stringText(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (value instanceof ExactNumber) return `new ExactNumber(${stringText(value.text)})`;
  if (value instanceof RegoSet) return `new RegoSet(${listText([...value])})`;
  if (value instanceof RegoObject) {
    return `new RegoObject([${Array.from(objectEntries(value), listText).join()}])`;
  }
  if (isPlain(value)) return `JSON.parse(${stringText(JSON.stringify(value))})`;
  if (isArray(value)) return listText(value);
  return `{${Object.entries(value as PlainObject)
    .map(([key, inner]) => `[${stringText(key)}]:${valueText(inner)}`)
    .join()}}`;
}

function listText(values: readonly Value[]): string {
  return `[${values.map(valueText).join()}]`;
}

/** Whether a value has no number that JSON would lose, and nothing of our classes. */
function isPlain(value: Value): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (isArray(value)) return value.every(isPlain);
  if (value instanceof ExactNumber || value instanceof RegoSet || value instanceof RegoObject) return false;
  return Object.values(value as PlainObject).every(isPlain);
}
