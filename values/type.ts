/** Type descriptors in the format of the capabilities file. */
import type { NumberValue } from './numbers/number.js';
import type { RegoSet } from './set.js';
import type { ArrayValue, ObjectValue, Value } from './value.js';

export type Type =
  | { readonly type: 'null' | 'boolean' | 'number' | 'string' }
  | { readonly type: 'any'; readonly of?: readonly Type[] }
  | { readonly type: 'array'; readonly static?: readonly Type[]; readonly dynamic?: Type }
  | { readonly type: 'set'; readonly of: Type }
  | { readonly type: 'object'; readonly static?: readonly StaticProperty[]; readonly dynamic?: DynamicProperty }
  | { readonly type: 'function'; readonly args?: readonly Type[]; readonly result?: Type; readonly variadic?: Type };

interface StaticProperty {
  readonly key: string | number | boolean | null;
  readonly value: Type;
}

interface DynamicProperty {
  readonly key: Type;
  readonly value: Type;
}

/** Never set: it only adds a TypeScript type to the type of a descriptor. */
declare const described: unique symbol;

/** A descriptor, with the TypeScript type of the values that it describes. */
export type TypeOf<V> = Type & { readonly [described]?: V };

/**
 * The TypeScript type of an operand after the check of its declared type. The check covers an
 * array's elements, but not their elements: `array(array(string))` accepts arrays of any arrays.
 */
export type CheckedValue<V> = V extends readonly unknown[] ? CheckedArray<V> : V;

type CheckedArray<V extends readonly unknown[]> = number extends V['length']
  ? readonly CheckedElement<V[number]>[]
  : ArrayValue;
type CheckedElement<V> = V extends readonly unknown[] ? ArrayValue : V;

export const nullType: TypeOf<null> = { type: 'null' };
export const boolean: TypeOf<boolean> = { type: 'boolean' };
export const number: TypeOf<NumberValue> = { type: 'number' };
export const string: TypeOf<string> = { type: 'string' };
export const any: TypeOf<Value> = { type: 'any' };

/**
 * A result declared as the reference declares it, where the reference's own values are not all of
 * that type: `V` is their type.
 */
export function answering<V = never>(type: Type): TypeOf<V> {
  return type;
}

/** A union of types. */
export function anyOf<const V extends readonly unknown[]>(
  ...of: { readonly [i in keyof V]: TypeOf<V[i]> }
): TypeOf<V[number]> {
  return { type: 'any', of: of as unknown as readonly Type[] };
}

/** An array of any length with elements of one type. */
export function array<V = Value>(dynamic: TypeOf<V> = any as TypeOf<V>): TypeOf<readonly V[]> {
  return { type: 'array', dynamic };
}

/** An array of a fixed length. */
export function tuple<const V extends readonly unknown[]>(
  ...elements: { readonly [i in keyof V]: TypeOf<V[i]> }
): TypeOf<V> {
  return { type: 'array', static: elements as unknown as readonly Type[] };
}

/** A set with members of one type. */
export function set(of: Type = any): TypeOf<RegoSet> {
  return { type: 'set', of };
}

/** An object with keys of one type and values of one type. */
export function object(key: Type = any, value: Type = any): TypeOf<ObjectValue> {
  return { type: 'object', dynamic: { key, value } };
}

/** An object with known keys and, where `dynamic` says so, others. */
export function record(properties: { readonly [key: string]: Type }, dynamic?: DynamicProperty): TypeOf<ObjectValue> {
  const known = Object.entries(properties).map(([key, value]) => ({ key, value }));
  return { type: 'object', static: known, ...(dynamic && { dynamic }) };
}
