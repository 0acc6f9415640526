/**
 * Types of terms. `undefined` in the place of a type means that nothing is known of it, which is less than `any`: what is known of something may be any type.
 */

import type { Value } from '../../../runtime/values/value.js';

export interface ScalarType {
  readonly kind: 'null' | 'boolean' | 'number' | 'string';
}

/** Elements with types of their own, and the type of those after them, if there may be more. */
export interface ArrayType {
  readonly kind: 'array';
  readonly fixed: readonly (Type | undefined)[];
  readonly rest: Type | undefined;
  readonly unknown: boolean;
}

/** Properties by key, in the order of the keys, and the type of others, if there may be any. */
export interface ObjectType {
  readonly kind: 'object';
  readonly fixed: readonly Property[];
  readonly rest: Properties | undefined;
  readonly unknown: boolean;
  /** It is a part of itself (from a JSON Schema that refers to itself). */
  readonly recursive: boolean;
}

/** The key is a JSON value; most keys are strings. */
export interface Property {
  readonly key: Value;
  readonly type: Type | undefined;
}

export interface Properties {
  readonly key: Type | undefined;
  readonly value: Type | undefined;
}

export interface SetType {
  readonly kind: 'set';
  readonly of: Type | undefined;
  readonly unknown: boolean;
}

/** One of some types, in order; one of all types where there are none. */
export interface AnyType {
  readonly kind: 'any';
  readonly of: readonly Type[];
}

export interface FunctionType {
  readonly kind: 'function';
  readonly args: readonly (Type | undefined)[];
  readonly result: Type | undefined;
  /** The type of more operands, of any number. */
  readonly variadic: Type | undefined;
  /** What a built-in's operands are called; empty for functions of policies. */
  readonly names: readonly string[];
  readonly unknown: boolean;
}

export type Type = ScalarType | ArrayType | ObjectType | SetType | AnyType | FunctionType;

export const nullType: ScalarType = { kind: 'null' };
export const booleanType: ScalarType = { kind: 'boolean' };
export const numberType: ScalarType = { kind: 'number' };
export const stringType: ScalarType = { kind: 'string' };
export const anything: AnyType = { kind: 'any', of: [] };

export function isAnything(type: Type | undefined): boolean {
  return type !== undefined && type.kind === 'any' && type.of.length === 0;
}

/** Whether a type, or a part of it, is not known. */
export function isUnknown(type: Type | undefined): boolean {
  return type === undefined || ('unknown' in type && type.unknown);
}

export function arrayType(fixed: readonly (Type | undefined)[], rest: Type | undefined): ArrayType {
  return { kind: 'array', fixed, rest, unknown: fixed.some(isUnknown) || (rest !== undefined && isUnknown(rest)) };
}

export function setType(of: Type | undefined): SetType {
  return { kind: 'set', of, unknown: isUnknown(of) };
}

/** `fixed` is in the order of its keys, each of them once (see `sortProperties`). */
export function objectType(fixed: readonly Property[], rest: Properties | undefined): ObjectType {
  const unknown = fixed.some(({ type }) => isUnknown(type)) || (rest !== undefined && (isUnknown(rest.key) || isUnknown(rest.value)));
  return { kind: 'object', fixed, rest, unknown, recursive: false };
}

export function functionType(
  args: readonly (Type | undefined)[],
  result: Type | undefined,
  variadic?: Type,
  names: readonly string[] = [],
): FunctionType {
  return { kind: 'function', args, result, variadic, names, unknown: args.some(isUnknown) || isUnknown(result) };
}

/** The type of an operand: of one past the last, that of the variadic ones. A result counts as one more operand. */
export function operandType({ args, result, variadic }: FunctionType, at: number): Type | undefined {
  if (at < args.length) return args[at];
  return at === args.length && result !== undefined ? result : variadic;
}

export const emptyProperties: Properties = { key: anything, value: anything };
