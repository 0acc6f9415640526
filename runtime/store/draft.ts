/**
 * Changes to documents before they are made. A draft stands in for an object or an array and holds what is to become of it, so that a
 * change costs its path and not the size of what lies beside it.
 */

import { objectGet } from '../values/compare.js';
import { isArray, type PlainObject, type Value } from '../values/value.js';
import { setOwn } from '../vm/objects.js';
import { arrayIndex, isDocumentObject, type Path } from './path.js';

/** A document, or one with changes. */
export type Staged = Value | ObjectDraft | ArrayDraft;

export class ObjectDraft {
  readonly base: PlainObject;
  /** By key; undefined where the key goes. */
  readonly changes = new Map<string, Staged | undefined>();

  constructor(base: PlainObject) {
    this.base = base;
  }
}

export class ArrayDraft {
  readonly elements: Staged[];
  /** Whether some elements are drafts. */
  hasDrafts = false;

  constructor(base: readonly Value[]) {
    this.elements = base.slice();
  }
}

export function isStagedObject(node: Staged): node is PlainObject | ObjectDraft {
  return node instanceof ObjectDraft || (!(node instanceof ArrayDraft) && isDocumentObject(node));
}

/** The elements where a node is an array or a draft of one. */
export function stagedElements(node: Staged): readonly Staged[] | undefined {
  if (node instanceof ArrayDraft) return node.elements;
  return !(node instanceof ObjectDraft) && isArray(node) ? node : undefined;
}

/** What stands at a segment of `path`, undefined where there is nothing. Throws a StoreError for what is no position of an array. */
export function stagedChild(node: Staged, segment: string, path: Path): Staged | undefined {
  const elements = stagedElements(node);
  if (elements !== undefined) return elements[arrayIndex(elements.length, segment, path)];
  if (node instanceof ObjectDraft) return node.changes.has(segment) ? node.changes.get(segment) : objectGet(node.base, segment);
  return isStagedObject(node) ? objectGet(node as PlainObject, segment) : undefined;
}

/** A draft of what is an object or array. */
export function draftOf(node: Staged): ObjectDraft | ArrayDraft {
  if (node instanceof ObjectDraft || node instanceof ArrayDraft) return node;
  return isArray(node) ? new ArrayDraft(node) : new ObjectDraft(node as PlainObject);
}

/** Puts a draft in the place of the child that it stands for. */
export function setChild(draft: ObjectDraft | ArrayDraft, segment: string, child: ObjectDraft | ArrayDraft, path: Path): void {
  if (draft instanceof ObjectDraft) draft.changes.set(segment, child);
  else {
    draft.elements[arrayIndex(draft.elements.length, segment, path)] = child;
    draft.hasDrafts = true;
  }
}

/** A staged document as it will be, made of copies: drafts stay as they are. */
export function preview(node: Staged): Value {
  return settle(node, copyOf);
}

/**
 * Documents of drafts, from the innermost out. `change` makes one object of another and its changes; it may be the same object, changed.
 * Arrays are always new.
 */
export function settle(node: Staged, change: (base: PlainObject, changes: ReadonlyMap<string, Value | undefined>) => PlainObject): Value {
  if (node instanceof ArrayDraft) {
    return node.hasDrafts ? node.elements.map((element) => settle(element, change)) : (node.elements.slice() as Value[]);
  }
  if (!(node instanceof ObjectDraft)) return node;
  const changes = new Map<string, Value | undefined>();
  for (const [key, staged] of node.changes) {
    const value = staged === undefined ? undefined : settle(staged, change);
    if (value !== objectGet(node.base, key)) changes.set(key, value);
  }
  return changes.size === 0 ? node.base : change(node.base, changes);
}

/** A copy of an object with changes. */
export function copyOf(base: PlainObject, changes: ReadonlyMap<string, Value | undefined>): PlainObject {
  const copy: PlainObject = { ...base };
  for (const [key, value] of changes) {
    if (value === undefined) delete (copy as { [key: string]: Value })[key];
    else setOwn(copy, key, value);
  }
  return copy;
}
