import type { Ref, Term } from '../../../../compiler/index.js';

/**
 * A ref from another term on.
 * @param loc the place of the ref as it was written; by default that of the other term
 */
export function extended(head: Term, rest: readonly Term[], loc = head.loc): Term {
  if (rest.length === 0) return head;
  return { type: 'ref', loc, terms: [...headTerms(head), ...rest] };
}

/** No ref begins with a scalar: `2[x]` is written `[2][0][x]`, undefined as well. */
function headTerms(head: Term): Ref {
  switch (head.type) {
    case 'ref':
      return head.terms;
    case 'null':
    case 'boolean':
    case 'number':
    case 'string':
      return [
        { type: 'array', loc: head.loc, items: [head] },
        { type: 'number', loc: head.loc, text: '0' },
      ];
    default:
      return [head];
  }
}
