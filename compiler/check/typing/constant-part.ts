import type { Ref } from '../../resolve/compiled-rule.js';
import { keyOf } from '../../resolve/tree.js';

/** The terms of a ref below `data` up to the first that is no string. */
export function constantPart(ref: Ref): Ref {
  const end = ref.findIndex((term, i) => i > 0 && term.type !== 'string');
  return ref.slice(1, end < 0 ? ref.length : end);
}

/**
 * The keys of that part. A reader depends on all that is at their end, if only on whether something
 * is there.
 */
export function keysOfRef(ref: Ref): readonly string[] {
  return constantPart(ref).map((term) => keyOf(term)!);
}
