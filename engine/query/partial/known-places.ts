/** Places of the input that are known but for something inside. */

import { isLiteral, type Term } from '../../../compiler/index.js';
import { isArray, isObject, lookup, type Value } from '../../../values/index.js';
import { elementKeys } from '../refs/elements.js';
import type { PartialSearch } from './partial-search.js';
import { extended } from './residual/extended.js';
import { type KnownPlace, Open, type Symbolic, symbolicTerm, termOfSymbolic } from './symbolic.js';

/** The input where a ref starts; undefined where it is unknown, or modifiers may replace it. */
export function knownInput({ machine, context, first, unknowns }: PartialSearch, head: Term): Open | undefined {
  const value = first.input;
  const isAsGiven = machine.environment === first && context.modifiers.length === 0;
  if (!isAsGiven || !isCollection(value) || unknowns.contains([head])) return undefined;
  return new Open(head, { path: [head], value, isElement: false });
}

interface Inside {
  /** Undefined where there is nothing at the key. */
  readonly value: Symbolic | undefined;
}

/** The value at a key; undefined where all of it is unknown, or may be missing. */
export function inside(
  { unknowns }: PartialSearch,
  { term, place }: Open,
  key: Value,
  isFound = false,
): Inside | undefined {
  if (place === undefined) return undefined;
  const path = [...place.path, termOfSymbolic(key)];
  const value = lookup(place.value, key);
  if (!unknowns.includes(path)) return { value };
  if (unknowns.contains(path) || !isCollection(value)) return undefined;
  return {
    value: new Open(extended(term, [termOfSymbolic(key)]), { path, value, isElement: isFound || place.isElement }),
  };
}

/** The keys of a place; undefined where unknowns may add some, or are elements themselves. */
export function keysOfPlace({ unknowns }: PartialSearch, { path, value }: KnownPlace): readonly Value[] | undefined {
  const isInElement = (unknown: readonly Term[]): boolean => {
    const key = unknown[path.length];
    if (unknown.length <= path.length + 1 || key === undefined || !isLiteral(key)) return false;
    return isCollection(lookup(value, symbolicTerm(key) as Value));
  };
  return unknowns.meeting(path).every(isInElement) ? elementKeys(value) : undefined;
}

/** An array or an object: the members of a set have no places. */
function isCollection(value: Value | undefined): value is Value {
  return value !== undefined && (isArray(value) || isObject(value));
}
