/** Applies drafts: documents that the store owns are written in place, others are copied. */

import { dropKeys, noteChange, objectGet, type PlainObject, setOwn, type Value } from '../../values/index.js';
import { ArrayDraft, copyOf, ObjectDraft, type Staged } from './draft.js';
import type { Owners, Ownership } from './ownership.js';

/** The previous value of an object's key. */
interface Undo {
  readonly object: PlainObject;
  readonly key: string;
  readonly value: Value | undefined;
}

/** The writes of one commit. */
export class DraftWriter {
  readonly changedInPlace: PlainObject[] = [];
  readonly #undo: Undo[] = [];
  readonly #owners: Owners;
  readonly #inPlace: boolean;

  /** @param inPlace whether documents may be written in place, because no version is held */
  constructor(owners: Owners, inPlace: boolean) {
    this.#owners = owners;
    this.#inPlace = inPlace;
  }

  /**
   * The document of a draft, built from the innermost draft outwards. After an error, `rollBack`
   * restores everything.
   */
  documentOf(node: Staged, above: Ownership = 'whole'): Value {
    if (node instanceof ArrayDraft) return this.#array(node, above);
    return node instanceof ObjectDraft ? this.#object(node, above) : node;
  }

  /**
   * Arrays are always copied, because indexes of arrays and of their elements are cached by the
   * array.
   */
  #array(draft: ArrayDraft, above: Ownership): Value {
    const own = this.#owners.of(draft.base, above);
    const elements = draft.withDraftsReplaced((child) => this.documentOf(child, own));
    this.#owners.recordCopy(elements, own);
    return elements;
  }

  #object({ base, changes: staged }: ObjectDraft, above: Ownership): PlainObject {
    const own = this.#owners.of(base, above);
    const changes = new Map<string, Value | undefined>();
    for (const [key, child] of staged) {
      const value = child === undefined ? undefined : this.documentOf(child, own);
      if (value !== objectGet(base, key)) changes.set(key, value);
    }
    // A child that was written in place is the same object.
    if (this.#inPlace) noteChange(base);
    if (changes.size === 0) return base;
    if (own !== 'none' && this.#inPlace) {
      this.#write(base, changes);
      return base;
    }
    const copy = copyOf(base, changes);
    this.#owners.recordCopy(copy, own);
    return copy;
  }

  #write(object: PlainObject, changes: ReadonlyMap<string, Value | undefined>): void {
    this.changedInPlace.push(object);
    let sameKeys = true;
    for (const [key, value] of changes) {
      const before = objectGet(object, key);
      this.#undo.push({ object, key, value: before });
      assign(object, key, value);
      sameKeys &&= (before === undefined) === (value === undefined);
    }
    if (!sameKeys) dropKeys(object);
  }

  rollBack(): void {
    for (const { object, key, value } of this.#undo.toReversed()) {
      assign(object, key, value);
      dropKeys(object);
    }
  }
}

function assign(object: PlainObject, key: string, value: Value | undefined): void {
  if (value === undefined) delete (object as { [key: string]: Value })[key];
  else setOwn(object, key, value);
}
