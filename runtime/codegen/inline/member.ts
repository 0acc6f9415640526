/** Membership in arrays that are long. */
import { countWork, type Value } from '../../../values/index.js';
import { minListed } from '../../evaluation/array-indexes.js';
import { isMember } from '../../operations/membership.js';
import type { Activation } from '../activation.js';

/**
 * As `isMember`, and counts the same. A text is found in a set of those of the array, once some
 * were looked for.
 * @param lasting whether the collection is part of the base documents
 */
export function isMemberIn(element: Value, collection: Value, x: Activation, lasting: boolean): boolean {
  if (typeof element !== 'string' || !Array.isArray(collection) || collection.length < minListed)
    return isMember(element, collection);
  const texts = (lasting ? x.dataIndexes : x.indexes).texts(collection);
  if (texts === undefined) return isMember(element, collection);
  countWork(collection.length);
  return texts.has(element);
}
