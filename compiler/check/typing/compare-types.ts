/** The order of types: it sorts the types of a union and finds equal ones. */

import { compare } from '../../../values/index.js';
import type { ObjectType, Property, Type } from './type.js';

const ranks: Readonly<Record<Type['kind'], number>> = {
  null: 0,
  boolean: 1,
  number: 2,
  string: 3,
  array: 4,
  object: 5,
  set: 6,
  any: 7,
  function: 8,
};

/** Negative, zero or positive; unknown types come first. */
export function compareTypes(a: Type | undefined, b: Type | undefined): number {
  return compareParts(a, b, undefined);
}

/** Pairs of named objects that have been met: those are equal unless something else differs. */
type Met = Map<ObjectType, Set<ObjectType>>;

function compareParts(a: Type | undefined, b: Type | undefined, met: Met | undefined): number {
  if (a === b) return 0;
  if (a === undefined) return -1;
  if (b === undefined) return 1;
  if (a.kind !== b.kind) return ranks[a.kind] - ranks[b.kind];
  switch (a.kind) {
    case 'array': {
      const other = b as typeof a;
      return (
        presence(a.rest, other.rest) || compareParts(a.rest, other.rest, met) || compareLists(a.fixed, other.fixed, met)
      );
    }
    case 'object':
      return compareObjects(a, b as typeof a, met);
    case 'set':
      return Number(a.unknown) - Number(b.unknown) || compareParts(a.of, (b as typeof a).of, met);
    case 'any':
      return compareLists(a.of, (b as typeof a).of, met);
    case 'function': {
      const other = b as typeof a;
      return (
        a.args.length - other.args.length ||
        compareLists(a.args, other.args, met) ||
        compareParts(a.result, other.result, met) ||
        compareParts(a.variadic, other.variadic, met)
      );
    }
    default:
      return 0;
  }
}

function presence(a: object | undefined, b: object | undefined): number {
  return Number(a !== undefined) - Number(b !== undefined);
}

function compareObjects(a: ObjectType, b: ObjectType, met: Met | undefined): number {
  if (a.named && b.named) {
    met ??= new Map();
    if (isMet(a, b, met)) return 0;
  }
  const order =
    presence(a.rest, b.rest) ||
    compareParts(a.rest?.key, b.rest?.key, met) ||
    compareParts(a.rest?.value, b.rest?.value, met);
  return order || compareProperties(a.fixed, b.fixed, met);
}

/** Whether a pair has been met before; it has then. */
export function isMet(a: ObjectType, b: ObjectType, met: Met): boolean {
  const others = met.get(a);
  if (others?.has(b)) return true;
  if (others) others.add(b);
  else met.set(a, new Set([b]));
  return false;
}

function compareProperties(a: readonly Property[], b: readonly Property[], met: Met | undefined): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const order =
      compare(a[i]!.key, b[i]!.key) ||
      Number(a[i]!.optional ?? false) - Number(b[i]!.optional ?? false) ||
      compareParts(a[i]!.type, b[i]!.type, met);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareLists(
  a: readonly (Type | undefined)[],
  b: readonly (Type | undefined)[],
  met: Met | undefined,
): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const order = compareParts(a[i], b[i], met);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Properties in the order of their keys; of equal keys the last one counts. */
export function sortProperties(properties: Property[]): readonly Property[] {
  let sorted = true;
  for (let i = 1; i < properties.length && sorted; i++)
    sorted = compare(properties[i - 1]!.key, properties[i]!.key) < 0;
  if (sorted) return properties;
  properties.sort((a, b) => compare(a.key, b.key));
  return properties.filter(({ key }, i) => i === properties.length - 1 || compare(key, properties[i + 1]!.key) !== 0);
}
