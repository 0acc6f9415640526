/**
 * Traces of partial evaluation: expressions that depend on something unknown are saved for later,
 * and the evaluation goes on as if they held.
 */

import { callExpr, operatorRef, termExpr, varTerm } from '../../compiler/ast/make.js';
import type { Body, Expr, Term } from '../../compiler/ast/nodes.js';
import { varsOf } from '../../compiler/ast/vars.js';
import { walk } from '../../compiler/ast/walk.js';
import { isEquality } from '../../compiler/resolve/declared.js';
import type { Frame } from '../bindings.js';
import { unknownMark } from '../explain/locals.js';
import type { Next, Step } from '../machine.js';
import type { TracedQuery } from '../tracer.js';
import type { Traced } from './traced.js';
import { reportUnify } from './unify.js';

/** Whether an expression has to wait for something unknown. */
export function isUnknown(search: Traced, expr: Expr, frame: Frame): boolean {
  const { unknowns } = search;
  if (unknowns === undefined) return false;
  let found = false;
  walk(expr, (node) => {
    if (node.type === 'ref') found ||= unknowns.includes(node.terms);
    else if (node.type === 'var') found ||= frame.values.has(unknownMark + node.name);
    return !found;
  });
  return found;
}

/** Saves an expression; its variables are unknown from here on. */
export function saveExpression(search: Traced, expr: Expr, index: number, query: TracedQuery, frame: Frame, found: Step): Next {
  const { machine } = search;
  const save = (one: Expr): void => reportSave(search, { ...one, generated: false }, 0);
  if (search.tracer.wantsUnify && expr.kind === 'call' && isEquality(expr)) reportOperands(search, expr.args, frame);
  if (expr.kind === 'term') {
    const variable = varTerm(expr.loc, `$_term_${query.id}_${index}`);
    if (search.tracer.wantsUnify) reportOperands(search, [expr.term, variable], frame);
    save(callExpr(expr.loc, operatorRef(expr.loc, 'eq'), [expr.term, variable]));
    save(termExpr(expr.loc, variable));
  } else save(expr);
  for (const name of varsOf(expr, { skipOperators: true, skipRefHead: true })) {
    if (!frame.values.has(name) && !frame.values.has(unknownMark + name)) machine.bind(frame, unknownMark + name, true);
  }
  search.saved.push(expr);
  machine.onBacktrack('expr', () => void search.saved.pop());
  return found;
}

function reportOperands(search: Traced, [a, b]: readonly Term[], frame: Frame): void {
  reportUnify(search, { term: a!, frame }, { term: b!, frame });
}

function reportSave(search: Traced, expr: Expr, index: number): void {
  const { machine } = search;
  const { place } = machine;
  machine.place = { ...place, node: { type: 'expr', expr, index } };
  search.report('save');
  machine.place = place;
}

/** A negated body: it fails where the body holds without a condition. */
export function negateUnknown(search: Traced, body: Body, frame: Frame, isTrue: Step, isFalse: Step): Next {
  const { machine } = search;
  const { place } = machine;
  const before = search.saved.length;
  const alternatives: (readonly Expr[])[] = [];
  machine.push(() => {
    if (alternatives.some(({ length }) => length === 0)) return isTrue();
    const single = alternatives.flatMap((saved) => (saved.length === 1 ? saved : []));
    for (const [i, expr] of single.entries()) reportSave(search, { ...expr, generated: false, negated: !expr.negated }, i);
    return isFalse();
  });
  return search.expressions(body, search.newQuery(place.query), frame, () => {
    alternatives.push(search.saved.slice(before));
    return machine.fail();
  });
}
