/** `not`: the complement of the residual of the expressions under it. */

import type { Body, CallExpr, Expr, RefTerm } from '../../../compiler/index.js';
import {
  booleanTerm,
  exprBase,
  isOperator,
  nowhere,
  stringTerm,
  termExpr,
  trueBody,
  varsOf,
  varTerm,
} from '../../../compiler/index.js';
import type { Next, Step } from '../machine.js';
import type { PartialSearch } from './partial-search.js';
import { savedOf } from './residual/partial-context.js';
import { shortened } from './residual/shortened.js';
import { supportRef } from './residual/support-modules.js';
import { nested, save } from './save.js';

/** More alternatives than this become rules of the residual. */
const maxAlternatives = 64;

/**
 * Continues where a search has no solution, with the conditions for that saved.
 * @param explicit of an expression with the keyword's new meaning; undefined for the old one
 */
export function negatePartially(
  search: PartialSearch,
  explicit: boolean | undefined,
  find: (found: Step) => Next,
  then: Step,
): Next {
  const { machine } = search;
  const outer = search.context;
  const bodies: Body[] = [];
  let holds = false;
  const choice = machine.push(() => {
    if (holds) return machine.fail();
    if (bodies.length === 0) return then;
    return complement(search, bodies, explicit, then);
  });
  search.context = nested(outer, { isNegated: true });
  search.trace?.enterInner();
  return find(() => {
    const body = withTests(savedOf(search.context));
    if (body.length > 0) bodies.push(body);
    else {
      holds = true;
      machine.cut(choice);
    }
    return machine.fail();
  });
}

/** The test of a variable that only names a ref is a test of the ref. */
function withTests(body: Body): Body {
  const last = body.at(-1);
  if (last?.kind !== 'term' || last.term.type !== 'var' || last.negated || last.with.length > 0) return body;
  const { name } = last.term;
  const using = body.filter((expr) => varsOf(expr).has(name));
  const [first] = using;
  if (
    using.length !== 2 ||
    first?.kind !== 'call' ||
    first.negated ||
    first.with.length > 0 ||
    !isOperator(first.operator, 'eq')
  )
    return body;
  const [variable, ref] = first.args;
  if (variable?.type !== 'var' || variable.name !== name || ref?.type !== 'ref' || varsOf(ref).has(name)) return body;
  return body.flatMap((expr) => (expr === first ? [] : expr === last ? [termExpr(nowhere, ref)] : [expr]));
}

/** None of the bodies: of each one expression does not hold. */
function complement(search: PartialSearch, bodies: readonly Body[], explicit: boolean | undefined, then: Step): Next {
  const { machine } = search;
  if (explicit === true) {
    return bodies.every((body) => saveNot(search, body)) ? then : machine.fail();
  }
  const negatives = alternatives(search, bodies, explicit) ?? [condition(search, bodies, explicit)];
  return machine.each(negatives, (body) => {
    for (const [i, expr] of body.entries()) save(search, expr, i);
    return then;
  });
}

/**
 * A body under the keyword's new meaning may bind variables: it stays one expression. Returns
 * false for a body that always holds.
 */
function saveNot(search: PartialSearch, body: Body): boolean {
  const live = new Set([...varsOfBody(body)].filter((name) => search.names.isBound(name)));
  const short = shortened(search, body, live);
  // A body that cannot hold needs no expression.
  if (short !== undefined && short.length > 0)
    save(search, { ...exprBase(nowhere), kind: 'not', body: short, explicit: true });
  return short?.length !== 0;
}

function varsOfBody(body: Body): ReadonlySet<string> {
  return new Set(body.flatMap((expr) => [...varsOf(expr, { skipOperators: true, skipClosures: false })]));
}

/** Undefined where the complement has to be a rule: of variables that are bound inside, or long. */
function alternatives(
  search: PartialSearch,
  bodies: readonly Body[],
  explicit: boolean | undefined,
): readonly Body[] | undefined {
  const count = bodies.reduce((product, body) => product * body.length, 1);
  if (count > maxAlternatives || !bodies.every((body) => body.every((expr) => canNegate(search, expr))))
    return undefined;
  let found: readonly Expr[][] = [[]];
  for (const body of bodies) {
    const next: Expr[][] = [];
    for (const before of found) for (const expr of body) next.push([...before, opposite(expr, explicit)]);
    found = next;
  }
  return found;
}

/** Whether an expression may stand under `not`, and all its variables are bound outside. */
function canNegate(search: PartialSearch, expr: Expr): boolean {
  if (expr.kind !== 'term' && expr.kind !== 'call' && expr.kind !== 'not') return false;
  return [...varsOf(expr, { skipOperators: true, skipRefHead: false, skipClosures: true })].every(
    (name) => name === 'data' || name === 'input' || search.names.isBound(name),
  );
}

function opposite(expr: Expr, explicit: boolean | undefined): Expr {
  if (expr.kind === 'not' && expr.with.length === 0) {
    const [only, ...others] = expr.body;
    if (only !== undefined && others.length === 0) return only;
  }
  if (expr.negated) return { ...expr, negated: false };
  if (explicit === undefined) return { ...expr, negated: true };
  return { ...exprBase(nowhere), kind: 'not', body: [expr], explicit: false };
}

/**
 * A rule that holds where one of the bodies does, and the expression that it does not. Bodies that
 * never hold need no rule.
 */
function condition(search: PartialSearch, bodies: readonly Body[], explicit: boolean | undefined): Body {
  const used = new Set(bodies.flatMap((body) => [...varsOfBody(body)]));
  const args = [...used]
    .filter((one) => one !== 'data' && one !== 'input' && search.names.isBound(one))
    .map((one) => varTerm(nowhere, one));
  const live = new Set(args.map((arg) => arg.name));
  const shorter = bodies.map((body) => shortened(search, body, live)).filter((body) => body !== undefined);
  if (shorter.length === 0) return [];
  const name = search.support.condition();
  for (const short of shorter) {
    const rule = {
      type: 'rule' as const,
      loc: nowhere,
      default: false,
      body: short.length === 0 ? trueBody(nowhere) : short,
      generatedBody: short.length === 0,
      else: undefined,
      annotations: [],
    };
    const head = {
      type: 'head' as const,
      loc: nowhere,
      args: args.length === 0 ? undefined : args,
      key: undefined,
      value: booleanTerm(nowhere, true),
      assign: false,
      generatedValue: true,
      hasIf: true,
      hasContains: false,
    };
    search.support.add([stringTerm(nowhere, name)], rule, head);
  }
  const ref = supportRef([name]) as RefTerm;
  const positive: Expr = args.length === 0 ? termExpr(nowhere, ref) : callOf(ref, args);
  return [opposite(positive, explicit)];
}

function callOf(operator: RefTerm, args: CallExpr['args']): CallExpr {
  return { ...exprBase(nowhere), kind: 'call', operator, args };
}
