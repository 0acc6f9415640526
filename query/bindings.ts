/** The variables of a query's or a rule's body. */

import type { Span } from '../compiler/source/location.js';
import type { Value } from '../runtime/values/value.js';

/**
 * One evaluation of a body. Variables of comprehensions and other inner bodies are in the frame of
 * the body around them: the search unbinds them when it leaves the inner body.
 */
export class Frame {
  readonly values = new Map<string, Value>();
  /** The rule's name for errors; undefined for a query. */
  readonly rule: string;
  /** The frame of the call; undefined for a query. */
  readonly caller: Frame | undefined;
  /** The expression that is being evaluated. */
  at: Span;

  constructor(rule: string, caller: Frame | undefined, at: Span) {
    this.rule = rule;
    this.caller = caller;
    this.at = at;
  }
}
