/** From staged documents to documents: what nobody else may see is written in place, the rest is copied. */

import { setOwn } from '../operations/insert.js';
import { forgetSortedKeys, objectGet } from '../values/compare.js';
import type { PlainObject, Value } from '../values/value.js';
import { ArrayDraft, copyOf, ObjectDraft, type Staged } from './draft.js';
import type { Owners, Ownership } from './ownership.js';

/** A key of an object as it was. */
interface Undo {
  readonly object: PlainObject;
  readonly key: string;
  readonly value: Value | undefined;
}

/** One commit's writing. */
export class Settlement {
  readonly changedInPlace: PlainObject[] = [];
  readonly #undo: Undo[] = [];
  readonly #owners: Owners;
  readonly #inPlace: boolean;

  /** @param inPlace whether no version is held that has to stay as it is */
  constructor(owners: Owners, inPlace: boolean) {
    this.#owners = owners;
    this.#inPlace = inPlace;
  }

  /** The document of a draft, from the innermost out. Where it throws, `takeBack` makes everything what it was. */
  settle(node: Staged, above: Ownership = 'whole'): Value {
    if (node instanceof ArrayDraft) return this.#array(node, above);
    return node instanceof ObjectDraft ? this.#object(node, above) : node;
  }

  /** Arrays are always new: indexes of them, and of what is in them, are kept by the array. */
  #array(draft: ArrayDraft, above: Ownership): Value {
    const own = this.#owners.of(draft.base, above);
    const elements = draft.withDraftsReplaced((child) => this.settle(child, own));
    this.#owners.copied(elements, own);
    return elements;
  }

  #object({ base, changes: staged }: ObjectDraft, above: Ownership): PlainObject {
    const own = this.#owners.of(base, above);
    const changes = new Map<string, Value | undefined>();
    for (const [key, child] of staged) {
      const value = child === undefined ? undefined : this.settle(child, own);
      if (value !== objectGet(base, key)) changes.set(key, value);
    }
    if (changes.size === 0) return base;
    if (own !== 'none' && this.#inPlace) {
      this.#write(base, changes);
      return base;
    }
    const copy = copyOf(base, changes);
    this.#owners.copied(copy, own);
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
    if (!sameKeys) forgetSortedKeys(object);
  }

  takeBack(): void {
    for (const { object, key, value } of this.#undo.toReversed()) {
      assign(object, key, value);
      forgetSortedKeys(object);
    }
  }
}

function assign(object: PlainObject, key: string, value: Value | undefined): void {
  if (value === undefined) delete (object as { [key: string]: Value })[key];
  else setOwn(object, key, value);
}
