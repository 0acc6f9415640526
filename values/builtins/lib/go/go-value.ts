/**
 * Values as Go's `fmt` and `text/template` see them. A value of the language is treated as its
 * decoded JSON: a number as a `json.Number` (a named string type), an array as a slice, an object
 * as a map. Go's own numbers have classes here.
 */
import { sortedMembers } from '../../../compare.js';
import { jsonEntries } from '../../../json/json.js';
import { ExactNumber, type NumberValue, numberText } from '../../../numbers/number.js';
import { RegoSet } from '../../../set.js';
import { isObject, type ObjectValue, type Value } from '../../../value.js';

export class GoInt {
  readonly value: bigint;
  readonly type: 'int' | 'int64';

  constructor(value: bigint, type: 'int' | 'int64') {
    this.value = value;
    this.type = type;
  }
}

export class GoFloat {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** A `*big.Int`. */
export class GoBigInt {
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}

export type GoValue = Value | GoInt | GoFloat | GoBigInt;

function isJsonNumber(value: GoValue): value is NumberValue {
  return typeof value === 'number' || value instanceof ExactNumber;
}

/** Text of a string or of a `json.Number`, undefined for anything else. */
export function stringOf(value: GoValue): string | undefined {
  if (typeof value === 'string') return value;
  return isJsonNumber(value) ? numberText(value) : undefined;
}

/** The elements of an array or a set. */
export function sliceOf(value: GoValue): readonly Value[] | undefined {
  if (Array.isArray(value)) return value;
  return value instanceof RegoSet ? sortedMembers(value) : undefined;
}

export function isMap(value: GoValue): value is ObjectValue {
  if (value instanceof GoInt || value instanceof GoFloat || value instanceof GoBigInt) return false;
  return isObject(value);
}

/** Keys and values of a map, sorted by key. */
export function goMapEntries(map: ObjectValue): IterableIterator<[string, Value]> {
  return jsonEntries(map);
}

/** The name of a value's type in Go. */
export function goType(value: GoValue): string {
  if (value === null) return '<nil>';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (isJsonNumber(value)) return 'json.Number';
  if (value instanceof GoInt) return value.type;
  if (value instanceof GoFloat) return 'float64';
  if (value instanceof GoBigInt) return '*big.Int';
  return sliceOf(value) === undefined ? 'map[string]interface {}' : '[]interface {}';
}
