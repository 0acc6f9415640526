/** Changes of base documents: what does not change is shared between the versions. */
import { isArray, isObject, type PlainObject, type Value } from '../values/value.js';
import { type DataOperation, PolicyError } from './policy-engine.js';

/** The documents after a list of operations. Throws a PolicyError, in the reference's words, for the first that cannot be carried out. */
export function changed(root: PlainObject, operations: readonly DataOperation[]): PlainObject {
  return operations.reduce(apply, root);
}

function apply(root: PlainObject, operation: DataOperation): PlainObject {
  const { op, path } = operation;
  if (path.length === 0) return wholeDocument(operation);
  if (op !== 'write') return at(root, operation, 0) as PlainObject;
  const ready = valueAt(root, path) === undefined ? withObjects(root, path.slice(0, -1), 0) : root;
  return at(ready, { ...operation, op: 'add' }, 0) as PlainObject;
}

function wholeDocument(operation: DataOperation): PlainObject {
  if (operation.op === 'remove') throw invalid('root must be object');
  if (!isObject(operation.value)) throw invalid('root must be object');
  return operation.value as PlainObject;
}

/** The document at a path, undefined where there is none. Segments that are whole numbers index arrays. */
export function valueAt(root: Value, path: readonly string[]): Value | undefined {
  let value: Value | undefined = root;
  for (const segment of path) {
    if (value === undefined) return undefined;
    if (isArray(value)) value = isIndex(segment) ? value[Number(segment)] : undefined;
    else if (isObject(value)) value = Object.hasOwn(value, segment) ? (value as PlainObject)[segment] : undefined;
    else return undefined;
  }
  return value;
}

/** With an object at each step of a path where nothing was. */
function withObjects(node: Value, path: readonly string[], depth: number): Value {
  if (depth === path.length) {
    if (!isObject(node)) throw conflict(path);
    return node;
  }
  const segment = path[depth]!;
  if (isArray(node)) {
    const member = isIndex(segment) ? node[Number(segment)] : undefined;
    if (member === undefined) throw conflict(path.slice(0, depth));
    return node.with(Number(segment), withObjects(member, path, depth + 1));
  }
  if (!isObject(node)) throw conflict(path.slice(0, depth));
  const child = Object.hasOwn(node, segment) ? (node as PlainObject)[segment]! : {};
  return withKey(node as PlainObject, segment, withObjects(child, path, depth + 1));
}

/** Carries an operation out below a node. */
function at(node: Value, operation: DataOperation, depth: number): Value {
  const { path } = operation;
  const segment = path[depth]!;
  const isLast = depth === path.length - 1;
  if (isArray(node)) return isLast ? inArray(node, operation, segment) : stepIntoArray(node, operation, depth);
  if (!isObject(node)) throw missing(path);
  const object = node as PlainObject;
  const exists = Object.hasOwn(object, segment);
  if (!isLast) {
    if (!exists) throw missing(path);
    return withKey(object, segment, at(object[segment]!, operation, depth + 1));
  }
  if (operation.op !== 'add' && !exists) throw missing(path);
  if (operation.op !== 'remove') return withKey(object, segment, operation.value);
  const rest: Record<string, Value> = { ...object };
  delete rest[segment];
  return rest;
}

function stepIntoArray(array: readonly Value[], operation: DataOperation, depth: number): Value {
  const index = indexIn(array.length - 1, operation.path[depth]!, operation.path);
  return array.with(index, at(array[index]!, operation, depth + 1));
}

function inArray(array: readonly Value[], operation: DataOperation, segment: string): Value {
  const { path } = operation;
  if (operation.op === 'add') {
    const index = segment === '-' ? array.length : indexIn(array.length, segment, path);
    return array.toSpliced(index, 0, operation.value);
  }
  const index = indexIn(array.length - 1, segment, path);
  return operation.op === 'remove' ? array.toSpliced(index, 1) : array.with(index, (operation as { value: Value }).value);
}

function indexIn(last: number, segment: string, path: readonly string[]): number {
  if (!/^[+-]?\d+$/.test(segment)) throw notFound(path, 'array index must be integer');
  const index = Number(segment);
  if (index < 0 || index > last) throw notFound(path, 'array index out of range');
  return index;
}

function isIndex(segment: string): boolean {
  return /^\+?\d+$/.test(segment);
}

function withKey(object: PlainObject, key: string, value: Value): PlainObject {
  // Not by assignment: `__proto__` is a key like any other.
  const copy = { ...object };
  Object.defineProperty(copy, key, { value, writable: true, enumerable: true, configurable: true });
  return copy;
}

function missing(path: readonly string[]): PolicyError {
  return notFound(path, 'document does not exist');
}

function notFound(path: readonly string[], why: string): PolicyError {
  return new PolicyError('storage_not_found_error', `storage_not_found_error: ${pathText(path)}: ${why}`);
}

function conflict(path: readonly string[]): PolicyError {
  return new PolicyError('storage_write_conflict_error', `storage_write_conflict_error: ${pathText(path)}`);
}

function invalid(why: string): PolicyError {
  return new PolicyError('storage_invalid_patch_error', `storage_invalid_patch_error: ${why}`);
}

/** A path as messages show it: segments escaped as in an URL. */
function pathText(path: readonly string[]): string {
  return `/${path.map((segment) => encodeURIComponent(segment).replace(/%(24|26|2B|3A|3D|40)/g, decodeURIComponent)).join('/')}`;
}
