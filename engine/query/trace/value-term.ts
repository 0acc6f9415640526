/** Values as the terms that stand for them. */

import type { Span, Term } from '../../../compiler/index.js';
import type { Value } from '../../../values/index.js';
import { isArray, isNumber, isObject, isSet, numberText, sortedEntries, sortedMembers } from '../../../values/index.js';

/**
 * @param known the terms of collections: a part of several values is made once
 */
export function termOfValue(value: Value, loc: Span, known: Map<Value, Term>): Term {
  if (value === null) return { type: 'null', loc };
  if (typeof value === 'boolean') return { type: 'boolean', loc, value };
  if (typeof value === 'string') return { type: 'string', loc, value };
  if (isNumber(value)) return { type: 'number', loc, text: numberText(value) };
  let term = known.get(value);
  if (term === undefined) known.set(value, (term = collectionOf(value, (part) => termOfValue(part, loc, known), loc)));
  return term;
}

function collectionOf(value: Value, termOf: (part: Value) => Term, loc: Span): Term {
  if (isArray(value)) return { type: 'array', loc, items: value.map(termOf) };
  if (isSet(value)) return { type: 'set', loc, items: sortedMembers(value).map(termOf) };
  if (!isObject(value)) throw new Error('no value of the language');
  const entries = [...sortedEntries(value)].map(([key, inner]) => ({ key: termOf(key), value: termOf(inner) }));
  return { type: 'object', loc, entries };
}
