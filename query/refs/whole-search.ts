/** Searches that evaluate sets, objects and packages as plans do. */

import type { RefTerm } from '../../compiler/ast/nodes.js';
import type { VirtualDocument } from '../../compiler/resolve/virtual-document.js';
import type { Value } from '../../runtime/values/value.js';
import type { Frame } from '../bindings.js';
import { evaluateCollection, lookUp } from '../collections.js';
import type { Next, WithValue } from '../machine.js';
import { QuerySearch } from '../query-search.js';
import { staticPlaceOf } from './static-places.js';

/**
 * Evaluates sets, objects, and packages that refs iterate over as a whole before it goes on: it
 * comes by each conflict that a plan comes by, also at keys that nobody asks for.
 */
export class WholeSearch extends QuerySearch {
  override ref(ref: RefTerm, frame: Frame, then: WithValue): Next {
    const { document, next } = staticPlaceOf(this.program, ref);
    const isIterated = next < ref.terms.length;
    const inOrder = (): Next => super.ref(ref, frame, then);
    if (document?.kind !== 'package' || !isIterated || !isData(ref)) return inOrder();
    return this.machine.all(
      (found) => this.document(document, frame, () => found),
      () => {},
      inOrder,
    );
  }

  override documentAt(document: VirtualDocument, keys: readonly Value[], frame: Frame, then: WithValue): Next {
    return evaluateCollection(this, document, frame, (value) => lookUp(this.machine, value, keys, then));
  }
}

function isData({ terms: [head] }: RefTerm): boolean {
  return head?.type === 'var' && head.name === 'data';
}
