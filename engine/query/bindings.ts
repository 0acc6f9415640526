/** The variables of a query's or a rule's body. */

import type { Span, VirtualDocument } from '../../compiler/index.js';
import type { Value } from '../../values/index.js';

/**
 * One evaluation of a body. Variables of comprehensions and other inner bodies are in the frame of
 * the body around them: the search unbinds them when it leaves the inner body.
 */
export class Frame {
  readonly values = new Map<string, Value>();
  /** The document whose rule this is; undefined for a query. */
  readonly document: VirtualDocument | undefined;
  /** The frame of the call; undefined for a query. */
  readonly caller: Frame | undefined;
  /** The expression that is being evaluated. */
  at: Span;

  constructor(document: VirtualDocument | undefined, caller: Frame | undefined, at: Span) {
    this.document = document;
    this.caller = caller;
    this.at = at;
  }
}
