import type { Term } from '../../../compiler/ast/nodes.js';

/** A ref from another term on. */
export function extended(head: Term, rest: readonly Term[]): Term {
  if (rest.length === 0) return head;
  return { type: 'ref', loc: head.loc, terms: head.type === 'ref' ? [...head.terms, ...rest] : [head, ...rest] };
}
