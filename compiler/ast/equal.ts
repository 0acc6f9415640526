/** Whether two trees mean the same text; locations and generated parts are ignored. */

import { compareRefs, compareTerms } from './compare-terms.js';
import type { Term } from './nodes.js';

export function equalTerms(a: Term, b: Term): boolean {
  return compareTerms(a, b) === 0;
}

/** Refs (or other lists of terms), term by term. */
export function equalRefs(a: readonly Term[], b: readonly Term[]): boolean {
  return compareRefs(a, b) === 0;
}
