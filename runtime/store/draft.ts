/**
 * Changes to documents before they are made. A draft stands in for an object or an array and holds what is to become of it, so that a
 * change costs its path and not the size of what lies beside it.
 */

import { setOwn } from '../operations/insert.js';
import { objectGet } from '../values/compare.js';
import { isArray, type PlainObject, type Value } from '../values/value.js';
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

/** With so many drafts one pass over all elements finds them sooner than a search for each. */
const fewDrafts = 16;

export class ArrayDraft {
  readonly base: readonly Value[];
  readonly elements: Staged[];
  /** Those of the elements that are drafts, and some that no longer are elements. */
  readonly drafts = new Set<ObjectDraft | ArrayDraft>();

  constructor(base: readonly Value[]) {
    this.base = base;
    this.elements = base.slice();
  }

  /** The elements themselves, with documents in the place of drafts: the draft has had its day. */
  withDraftsReplaced(settle: (draft: Staged) => Value): Value[] {
    const { elements, drafts } = this;
    if (drafts.size > fewDrafts) {
      for (const [i, element] of elements.entries()) if (isDraft(element)) elements[i] = settle(element);
    } else {
      for (const draft of drafts) {
        const at = elements.indexOf(draft);
        if (at >= 0) elements[at] = settle(draft);
      }
    }
    return elements as Value[];
  }
}

function isDraft(node: Staged): node is ObjectDraft | ArrayDraft {
  return node instanceof ObjectDraft || node instanceof ArrayDraft;
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
  if (isDraft(node)) return node;
  return isArray(node) ? new ArrayDraft(node) : new ObjectDraft(node as PlainObject);
}

/** Puts a draft in the place of the child that it stands for. */
export function setChild(draft: ObjectDraft | ArrayDraft, segment: string, child: ObjectDraft | ArrayDraft, path: Path): void {
  if (draft instanceof ObjectDraft) draft.changes.set(segment, child);
  else {
    draft.elements[arrayIndex(draft.elements.length, segment, path)] = child;
    draft.drafts.add(child);
  }
}

/** A staged document as it will be, made of copies: drafts stay as they are. */
export function preview(node: Staged): Value {
  if (node instanceof ArrayDraft) return node.elements.map(preview);
  if (!(node instanceof ObjectDraft)) return node;
  return copyOf(node.base, new Map([...node.changes].map(([key, staged]) => [key, staged === undefined ? undefined : preview(staged)])));
}

/** From so many keys on spreading an object takes longer than going through its keys. */
const many = 512;

/** A copy of an object with changes: undefined where a key goes. */
export function copyOf(base: PlainObject, changes: ReadonlyMap<string, Value | undefined>): PlainObject {
  const keys = Object.keys(base);
  const copy: PlainObject = keys.length < many ? { ...base } : {};
  if (keys.length >= many) {
    for (const key of keys) if (!changes.has(key)) setOwn(copy, key, base[key]!);
  }
  for (const [key, value] of changes) {
    if (value === undefined) delete (copy as { [key: string]: Value })[key];
    else setOwn(copy, key, value);
  }
  return copy;
}
