import type { Ref, StringTerm } from '../../ast/nodes.js';
import { keyOfString } from '../../resolve/tree.js';

/** The terms of a ref below `data` up to the first that is no string. */
export function constantPart(ref: Ref): readonly StringTerm[] {
  const found: StringTerm[] = [];
  for (const key of ref.slice(1)) {
    if (key.type !== 'string') break;
    found.push(key);
  }
  return found;
}

/**
 * The keys of that part. A reader depends on all that is at their end, if only on whether something
 * is there.
 */
export function keysOfRef(ref: Ref): readonly string[] {
  return constantPart(ref).map(({ value }) => keyOfString(value));
}
