/**
 * Pending changes of documents. A draft stands for an object or an array and holds its changes, so
 * that the cost of a change depends on its path and not on the size of sibling documents.
 */

import { isArray, objectGet, type PlainObject, setOwn, type Value } from '../../values/index.js';
import { arrayIndex, isDocumentObject, type Path } from './path.js';

/** A document, or a draft with changes. */
export type Staged = Value | ObjectDraft | ArrayDraft;

export class ObjectDraft {
  readonly base: PlainObject;
  /** Changes by key; undefined deletes the key. */
  readonly changes = new Map<string, Staged | undefined>();

  constructor(base: PlainObject) {
    this.base = base;
  }
}

/**
 * Above this number of drafts, one pass over all elements is faster than a search for each draft.
 */
const maxSearchedDrafts = 16;

export class ArrayDraft {
  readonly base: readonly Value[];
  readonly elements: Staged[];
  /** The elements that are drafts, and some that have been removed since. */
  readonly drafts = new Set<ObjectDraft | ArrayDraft>();

  constructor(base: readonly Value[]) {
    this.base = base;
    this.elements = base.slice();
  }

  /** Replaces the drafts among the elements by documents; the draft cannot be used afterwards. */
  withDraftsReplaced(documentOf: (draft: Staged) => Value): Value[] {
    const { elements, drafts } = this;
    if (drafts.size > maxSearchedDrafts) {
      for (const [i, element] of elements.entries()) if (isDraft(element)) elements[i] = documentOf(element);
    } else {
      for (const draft of drafts) {
        const at = elements.indexOf(draft);
        if (at >= 0) elements[at] = documentOf(draft);
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

/** The elements of an array or of a draft of one; undefined for other nodes. */
export function stagedElements(node: Staged): readonly Staged[] | undefined {
  if (node instanceof ArrayDraft) return node.elements;
  return !(node instanceof ObjectDraft) && isArray(node) ? node : undefined;
}

/**
 * The child at a segment of `path`, undefined if there is none. Throws a StoreError for an invalid
 * array index.
 */
export function stagedChild(node: Staged, segment: string, path: Path): Staged | undefined {
  const elements = stagedElements(node);
  if (elements !== undefined) return elements[arrayIndex(elements.length, segment, path)];
  if (node instanceof ObjectDraft)
    return node.changes.has(segment) ? node.changes.get(segment) : objectGet(node.base, segment);
  return isStagedObject(node) ? objectGet(node as PlainObject, segment) : undefined;
}

/** The node itself if it is a draft, otherwise a new draft of the object or array. */
export function draftOfDocument(node: Staged): ObjectDraft | ArrayDraft {
  if (isDraft(node)) return node;
  return isArray(node) ? new ArrayDraft(node) : new ObjectDraft(node as PlainObject);
}

/** Replaces a child by its draft. */
export function setChild(
  draft: ObjectDraft | ArrayDraft,
  segment: string,
  child: ObjectDraft | ArrayDraft,
  path: Path,
): void {
  if (draft instanceof ObjectDraft) draft.changes.set(segment, child);
  else {
    draft.elements[arrayIndex(draft.elements.length, segment, path)] = child;
    draft.drafts.add(child);
  }
}

/** The document with all changes, made of copies; drafts stay usable. */
export function preview(node: Staged): Value {
  if (node instanceof ArrayDraft) return node.elements.map(preview);
  if (!(node instanceof ObjectDraft)) return node;
  return copyOf(
    node.base,
    new Map([...node.changes].map(([key, staged]) => [key, staged === undefined ? undefined : preview(staged)])),
  );
}

/** From this number of keys on, a spread of an object is slower than a loop over its keys. */
const spreadLimit = 512;

/** A copy of an object with changes; undefined deletes a key. */
export function copyOf(base: PlainObject, changes: ReadonlyMap<string, Value | undefined>): PlainObject {
  const keys = Object.keys(base);
  const copy: PlainObject = keys.length < spreadLimit ? { ...base } : {};
  if (keys.length >= spreadLimit) {
    for (const key of keys) if (!changes.has(key)) setOwn(copy, key, base[key]!);
  }
  for (const [key, value] of changes) {
    if (value === undefined) delete (copy as { [key: string]: Value })[key];
    else setOwn(copy, key, value);
  }
  return copy;
}
