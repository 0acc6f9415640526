/** Paths of documents: segments below `data`, and what they stand for in objects and arrays. */
import { objectGet } from '../values/compare.js';
import { RegoObject } from '../values/object.js';
import { type ArrayValue, isArray, isObject, type PlainObject, type Value } from '../values/value.js';
import { StoreError } from './errors.js';

/** Segments from `data` down; none stands for all of it. An array is indexed by the decimal text of a position. */
export type Path = readonly string[];

/** A path as messages show it: `/a/b%20c`, segments escaped as those of a URL; `/` for the root. */
export function pathText(path: Path): string {
  return `/${path.map(escapeSegment).join('/')}`;
}

function escapeSegment(segment: string): string {
  return encodeURIComponent(segment.toWellFormed())
    .replace(/%(24|26|2B|3A|3D|40)/g, decodeURIComponent)
    .replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** A document's object, as distinct from one with any keys that only evaluations make. */
export function isDocumentObject(value: Value | undefined): value is PlainObject {
  return value !== undefined && isObject(value) && !(value instanceof RegoObject);
}

/** Only what is wrong with an array's index names its path. */
export function notFound(): StoreError {
  return new StoreError('storage_not_found_error', 'document does not exist');
}

function noSuchElement(path: Path, problem: string): StoreError {
  return new StoreError('storage_not_found_error', `${pathText(path)}: ${problem}`);
}

/** The position in an array of `length` that a segment of `path` names. Throws a StoreError where it names none. */
export function arrayIndex(length: number, segment: string, path: Path): number {
  if (!/^[+-]?\d+$/.test(segment) || !isInt64(segment)) throw noSuchElement(path, 'array index must be integer');
  const index = Number(segment);
  if (index < 0 || index >= length) throw noSuchElement(path, 'array index out of range');
  return index;
}

function isInt64(digits: string): boolean {
  if (digits.length < 19) return true;
  const integer = BigInt(digits.replace('+', ''));
  return BigInt.asIntN(64, integer) === integer;
}

/** What stands at a path. Throws a StoreError where there is nothing. */
export function readPath(root: Value, path: Path): Value {
  let node = root;
  for (const segment of path) {
    let next: Value | undefined;
    if (isArray(node)) next = (node as ArrayValue)[arrayIndex(node.length, segment, path)];
    else if (isDocumentObject(node)) next = objectGet(node, segment);
    if (next === undefined) throw notFound();
    node = next;
  }
  return node;
}
