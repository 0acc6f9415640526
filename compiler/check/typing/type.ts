/**
 * Types of terms. `undefined` in the place of a type means that nothing is known of it, which is
 * less than `any`, a type that is known to admit every value.
 */

import type { Value } from '../../../values/index.js';

/** How much work it is to go through a type. */
interface Measured {
  /** Types in it, one that is there several times counted as often. */
  readonly size: number;
  readonly depth: number;
  /** Something in it is not known. */
  readonly unknown: boolean;
}

interface ScalarType extends Measured {
  readonly kind: 'null' | 'boolean' | 'number' | 'string';
}

/** Elements with types of their own, and the type of those after them, if there may be more. */
export interface ArrayType extends Measured {
  readonly kind: 'array';
  readonly fixed: readonly (Type | undefined)[];
  readonly rest: Type | undefined;
}

/** Properties by key, in the order of the keys, and the type of others, if there may be any. */
export interface ObjectType extends Measured {
  readonly kind: 'object';
  readonly fixed: readonly Property[];
  readonly rest: Properties | undefined;
  /**
   * From a definition of a JSON Schema, so that the same object may be in a type in many places,
   * and in itself.
   */
  readonly named: boolean;
}

/** The key is a JSON value; most keys are strings. */
export interface Property {
  readonly key: Value;
  readonly type: Type | undefined;
  /** Whether it may be absent, where a schema tells: see `admitted-type.ts`. */
  readonly optional?: boolean;
}

export interface Properties {
  readonly key: Type | undefined;
  readonly value: Type | undefined;
}

interface SetType extends Measured {
  readonly kind: 'set';
  readonly of: Type | undefined;
}

/** One of some types, in order; one of all types where there are none. */
export interface AnyType extends Measured {
  readonly kind: 'any';
  readonly of: readonly Type[];
}

export interface FunctionType extends Measured {
  readonly kind: 'function';
  readonly args: readonly (Type | undefined)[];
  readonly result: Type | undefined;
  /** The type of more operands, of any number. */
  readonly variadic: Type | undefined;
  /** Names of a built-in's operands and of its result; empty for functions of policies. */
  readonly names: readonly string[];
}

export type Type = ScalarType | ArrayType | ObjectType | SetType | AnyType | FunctionType;

const scalar = { size: 1, depth: 1, unknown: false } as const;

export const typeOfNull: ScalarType = { kind: 'null', ...scalar };
export const booleanType: ScalarType = { kind: 'boolean', ...scalar };
export const numberType: ScalarType = { kind: 'number', ...scalar };
export const stringType: ScalarType = { kind: 'string', ...scalar };
export const anything: AnyType = { kind: 'any', of: [], ...scalar };

const maxSize = 200_000;
const maxDepth = 500;

/**
 * The type, or `any` instead of one that has grown too large: twenty lines of `x2 := [x1, x1]` make
 * a million parts.
 */
export function bounded(type: Type): Type {
  return isLarge(type) ? anything : type;
}

export function isLarge({ size, depth }: Type): boolean {
  return size > maxSize || depth > maxDepth;
}

function measure(
  parts: readonly (Type | undefined)[],
  more: readonly (Type | undefined)[],
): { size: number; depth: number; unknown: boolean } {
  const measures = { size: 1, depth: 1, unknown: false };
  for (let i = 0; i < parts.length; i++) add(measures, parts[i]);
  for (let i = 0; i < more.length; i++) add(measures, more[i]);
  return measures;
}

function add(measures: { size: number; depth: number; unknown: boolean }, part: Type | undefined): void {
  if (part === undefined) {
    measures.unknown = true;
    return;
  }
  measures.size += part.size;
  if (part.depth >= measures.depth) measures.depth = part.depth + 1;
  if (part.unknown) measures.unknown = true;
}

const none: readonly Type[] = [];

export function isAnything(type: Type | undefined): boolean {
  return type !== undefined && type.kind === 'any' && type.of.length === 0;
}

/** Whether a type, or a part of it, is not known. */
export function isUnknown(type: Type | undefined): boolean {
  return type === undefined || type.unknown;
}

export function arrayType(fixed: readonly (Type | undefined)[], rest: Type | undefined): ArrayType {
  return { kind: 'array', fixed, rest, ...measure(fixed, rest ? [rest] : none) };
}

/**
 * The types of `[]`, `{}` and `set()`: that there are no elements is known. An object for which a
 * schema allows no properties looks the same and is none of these.
 */
export const emptyArray: ArrayType = arrayType([], undefined);
export const emptyObject: ObjectType = objectType([], undefined);
export const emptySet: SetType = { kind: 'set', of: undefined, ...scalar };

export function setType(of: Type | undefined): SetType {
  return { kind: 'set', of, ...measure([of], none) };
}

/** `fixed` is in the order of its keys, each of them once (see `sortProperties`). */
export function objectType(fixed: readonly Property[], rest: Properties | undefined): ObjectType {
  const types = fixed.map(({ type }) => type);
  return { kind: 'object', fixed, rest, named: false, ...measure(types, rest ? [rest.key, rest.value] : none) };
}

/**
 * `of` is in the order of types, each of them once. A union of types of which something is not
 * known counts as known.
 */
export function unionType(of: readonly Type[]): AnyType {
  return { kind: 'any', of, ...measure(of, none), unknown: false };
}

export function functionType(
  args: readonly (Type | undefined)[],
  result: Type | undefined,
  variadic?: Type,
  names: readonly string[] = [],
): FunctionType {
  return { kind: 'function', args, result, variadic, names, ...measure(args, [result]) };
}

/**
 * The type of an operand: of one past the last, that of the variadic ones. A result counts as one
 * more operand.
 */
export function operandType({ args, result, variadic }: FunctionType, at: number): Type | undefined {
  if (at < args.length) return args[at];
  return at === args.length && result !== undefined ? result : variadic;
}

/**
 * Whether the values of a type are known to have no elements: those of literals such as `{}`, and
 * unions of them.
 */
export function isEmpty(type: Type | undefined): boolean {
  if (type?.kind === 'any') return type.of.length > 0 && type.of.every(isEmpty);
  return type === emptyArray || type === emptyObject || type === emptySet;
}

/** The type of a collection of the same kind that may have any elements. */
export function withElements(empty: Type): Type {
  switch (empty.kind) {
    case 'array':
      return arrayType([], anything);
    case 'set':
      return setType(anything);
    case 'object':
      return objectType([], emptyProperties);
    default:
      return anything;
  }
}

/** The properties of an object of which nothing is known. */
export const emptyProperties: Properties = { key: anything, value: anything };
