/** JSON Patch, on documents that may hold sets and objects with any keys. */

import { lookup, objectEntries, objectGet, objectSize } from '../../../compare.js';
import { equal } from '../../../equal.js';
import { RegoObject } from '../../../object.js';
import { RegoSet } from '../../../set.js';
import { termText } from '../../../text/term-text.js';
import type { ArrayValue, ObjectValue, PlainObject, Value } from '../../../value.js';
import { isArray, isObject, isSet, setOwn } from '../../../value.js';
import { countWork } from '../../../work.js';
import { BuiltinError } from '../../builtin-errors.js';
import { sizeOf } from '../../cost.js';
import { parsePath } from './paths.js';

type Edit = (container: Value, key: Value) => Value;

/** Units for an entry or member that is copied. */
const unitsPerEntry = 10;

/** Units for an operation, besides those for copying. */
const unitsPerOperation = 100;

/**
 * A document under change. A patch copies each collection that it changes; later patches change the
 * copies in place.
 */
class Document {
  #root: Value | undefined;
  readonly #copies = new Set<Value>();

  constructor(root: Value) {
    this.#root = root;
  }

  /** The document, undefined once its root was removed. It is not to be changed any more. */
  get root(): Value | undefined {
    return this.#root;
  }

  at(path: readonly Value[]): Value {
    let value = this.#root;
    for (const segment of path) value = value === undefined ? undefined : childOf(value, segment);
    if (value === undefined) throw new BuiltinError('there is nothing at the path');
    return value;
  }

  /**
   * The value at a path, for a second place in the document. From then on no part of it is changed
   * in place.
   */
  share(path: readonly Value[]): Value {
    const shared = this.at(path);
    // Only copies have copies in them.
    const pending: Value[] = [shared];
    for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
      if (!this.#copies.delete(value)) continue;
      for (const part of partsOf(value)) pending.push(part);
    }
    return shared;
  }

  add(path: readonly Value[], value: Value): void {
    if (path.length === 0) this.#root = value;
    else this.#edit(path, (container, key) => this.#insert(container, key, value));
  }

  remove(path: readonly Value[]): void {
    if (this.#root === undefined) throw new BuiltinError('the document was removed');
    if (path.length === 0) this.#root = undefined;
    else this.#edit(path, (container, key) => this.#delete(container, key));
  }

  /**
   * An entry or element is set in place: V8 makes slow objects of those whose keys are deleted, and
   * moves the elements behind. Elsewhere the old value may be a part of the path to the new one.
   */
  replace(path: readonly Value[], value: Value): void {
    if (this.#isEntry(path)) return this.#edit(path, (container, key) => this.#replace(container, key, value));
    this.remove(path);
    this.add(path, value);
  }

  /** Whether a path leads through plain objects and arrays to an entry or element of one. */
  #isEntry(path: readonly Value[]): boolean {
    let value = this.#root;
    for (const segment of path) {
      if (value === undefined || isSet(value) || value instanceof RegoObject) return false;
      value = childOf(value, segment);
    }
    return path.length > 0 && value !== undefined;
  }

  #edit(path: readonly Value[], edit: Edit): void {
    if (this.#root === undefined) throw new BuiltinError('the document was removed');
    this.#root = this.#editBelow(this.#root, path, 0, edit);
  }

  #editBelow(container: Value, path: readonly Value[], depth: number, edit: Edit): Value {
    const key = path[depth]!;
    if (depth === path.length - 1) return edit(container, key);
    const child = childOf(container, key);
    if (child === undefined) throw new BuiltinError('there is nothing at the path');
    const changed = this.#editBelow(child, path, depth + 1, edit);
    if (isSet(container)) return this.#withMember(this.#withoutMember(container, child), changed);
    return changed === child ? container : this.#replace(container, key, changed);
  }

