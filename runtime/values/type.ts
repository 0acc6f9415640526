/** Type descriptors in the format of the capabilities file. */
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

export const nullType: Type = { type: 'null' };
export const boolean: Type = { type: 'boolean' };
export const number: Type = { type: 'number' };
export const string: Type = { type: 'string' };
export const any: Type = { type: 'any' };

/** A union of types. */
export function anyOf(...of: readonly Type[]): Type {
  return { type: 'any', of };
}

/** An array of any length with elements of one type. */
export function array(dynamic: Type = any): Type {
  return { type: 'array', dynamic };
}

/** An array of a fixed length. */
export function tuple(...elements: readonly Type[]): Type {
  return { type: 'array', static: elements };
}

/** A set with members of one type. */
export function set(of: Type = any): Type {
  return { type: 'set', of };
}

/** An object with keys of one type and values of one type. */
export function object(key: Type = any, value: Type = any): Type {
  return { type: 'object', dynamic: { key, value } };
}
