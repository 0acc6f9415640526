/** Facts about the expressions of a body, and expressions that are decided without a search. */

import { functionName } from '../../compiler/ast/names.js';
import type { Body, CallExpr, Expr, Term } from '../../compiler/ast/nodes.js';
import { equal } from '../../values/equal.js';
import type { Frame } from '../bindings.js';
import { callAtOnce } from '../calls.js';
import { immediateValue, missing } from '../refs/immediate.js';
import type { Search } from '../search.js';
import { type Scan, scanOf } from './array-scans.js';

interface BodyStep {
  readonly expr: Expr;
  readonly scan: Scan | undefined;
  /** The form of an expression that can be decided at once, where it has one. */
  readonly equality: readonly [Term, Term] | undefined;
  readonly call: CallExpr | undefined;
  readonly truth: Term | undefined;
}

const known = new WeakMap<Body, readonly BodyStep[]>();

export function stepsOf(body: Body): readonly BodyStep[] {
  let steps = known.get(body);
  if (steps === undefined) known.set(body, (steps = body.map((expr, i) => stepOf(expr, body[i + 1]))));
  return steps;
}

function stepOf(expr: Expr, next: Expr | undefined): BodyStep {
  const isPlain = expr.with.length === 0 && !expr.negated;
  const call = isPlain && expr.kind === 'call' ? expr : undefined;
  const isEquality = call !== undefined && call.args.length === 2 && functionName(call.operator) === 'eq';
  return {
    expr,
    scan: scanOf(expr, next),
    equality: isEquality ? (call.args as readonly [Term, Term]) : undefined,
    call: isEquality ? undefined : call,
    truth: isPlain && expr.kind === 'term' ? expr.term : undefined,
  };
}

/** Whether an expression holds; undefined if it takes a search. */
export function decide(search: Search, { equality, call, truth }: BodyStep, frame: Frame): boolean | undefined {
  if (equality !== undefined) return unifyAtOnce(search, equality[0], equality[1], frame);
  if (call !== undefined) return callAtOnce(search, call, frame);
  if (truth === undefined) return undefined;
  const value = immediateValue(search, truth, frame);
  return value === undefined ? undefined : value !== missing && value !== false;
}

function unifyAtOnce(search: Search, a: Term, b: Term, frame: Frame): boolean | undefined {
  if (a.type === 'var' && !frame.values.has(a.name)) return bindAtOnce(search, a.name, b, frame);
  if (b.type === 'var' && !frame.values.has(b.name)) return bindAtOnce(search, b.name, a, frame);
  const left = immediateValue(search, a, frame);
  if (left === undefined) return undefined;
  if (left === missing) return false;
  const right = immediateValue(search, b, frame);
  return right === undefined ? undefined : right !== missing && equal(left, right);
}

function bindAtOnce(search: Search, name: string, term: Term, frame: Frame): boolean | undefined {
  const value = immediateValue(search, term, frame);
  if (value === undefined) return undefined;
  if (value === missing) return false;
  search.machine.bind(frame, name, value);
  return true;
}
