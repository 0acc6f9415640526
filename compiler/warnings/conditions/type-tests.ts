/** Tests that all values of a type pass. */

import type { TypeName, Value } from '../../../values/index.js';
import type { Type } from '../../check/typing/type.js';
import type { ValueTest } from './value-tests.js';

/** The types in their order: each value of one is less than each of the next. */
const order: readonly TypeName[] = ['null', 'boolean', 'number', 'string', 'array', 'object', 'set'];

/** The least values of types, as far as there is one; the greatest of the type before is less. */
const least: Readonly<Partial<Record<TypeName, Value>>> = {
  null: null,
  boolean: false,
  string: '',
  array: [],
  object: {},
};

/** None where a value of the type may be of any type. */
export function testsOfType(type: Type | undefined): readonly ValueTest[] {
  const types = typeNames(type);
  if (types === undefined || types.length === 0) return [];
  const tests: ValueTest[] = [{ op: 'type', types }];
  const [first, last] = [
    order.findIndex((name) => types.includes(name)),
    order.findLastIndex((name) => types.includes(name)),
  ];
  const lower = least[order[first]!];
  if (lower !== undefined) tests.push({ op: 'gte', value: lower });
  else if (order[first] === 'number') tests.push({ op: 'gt', value: true });
  const next = order[last + 1];
  const upper = next && least[next];
  if (upper !== undefined) tests.push({ op: 'lt', value: upper });
  else if (next === 'number') tests.push({ op: 'lte', value: true });
  return tests;
}

function typeNames(type: Type | undefined): readonly TypeName[] | undefined {
  if (type === undefined || type.kind === 'function') return undefined;
  if (type.kind !== 'any') return [type.kind];
  if (type.of.length === 0) return undefined;
  const parts = type.of.map(typeNames);
  return parts.every((part) => part !== undefined) ? parts.flat() : undefined;
}
