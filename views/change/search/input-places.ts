/** Places of an input, and inputs with values at places. */

import { isArray, isPlainObject, type PlainObject, setOwn, type Value } from '../../../values/index.js';
import { type LensStep, readLens, writeLens } from './lenses.js';

/** Keys of objects, indexes of arrays, results of built-ins; null for any element. */
export type InputPlace = readonly InputStep[];
export type InputStep = string | number | null | LensStep;

/** A value that is not there. */
export const absent = Symbol('absent');
export type Wished = Value | typeof absent;

/** The most elements with which lists are filled, one by one. */
const mostElements = 64;
/** A list is made for an element up to this index. */
const lastIndex = 999;

export function placeKey(place: InputPlace): string {
  return JSON.stringify(place);
}

/** The value at a place; of any element the first. Undefined where there is none. */
export function valueAtPlace(root: Value | undefined, place: InputPlace): Value | undefined {
  let value = root;
  for (const step of place) {
    if (isLens(step)) {
      value = value === undefined ? undefined : readLens(step, value);
      if (value === undefined) return undefined;
      continue;
    }
    const key = keyIn(value, step);
    value = key === undefined ? undefined : (value as { readonly [key: string]: Value })[key];
    if (value === undefined) return undefined;
  }
  return value;
}

/**
 * A copy with a value at a place, whose containers are made; containers of another kind are
 * replaced. Undefined for an input that is absent itself.
 */
export function withValueAtPlace(root: Value | undefined, place: InputPlace, value: Wished): Value | undefined {
  const [step, ...rest] = place;
  if (step === undefined) return value === absent ? undefined : value;
  if (value === absent && root === undefined) return undefined;
  if (isLens(step)) {
    const inner = withValueAtPlace(root === undefined ? undefined : readLens(step, root), rest, value);
    return (inner === undefined ? undefined : writeLens(step, inner)) ?? root;
  }
  if (typeof step === 'string') return inObject(isPlainObject(root) ? root : {}, step, rest, value);
  if (step === null && isPlainObject(root)) {
    const [first = 'k'] = Object.keys(root);
    return inObject(root, first, rest, value);
  }
  const items = isArray(root as Value) ? [...(root as readonly Value[])] : [];
  // A list has no element at such an index.
  if (step !== null && !isIndex(step)) return root;
  const index = step === null ? indexFor(items, rest, value) : step;
  const inner = withValueAtPlace(items[index], rest, value);
  if (inner === undefined) items.splice(index, 1);
  else {
    while (items.length < index) items.push(inner);
    items[index] = inner;
  }
  return items;
}

/** A second member of a list stands beside the first. */
function indexFor(items: readonly Value[], rest: InputPlace, value: Wished): number {
  if (rest.length > 0 || value === absent || items.length >= mostElements) return 0;
  return items.includes(value) ? items.indexOf(value) : items.length;
}

function inObject(object: PlainObject, key: string, rest: InputPlace, value: Wished): PlainObject {
  const inner = withValueAtPlace(Object.hasOwn(object, key) ? object[key] : undefined, rest, value);
  const copy: PlainObject = { ...object };
  if (inner !== undefined) setOwn(copy, key, inner);
  else if (Object.hasOwn(copy, key)) delete (copy as Record<string, Value>)[key];
  return copy;
}

function isIndex(step: number): boolean {
  return Number.isInteger(step) && step >= 0 && step <= lastIndex;
}

function isLens(step: InputStep | undefined): step is LensStep {
  return typeof step === 'object' && step !== null;
}

function keyIn(value: Value | undefined, step: string | number | null): string | undefined {
  if (isArray(value as Value)) {
    const index = step === null ? 0 : step;
    return typeof index === 'number' && isIndex(index) && index < (value as readonly Value[]).length
      ? String(index)
      : undefined;
  }
  if (!isPlainObject(value)) return undefined;
  if (step === null) return Object.keys(value)[0];
  return Object.hasOwn(value, String(step)) ? String(step) : undefined;
}
