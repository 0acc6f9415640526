/**
 * Safety: every variable is bound before it is needed. Orders bodies so, and reports variables that
 * no order binds.
 */

import { isWildcard } from '../ast/names.js';
import type { Body, Expr, Node, Rule, RuleHead, Term } from '../ast/nodes.js';
import { varsOf } from '../ast/vars.js';
import { type Mapper, mapExprChildren, mapTermChildren, walk } from '../ast/walk.js';
import { addVars, isEquality } from '../resolve/expression-kinds.js';
import { captureMark, isCapture, isGeneratedName } from '../resolve/local-names.js';
import { mayHaveVars } from '../resolve/rule-locals.js';
import { arityOf, type Context, report } from '../resolve/working-module.js';
import type { Span } from '../source/location.js';
import { orderBody } from './body-order.js';
import { type Bound, isBound } from './bound.js';
import type { Arity } from './output-vars.js';
import { addSafetyVars } from './safety-vars.js';

/** Words that are keywords somewhere: a variable of that name was likely meant to be one. */
const keywords: ReadonlySet<string> = new Set(['and', 'contains', 'every', 'if', 'in', 'not', 'or']);

/** Variables of a head must be in the body (or be parameters). */
export function checkHeadSafety(link: Rule, context: Context): void {
  const { head } = link;
  if (!mayHaveVars(head)) return;
  const used = headVars(head);
  if (used.size === 0) return;
  const known = new Set<string>();
  for (const name of lacking(used, link.body, known)) {
    const written = context.locals.written(name);
    // An author may write a name like those of the stages.
    if (!isGeneratedName(written) || context.locals.isTaken(written))
      report(context, 'unsafeVar', placeOf(name, head) ?? link.loc, {
        name: shown(written),
        rule: context.lines?.sharedName(link),
      });
  }
}

/** Where a head has a variable first. */
function placeOf(name: string, { ref, key, value }: RuleHead): Span | undefined {
  let found: Span | undefined;
  for (const term of [...ref.slice(1), ...(key ? [key] : []), ...(value ? [value] : [])]) {
    walk(term, (node) => {
      if (node.type === 'var' && node.name === name && (!found || node.loc.start < found.start)) found = node.loc;
    });
  }
  return found;
}

/** The used variables that a body does not have; looks at no more of the body than it must. */
function lacking(used: ReadonlySet<string>, body: Body, known: Set<string>): readonly string[] {
  let missing = [...used];
  // Looking for all of them after each expression would take the square of the time.
  let next = 1;
  for (const [i, expr] of body.entries()) {
    if (missing.length === 0) break;
    addSafetyVars(expr, known);
    if (i + 1 !== next && i + 1 !== body.length) continue;
    missing = missing.filter((name) => !isBound(name, known));
    next *= 2;
  }
  return missing;
}

/** The variables of a head that are no parameters. */
function headVars({ ref, key, value, args }: RuleHead): ReadonlySet<string> {
  const names = new Set<string>();
  if (key) addVars(key, names);
  if (value) addVars(value, names);
  for (const key of ref.slice(1)) addVars(key, names);
  if (names.size === 0 || !args) return names;
  const params = new Set<string>();
  for (const arg of args) addVars(arg, params);
  for (const name of params) names.delete(name);
  return names;
}

/** The value of a query's expression is a wildcard, as the query reads in errors. */
function shown(name: string): string {
  return isWildcard(name) || name.startsWith(captureMark) ? '_' : name;
}

const noNames: ReadonlySet<string> = new Set();

/** The link with its bodies in order; the same where variables are unsafe, which are reported. */
export function orderLink(link: Rule, context: Context): Rule {
  let params = noNames;
  if (link.head.args) {
    const names = new Set<string>();
    for (const arg of link.head.args) addVars(arg, names);
    params = names;
  }
  const body = orderSafely(link.body, params, context, link);
  return body === link.body ? link : { ...link, body };
}

/** A body in order, a rule's or a query; `outside` are the variables that it can rely on. */
export function orderSafely(body: Body, outside: Bound, context: Context, link?: Rule): Body {
  const checker = new SafetyChecker((operator) => arityOf(context, operator));
  const ordered = checker.body(body, outside);
  return reportUnsafe(checker.unsafe, context, link) > 0 ? body : ordered;
}

/** Bound variables inside of a closure: those around it and its own. */
class Scope implements Bound {
  readonly #outer: Bound;
  readonly #own = new Set<string>();
  /** Nodes that were added and not yet looked at: most are never asked for. */
  #fresh: Node[] = [];

  constructor(outer: Bound) {
    this.#outer = outer;
  }

