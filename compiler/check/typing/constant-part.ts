import type { Ref, StringTerm, Term } from '../../ast/nodes.js';
import { keyOfString } from '../../resolve/tree.js';

/** The terms of a ref below `data` up to the first that is no string. */
export function constantPart(ref: Ref): readonly StringTerm[] {
  const isString = (term: Term): term is StringTerm => term.type === 'string';
  const keys = ref.slice(1);
  // A list that grows has room for more, and most refs are constant.
  if (keys.every(isString)) return keys;
  const end = keys.findIndex((key) => !isString(key));
  return keys.slice(0, end).filter(isString);
}

/**
 * The keys of that part. A reader depends on all that is at their end, if only on whether something
 * is there.
 */
export function keysOfRef(ref: Ref): readonly string[] {
  return constantPart(ref).map(({ value }) => keyOfString(value));
}
