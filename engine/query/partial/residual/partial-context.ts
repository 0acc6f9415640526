/** The expressions that the search has saved on its way, and the switches of its surroundings. */

import { type Body, type Expr, nowhere, type Span, type With } from '../../../../compiler/index.js';

interface Saved {
  readonly expr: Expr;
  readonly before: Saved | undefined;
}

/** Kept by the machine with each choice, so never changed in place. */
export interface PartialContext {
  readonly saved: Saved | undefined;
  /** The expression that is being evaluated: saved expressions without a place have its place. */
  readonly at: Span;
  /** Under `not`. */
  readonly isNegated: boolean;
  /** Modifiers of an expression whose unknowns they replace: everything saved keeps them. */
  readonly modifiers: readonly With[];
  /** Modifiers that hold here, for saved refs to rules and closures, which are evaluated again. */
  readonly active: readonly With[];
}

export const firstContext: PartialContext = {
  saved: undefined,
  at: nowhere,
  isNegated: false,
  modifiers: [],
  active: [],
};

/** The saved expressions in their order. */
export function savedOf({ saved }: PartialContext): Body {
  const body: Expr[] = [];
  for (let one = saved; one !== undefined; one = one.before) body.push(one.expr);
  return body.reverse();
}
