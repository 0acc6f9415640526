import type { Ref } from '../../resolve/compiled-rule.js';

/** The terms of a ref below `data` up to the first that is no string. */
export function constantPart(ref: Ref): Ref {
  const end = ref.findIndex((term, i) => i > 0 && term.type !== 'string');
  return ref.slice(1, end < 0 ? ref.length : end);
}
