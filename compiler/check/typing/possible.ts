/** Bodies without what their types rule out. */

import { booleanTerm, termExpr } from '../../ast/make.js';
import type { Body, Comprehension, Expr, RefTerm, Term } from '../../ast/nodes.js';
import { isRoot } from '../../ast/paths.js';
import { varsOf } from '../../ast/vars.js';
import { mapExprChildren, mapTermChildren, walk } from '../../ast/walk.js';
import { nowhere } from '../../source/location.js';
import type { Types } from '../rule-types.js';
import { BodyChecker } from './body.js';
import { Globals, type TypeScope } from './env.js';
import { anything } from './type.js';

const noNames: ReadonlyMap<string, string> = new Map();

const never: Body = [termExpr(nowhere, booleanTerm(nowhere, false))];
const always: Body = [termExpr(nowhere, booleanTerm(nowhere, true))];

/**
 * Finds what can never hold in bodies that no author wrote, such as those of inlined functions:
 * `x = split(input.a, ":")[0]; x = null`. The type checker would refuse it.
 */
export class PossibleBodies {
  readonly #checker: BodyChecker;
  readonly #isMissing: (ref: RefTerm) => boolean;
  /** The modifiers around the expression: they may replace documents that a ref reads. */
  #modifiers = 0;

  /** @param isMissing whether nothing is at a ref's end, where no modifier replaces it */
  constructor({ globals }: Types, isMissing: (ref: RefTerm) => boolean) {
    this.#isMissing = isMissing;
    // The notes of a check are not for the types of the policy.
    const own = new Globals(globals.builtins, globals.replacements);
    for (const [name, tree] of globals.documents) own.documents.set(name, tree);
    this.#checker = new BodyChecker(own, noNames, true);
  }

  /** @returns undefined if an expression of the body can never hold */
  body(body: Body): Body | undefined {
    return this.#body(body, this.#checker.scope());
  }

  #body(body: Body, scope: TypeScope): Body | undefined {
    const found: Expr[] = [];
    for (const expr of body) {
      const outcome = expr.negated ? this.#negated(expr, scope) : this.#expr(expr, scope);
      if (outcome === 'never') return undefined;
      if (outcome !== 'always') found.push(outcome);
    }
    return found;
  }

  /** A body inside an expression, which has no empty form. */
  #innerBody(body: Body, outer: TypeScope): Body | undefined {
    const found = this.#body(body, outer.inner());
    return found?.length === 0 ? always : found;
  }

  #negated(expr: Expr, scope: TypeScope): Expr | 'always' | 'never' {
    const found = this.#expr({ ...expr, negated: false }, scope.inner());
    if (found === 'never') return 'always';
    return found === 'always' ? 'never' : { ...found, negated: true };
  }

  #expr(expr: Expr, outer: TypeScope): Expr | 'always' | 'never' {
    this.#modifiers += expr.with.length;
    const found = this.#modified(expr, outer);
    this.#modifiers -= expr.with.length;
    return found;
  }

  #modified(expr: Expr, outer: TypeScope): Expr | 'always' | 'never' {
    const scope = this.#checker.scopeOf(expr, outer);
    const inner = (body: Body): Body | undefined => this.#innerBody(body, scope);
    switch (expr.kind) {
      case 'not': {
        const body = inner(expr.body);
        if (body === undefined) return 'always';
        return body === always ? 'never' : { ...expr, body };
      }
      case 'and': {
        const [lhs, rhs] = [inner(expr.lhs), inner(expr.rhs)];
        if (lhs === undefined || rhs === undefined) return 'never';
        return lhs === always && rhs === always ? 'always' : { ...expr, lhs, rhs };
      }
      case 'or': {
        const [lhs, rhs] = [inner(expr.lhs), inner(expr.rhs)];
        if (lhs === always || rhs === always) return 'always';
        return lhs === undefined && rhs === undefined ? 'never' : { ...expr, lhs: lhs ?? never, rhs: rhs ?? never };
      }
      case 'every': {
        const domain = this.#term(expr.domain, scope);
        // An empty domain needs no body that can hold.
        const body = inner(expr.body) ?? never;
        return this.#checked({ ...expr, domain, body: never }, outer) === 'never' ? 'never' : { ...expr, domain, body };
      }
      default: {
        const term = (one: Term): Term => this.#term(one, scope);
        return this.#checked(mapExprChildren(expr, { term, body: (body) => body }), outer);
      }
    }
  }

  #checked(written: Expr, scope: TypeScope): Expr | 'never' {
    return this.#readsMissing(written) || this.#isImpossible(ofPolicy(written), scope) ? 'never' : written;
  }

  /** Whether an operand is undefined; closures are looked at by themselves. */
  #readsMissing(expr: Expr): boolean {
    if (this.#modifiers > 0 || (expr.kind !== 'call' && expr.kind !== 'term' && expr.kind !== 'every')) return false;
    let found = false;
    const read = expr.kind === 'call' ? expr.args : [expr.kind === 'every' ? expr.domain : expr.term];
    for (const term of read) {
      walk(term, (node) => {
        if (node.type.endsWith('comprehension')) return false;
        if (node.type === 'ref') found ||= this.#isMissing(node);
        return !found;
      });
    }
    return found;
  }

  /** Whether an expression can never hold. */
  #isImpossible(expr: Expr, scope: TypeScope): boolean {
    const errors = this.#checker.expr(expr, scope);
    if (errors.length === 0) return false;
    if (errors.some(({ vague }) => !vague)) return true;
    // A variable without a type is no reason: it may be anything.
    const inner = scope.inner();
    for (const name of varsOf(expr, { skipOperators: true }))
      if (scope.variable(name) === undefined) inner.set(name, anything);
    return this.#checker.expr(expr, inner).length > 0;
  }

  /** Comprehensions whose bodies never hold are empty. */
  #term(term: Term, scope: TypeScope): Term {
    switch (term.type) {
      case 'arraycomprehension':
      case 'setcomprehension':
      case 'objectcomprehension': {
        const body = this.#innerBody(term.body, scope);
        return body === undefined ? emptyOf(term) : { ...term, body };
      }
      default:
        return mapTermChildren(term, { term: (one) => this.#term(one, scope), body: (body) => body });
    }
  }
}

/** A call of a function of the residual, `data.partial.f`, has the types of the function `f`. */
function ofPolicy(expr: Expr): Expr {
  if (expr.kind !== 'call') return expr;
  const [head, first, ...path] = expr.operator.terms;
  if (!isRoot(head, 'data') || first?.type !== 'string' || first.value !== 'partial') return expr;
  return { ...expr, operator: { ...expr.operator, terms: [head, ...path] } };
}

function emptyOf({ type, loc }: Comprehension): Term {
  if (type === 'objectcomprehension') return { type: 'object', loc, entries: [] };
  return { type: type === 'arraycomprehension' ? 'array' : 'set', loc, items: [] };
}