  has(name: string): boolean {
    if (this.#fresh.length > 0) {
      for (const node of this.#fresh) addSafetyVars(node, this.#own);
      this.#fresh = [];
    }
    return this.#own.has(name) || this.#outer.has(name);
  }

  add(node: Node): void {
    this.#fresh.push(node);
  }
}

class SafetyChecker {
  /** Variables that nothing binds, by the expression that needs them. */
  readonly unsafe = new Map<Expr, Set<string>>();
  readonly #arity: Arity;

  constructor(arity: Arity) {
    this.#arity = arity;
  }

  #addUnsafe(expr: Expr, names: Iterable<string>): void {
    const known = this.unsafe.get(expr);
    if (!known) this.unsafe.set(expr, new Set(names));
    else for (const name of names) known.add(name);
  }

  body(body: Body, outside: Bound): Body {
    const { ordered, unsafe, closing } = orderBody(body, outside, this.#arity);
    for (const [expr, names] of unsafe) this.#addUnsafe(expr, names);
    const checked = closing.size === 0 ? ordered : this.#inside(ordered, closing, new Scope(outside));
    return unsafe.size === 0 && checked.some((expr, i) => expr !== body[i]) ? checked : body;
  }

  /** The expressions with the closures in them ordered. */
  #inside(ordered: readonly Expr[], closing: ReadonlySet<Expr>, scope: Scope): readonly Expr[] {
    return ordered.map((expr) => {
      const next = closing.has(expr) ? this.#closures(expr, scope) : expr;
      scope.add(expr);
      return next;
    });
  }

  /** The expression with the closures in it ordered; `scope` has the variables bound there. */
  #closures(expr: Expr, scope: Scope): Expr {
    const mapper: Mapper = {
      term: (term) => this.#term(term, expr, scope, mapper),
      body: (body) => this.body(body, scope),
    };
    if (expr.kind === 'every') {
      if (expr.key) scope.add(expr.key);
      scope.add(expr.value);
    }
    return mapExprChildren(expr, mapper);
  }

  #term(term: Term, expr: Expr, scope: Scope, mapper: Mapper): Term {
    switch (term.type) {
      case 'arraycomprehension':
      case 'setcomprehension':
        this.#comprehension([term.term], term.body, expr, scope);
        break;
      case 'objectcomprehension':
        this.#comprehension([term.key, term.value], term.body, expr, scope);
        break;
      case 'ref':
      case 'array':
      case 'set':
      case 'object':
        return mapTermChildren(term, mapper);
      default:
        return term;
    }
    const body = this.body(term.body, scope);
    return body === term.body ? term : { ...term, body };
  }

  /** The variables of a comprehension's head must be in its body, or bound outside. */
  #comprehension(head: readonly Term[], body: Body, expr: Expr, scope: Scope): void {
    const used = new Set<string>();
    for (const term of head) addVars(term, used);
    const inner = new Set<string>();
    for (const each of body) addSafetyVars(each, inner);
    const lacking = [...used].filter((name) => !inner.has(name) && !isBound(name, scope));
    if (lacking.length > 0) this.#addUnsafe(expr, lacking);
  }
}

/**
 * Whether the value of a query's call is unbound only because a ref in its operands is: of
 * `foo.x > 1` the variable at the ref's head is reported alone.
 */
function isBoundByCall(name: string, unsafe: ReadonlySet<string>, expr: Expr): boolean {
  if (!isCapture(name) || expr.kind !== 'call' || isEquality(expr)) return false;
  const needed = expr.args.slice(0, -1).map((arg) => varsOf(arg, { skipRefHead: true, skipClosures: true }));
  return unsafe.size > 1 && !needed.some((names) => [...names].some((each) => unsafe.has(each)));
}

/**
 * Reports each variable once, at the first expression that needs it. Answers how many complaints
 * that made.
 */
function reportUnsafe(
  unsafe: ReadonlyMap<Expr, ReadonlySet<string>>,
  context: Context,
  link: Rule | undefined,
): number {
  if (unsafe.size === 0) return 0;
  const exprs = [...unsafe].sort(([a], [b]) => a.loc.start - b.loc.start);
  const seen = new Set<string>();
  const rule = link && context.lines?.sharedName(link);
  let count = 0;
  for (const [expr, names] of exprs) {
    for (const name of names) {
      if (seen.has(name)) continue;
      seen.add(name);
      const written = context.locals.written(name);
      if (isGeneratedName(written) || isBoundByCall(name, names, expr)) continue;
      count++;
      report(context, keywords.has(written) ? 'unsafeKeyword' : 'unsafeVar', expr.loc, { name: shown(written), rule });
    }
  }
  if (count > 0) return count;
  // Only generated variables: they mean nothing to the author, the expressions do.
  const shownOnce = new Set<string>();
  for (const [expr, names] of exprs) {
    const before = shownOnce.size;
    for (const name of names) shownOnce.add(name);
    if (shownOnce.size === before) continue;
    count++;
    report(context, 'unsafeExpression', expr.loc, {});
  }
  return count;
}
