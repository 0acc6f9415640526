/** Members of values: the elements of a range, and fields by name. */
import { objectGet, objectSize } from '../../../compare.js';
import type { ObjectValue } from '../../../value.js';
import type { BuiltinError } from '../../builtin-errors.js';
import { goText } from '../go/format.js';
import { GoInt, type GoValue, goMapEntries, goType, isMap, sliceOf } from '../go/go-value.js';
import type { Maybe } from './template-functions.js';

export interface TemplateDot {
  readonly value: Maybe;
  /** How Go names its type in complaints. */
  readonly type: string;
}

/** The steps of a range: a key, an element and its type as Go names it. */
export function* templateElements(
  value: Maybe,
  failure: (message: string) => BuiltinError,
): IterableIterator<[GoValue, Maybe, string]> {
  if (value === undefined || value === null) return;
  if (value instanceof GoInt) {
    for (let i = 0n; i < value.value; i++) yield [new GoInt(i, 'int'), new GoInt(i, 'int'), 'int'];
    return;
  }
  const slice = sliceOf(value);
  if (slice !== undefined) {
    for (const [i, member] of slice.entries()) yield [new GoInt(BigInt(i), 'int'), member, 'interface {}'];
  } else if (isMap(value)) {
    for (const [key, member] of goMapEntries(value)) yield [key, member, 'interface {}'];
  } else throw failure(`range can't iterate over ${goText(value)}`);
}

export function fieldOf(map: ObjectValue, name: string): Maybe {
  const member = objectGet(map, name);
  if (member !== undefined || objectSize(map) === 0) return member;
  // A key that is no string has its JSON text for a name.
  if (Object.getPrototypeOf(map) === Object.prototype) return undefined;
  for (const [key, value] of goMapEntries(map)) if (key === name) return value;
  return undefined;
}

export function concrete(value: Maybe): TemplateDot {
  return { value, type: value === undefined || value === null ? 'interface {}' : goType(value) };
}
