/** Paths of documents: segments below `data`, and their resolution in objects and arrays. */
import type { ArrayValue, PlainObject, Value } from '../../values/index.js';
import { isArray, isObject, maxDepth, objectGet, RegoObject } from '../../values/index.js';
import { StoreError } from './store-errors.js';

/**
 * Segments below `data`; the empty path is `data` itself. An array is indexed by the decimal text
 * of a position.
 */
export type Path = readonly string[];

/** A path in messages: `/a/b%20c`, with segments escaped as in URLs; `/` for the root. */
export function storePathText(path: Path): string {
  return `/${path.map(escapeSegment).join('/')}`;
}

function escapeSegment(segment: string): string {
  return encodeURIComponent(segment.toWellFormed())
    .replace(/%(24|26|2B|3A|3D|40)/g, decodeURIComponent)
    .replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}

/**
 * Whether a value is a document's object, as distinct from an object with non-string keys, which
 * only evaluations make.
 */
export function isDocumentObject(value: Value | undefined): value is PlainObject {
  return value !== undefined && isObject(value) && !(value instanceof RegoObject);
}

/** Only errors about an array's index name its path. */
export function notFoundError(): StoreError {
  return new StoreError('storage_not_found_error', 'document does not exist');
}

function noSuchElement(path: Path, problem: string): StoreError {
  return new StoreError('storage_not_found_error', `${storePathText(path)}: ${problem}`);
}

/**
 * The index that a segment of `path` denotes in an array of `length` elements: `1`, `01`, `+1` and
 * `1.0` are 1. Throws a StoreError if it is not valid.
 */
export function arrayIndex(length: number, segment: string, path: Path): number {
  if (!/^[+-]?\d+(?:\.0+)?$/.test(segment) || !isInt64(segment))
    throw noSuchElement(path, 'array index must be integer');
  const index = Number(segment);
  if (index < 0 || index >= length) throw noSuchElement(path, 'array index out of range');
  return index;
}

function isInt64(digits: string): boolean {
  if (digits.length < 19) return true;
  const integer = BigInt(digits.replace(/^\+|\.0+$/g, ''));
  return BigInt.asIntN(64, integer) === integer;
}

/** The document at a path. Throws a StoreError if there is none. */
export function readPath(root: Value, path: Path): Value {
  let node = root;
  for (const segment of path) {
    let next: Value | undefined;
    if (isArray(node)) next = (node as ArrayValue)[arrayIndex(node.length, segment, path)];
    else if (isDocumentObject(node)) next = objectGet(node, segment);
    if (next === undefined) throw notFoundError();
    node = next;
  }
  return node;
}

/**
 * The segments of a patch's pointer, still escaped. As in the reference, slashes at its ends do not
 * count. Throws a StoreError for more segments than a document may have.
 */
export function pointerSegments(pointer: string): readonly string[] {
  const inner = withoutOuterSlashes(pointer);
  if (inner === '') return [];
  const segments = inner.split('/', maxDepth + 1);
  if (segments.length > maxDepth) throw notFoundError();
  return segments;
}

/**
 * A regular expression would take quadratic time where other characters stand between many slashes.
 */
function withoutOuterSlashes(text: string): string {
  let start = 0;
  let end = text.length;
  while (text[start] === '/') start++;
  while (end > start && text[end - 1] === '/') end--;
  return text.slice(start, end);
}
