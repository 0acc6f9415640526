/** The symbolic values of terms. */

import type { RefTerm, Term } from '../../../compiler/index.js';
import { varsOf } from '../../../compiler/index.js';
import type { Frame } from '../bindings.js';
import type { Next } from '../machine.js';
import type { PartialAsked, PartialSearch, WithSymbolic } from './partial-search.js';
import { plug } from './plug.js';
import { partialRef } from './refs.js';
import { isOpen, Open, resolve, symbolicOf } from './symbolic.js';

/** The value of a term whose variables have values; a ref's may be unbound. */
export function symbolicOperand(
  search: PartialSearch,
  term: Term,
  frame: Frame,
  asked: PartialAsked,
  then: WithSymbolic,
): Next {
  switch (term.type) {
    case 'ref':
      return partialRef(search, term as RefTerm, frame, asked, then);
    case 'arraycomprehension':
    case 'setcomprehension':
    case 'objectcomprehension': {
      const isOpenInside = [...varsOf(term)].some((name) => isOpen(symbolicOf(frame, name)));
      const isKnown = !isOpenInside && !search.reach.node(term) && search.context.modifiers.length === 0;
      if (isKnown) return search.comprehension(term, frame, (value) => then(value, 'term'));
      return then(new Open(plug(search, term, frame)), 'term');
    }
    default: {
      const value = resolve(term, frame);
      if (value === undefined) throw new Error('an operand has no value');
      return then(value, 'term');
    }
  }
}
