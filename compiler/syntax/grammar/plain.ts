/** Expressions without negation, modifiers and iteration. */

import { callExpr, exprOf } from '../../ast/make.js';
import type { Expr } from '../../ast/nodes.js';
import * as t from '../tokens.js';
import { operator } from './leaves.js';
import { expression } from './operators.js';
import type { Parser } from './rules.js';

/** A term, a unification or an assignment. */
export function plain($: Parser): Expr {
  const start = $.next.startOffset;
  const left = expression($);
  if (!$.at(t.Assign) && !$.at(t.Unify)) return exprOf($.span(start), left);
  const token = $.CONSUME($.next.tokenType);
  const right = expression($);
  return callExpr($.span(start), operator($, token), [left, right]);
}