  #replace(container: Value, key: Value, value: Value): Value {
    if (!isArray(container)) return this.#withEntry(container as ObjectValue, key, value);
    const elements = this.#copyOf(container, (a) => [...a]) as Value[];
    elements[indexOf(elements, key)] = value;
    return elements;
  }

  #insert(container: Value, key: Value, value: Value): Value {
    if (isArray(container)) {
      const index = indexOf(container, key);
      if (index < 0 || index > container.length) throw new BuiltinError('index out of bounds');
      const elements = this.#copyOf(container, (a) => [...a]) as Value[];
      countWork((elements.length - index) >> 3);
      elements.splice(index, 0, value);
      return elements;
    }
    if (isSet(container)) {
      if (!equal(key, value)) throw new BuiltinError('a member is its own key');
      return this.#withMember(container, value);
    }
    if (isObject(container)) return this.#withEntry(container, key, value);
    throw new BuiltinError('a scalar has no members');
  }

  #delete(container: Value, key: Value): Value {
    if (isArray(container)) {
      const index = indexOf(container, key);
      if (index < 0 || index >= container.length) throw new BuiltinError('index out of bounds');
      const elements = this.#copyOf(container, (a) => [...a]) as Value[];
      countWork((elements.length - index) >> 3);
      elements.splice(index, 1);
      return elements;
    }
    if (childOf(container, key) === undefined) throw new BuiltinError('there is nothing at the path');
    if (isSet(container)) return this.#withoutMember(container, key);
    if (container instanceof RegoObject) return this.#withoutKey(container, key);
    const target = this.#copyOf(container as PlainObject, (o) => ({ ...o })) as { [key: string]: Value };
    delete target[key as string];
    return target;
  }

  #withEntry(container: ObjectValue, key: Value, value: Value): ObjectValue {
    if (typeof key === 'string' && !(container instanceof RegoObject)) {
      const target = this.#copyOf(container as PlainObject, (o) => ({ ...o })) as { [key: string]: Value };
      setOwn(target, key, value);
      return target;
    }
    if (container instanceof RegoObject) return (this.#copyOf(container, copyAnyKeys) as RegoObject).set(key, value);
    // A plain object, even one made here, takes no such key.
    countWork(objectSize(container) * unitsPerEntry);
    const made = (copyAnyKeys(container) as RegoObject).set(key, value);
    this.#copies.add(made);
    return made;
  }

  #withoutKey(container: RegoObject, key: Value): RegoObject {
    const target = new RegoObject();
    countWork(container.size * unitsPerEntry);
    for (const [other, value] of container.entries()) if (!equal(other, key)) target.set(other, value);
    this.#copies.add(target);
    return target;
  }

  #withMember(container: RegoSet, member: Value): RegoSet {
    return this.#copyOf(container, (s) => new RegoSet(s)).add(member);
  }

  #withoutMember(container: RegoSet, member: Value): RegoSet {
    const rest = new RegoSet();
    countWork(container.size * unitsPerEntry);
    for (const other of container) if (!equal(other, member)) rest.add(other);
    this.#copies.add(rest);
    return rest;
  }

  /** A container that may be changed: itself where it is a copy made here. */
  #copyOf<T extends Value>(container: T, copy: (original: T) => T): T {
    if (this.#copies.has(container)) return container;
    countWork(
      (isObject(container) ? objectSize(container) : sizeOf(container)) * (isArray(container) ? 1 : unitsPerEntry),
    );
    const made = copy(container);
    this.#copies.add(made);
    return made;
  }
}

/** The elements, members or values of a collection. */
function partsOf(container: Value): Iterable<Value> {
  if (isArray(container) || isSet(container)) return container;
  return Array.from(objectEntries(container as ObjectValue), ([, value]) => value);
}

function copyAnyKeys(container: ObjectValue): ObjectValue {
  return new RegoObject(objectEntries(container));
}

function childOf(container: Value, key: Value): Value | undefined {
  return isArray(container) ? container[indexOf(container, key)] : lookup(container, key);
}

/** The index of a segment: `-` is the end; leading zeros are not allowed. */
function indexOf(array: ArrayValue, key: Value): number {
  if (key === '-') return array.length;
  if (typeof key === 'string' && /^(?:0|[+-]?[1-9]\d{0,14})$/.test(key)) return Number(key);
  if (typeof key === 'number' && Number.isSafeInteger(key)) return key;
  throw new BuiltinError('an array has no such index');
}

function attribute(patch: Value, name: string): Value {
  const value = isObject(patch) ? objectGet(patch, name) : undefined;
  if (value === undefined) throw new BuiltinError(`missing '${name}'`);
  return value;
}

function pathAttribute(patch: Value, name: string): readonly Value[] {
  const path = attribute(patch, name);
  if (typeof path !== 'string' && !isArray(path)) throw new BuiltinError(`'${name}' is no path`);
  return parsePath(path);
}

function apply(document: Document, patch: Value): void {
  const operation = attribute(patch, 'op');
  const path = pathAttribute(patch, 'path');
  if (operation === 'add') document.add(path, attribute(patch, 'value'));
  else if (operation === 'remove') document.remove(path);
  else if (operation === 'replace') {
    document.replace(path, attribute(patch, 'value'));
  } else if (operation === 'move') {
    const from = pathAttribute(patch, 'from');
    const value = document.at(from);
    document.remove(from);
    document.add(path, value);
  } else if (operation === 'copy') document.add(path, document.share(pathAttribute(patch, 'from')));
  else if (operation !== 'test') throw new BuiltinError(`unrecognized op ${termText(operation)}`);
  else if (!equal(document.at(path), attribute(patch, 'value'))) throw new BuiltinError('the test failed');
}

export function patch(target: Value, operations: ArrayValue): Value | undefined {
  const document = new Document(target);
  for (const operation of operations) {
    countWork(unitsPerOperation);
    apply(document, operation);
  }
  return document.root;
}
