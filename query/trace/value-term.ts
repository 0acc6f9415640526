/** Values as the terms that stand for them. */

import type { Term } from '../../compiler/ast/nodes.js';
import type { Span } from '../../compiler/source/location.js';
import { sortedEntries, sortedMembers } from '../../runtime/values/compare.js';
import { numberText } from '../../runtime/values/numbers/number.js';
import { isArray, isNumber, isObject, isSet, type Value } from '../../runtime/values/value.js';

export function termOfValue(value: Value, loc: Span): Term {
  if (value === null) return { type: 'null', loc };
  if (typeof value === 'boolean') return { type: 'boolean', loc, value };
  if (typeof value === 'string') return { type: 'string', loc, value };
  if (isNumber(value)) return { type: 'number', loc, text: numberText(value) };
  if (isArray(value)) return { type: 'array', loc, items: value.map((item) => termOfValue(item, loc)) };
  if (isSet(value)) return { type: 'set', loc, items: sortedMembers(value).map((item) => termOfValue(item, loc)) };
  if (!isObject(value)) throw new Error('no value of the language');
  const entries = [...sortedEntries(value)].map(([key, inner]) => ({ key: termOfValue(key, loc), value: termOfValue(inner, loc) }));
  return { type: 'object', loc, entries };
}
