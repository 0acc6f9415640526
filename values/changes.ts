/**
 * Changes of documents in place. A cache by an object whose entries depend on what is below it
 * compares the number of changes: an object that the store writes keeps its identity.
 */
import type { PlainObject } from './value.js';

const changes = new WeakMap<PlainObject, number>();

/** Notes that an object may have other content, itself or anywhere below. */
export function noteChange(object: PlainObject): void {
  changes.set(object, changesOf(object) + 1);
}

/** The number of changes so far. */
export function changesOf(object: PlainObject): number {
  return changes.get(object) ?? 0;
}
