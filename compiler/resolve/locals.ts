/**
 * Gives the variables of `:=`, `some`, `every` and parameters names of their own, so that no later
 * stage need know scopes.
 */

import { booleanTerm, refTerm, termExpr, varTerm } from '../ast/make.js';
import { isWildcard } from '../ast/names.js';
import type {
  Body,
  CallExpr,
  EveryExpr,
  Expr,
  LogicalExpr,
  Ref,
  RefTerm,
  SomeExpr,
  Term,
  VarTerm,
  With,
} from '../ast/nodes.js';
import { isRoot } from '../ast/paths.js';
import { printRef } from '../ast/print.js';
import { varsOf } from '../ast/vars.js';
import { mapExprChildren, mapTermChildren } from '../ast/walk.js';
import { outputsOfEquality } from '../check/output-vars.js';
import type { ComplaintName } from '../diagnostics/complaints.js';
import type { Span } from '../source/location.js';
import { addVars, isAssignment, rootName } from './expression-kinds.js';
import { LocalScopes, type LocalUse } from './local-scopes.js';
import { checkUnused } from './unused.js';
import { type Context, report } from './working-module.js';

const redeclared: Readonly<Record<LocalUse, ComplaintName>> = {
  argument: 'argRedeclared',
  seen: 'referencedAbove',
  assigned: 'assignedAbove',
  declared: 'declaredAbove',
};

const noNames: ReadonlySet<string> = new Set();

/** Rewrites bodies. One is made for each rule, link or query; `errors` counts its reports. */
export class LocalRewriter {
  readonly context: Context;
  readonly scopes: LocalScopes;
  errors = 0;

  constructor(context: Context, scopes: LocalScopes = new LocalScopes(context.locals)) {
    this.context = context;
    this.scopes = scopes;
  }

  #report(name: ComplaintName, span: Span, at: { name: string }): void {
    this.errors++;
    // All complaints of this file have the hole `name` or none.
    report(this.context, name as 'declaredAbove', span, at);
  }

  /** `used` are variables that the head of a rule or comprehension uses. */
  body(body: Body, used: ReadonlySet<string>): Body {
    const statements: (Expr | undefined)[] = [];
    const rewritten: Expr[] = [];
    for (const expr of body) {
      const next = this.#statement(expr);
      statements.push(next);
      if (next !== undefined) rewritten.push(next);
    }
    if (rewritten.length === 0) {
      const { loc } = body[0]!;
      rewritten.push(termExpr(loc, booleanTerm(loc, true)));
    }
    if (this.errors === 0) this.errors += checkUnused(this.context, { body, statements, rewritten }, this.scopes, used);
    return rewritten;
  }

  /** The expression rewritten; undefined where it only declares. */
  #statement(expr: Expr): Expr | undefined {
    switch (expr.kind) {
      case 'some':
        return this.#some(expr);
      case 'every':
        return this.#every(expr);
      case 'not': {
        const [first] = expr.body;
        if (!expr.explicit && first && isAssignment(first)) this.#report('assignNegated', first.loc, { name: '' });
        return { ...expr, body: this.#scoped(expr.body), with: this.#modifiers(expr.with) };
      }
      case 'and':
      case 'or': {
        const lhs = this.#scoped(expr.lhs);
        const rhs = this.#scoped(expr.rhs);
        this.#useOperands(expr);
        return { ...expr, lhs, rhs, with: this.#modifiers(expr.with) };
      }
      default:
        return isAssignment(expr) ? this.#assignment(expr) : this.expr(expr);
    }
  }

  #scoped(body: Body): Body {
    return this.scopes.within(() => this.body(body, noNames));
  }

  /** The variables of operands without braces are those of the body around them. */
  #useOperands({ lhs, rhs, explicitLhs, explicitRhs }: LogicalExpr): void {
    for (const body of [explicitLhs ? [] : lhs, explicitRhs ? [] : rhs]) {
      for (const expr of body) {
        if (expr.kind === 'and' || expr.kind === 'or') this.#useOperands(expr);
        else
          for (const name of varsOf(expr, { skipRefHead: true, skipOperators: true, skipClosures: true }))
            this.scopes.use(name);
      }
    }
  }

  /** An expression that declares nothing. */
  expr(expr: Expr): Expr {
    if (expr.with.length === 0) return mapExprChildren(expr, this.#mapper);
    const mapped = mapExprChildren({ ...expr, with: [] }, this.#mapper);
    return { ...mapped, with: this.#modifiers(expr.with) };
  }

  readonly #mapper = {
    term: (term: Term): Term => this.term(term),
    body: (body: Body): Body => this.#scoped(body),
  };

  term(term: Term): Term {
    switch (term.type) {
      case 'var':
        return this.#variable(term);
      case 'ref': {
        const root = rootName(term);
        if (root === undefined) return mapTermChildren(term, this.#mapper);
        const local = this.scopes.find(root);
        return local && local.occurrence !== 'seen' ? varTerm(term.loc, local.name) : term;
      }
      case 'call':
        this.#checkOperator(term.operator, term.loc);
        return mapTermChildren(term, this.#mapper);
      case 'arraycomprehension':
      case 'setcomprehension': {
        const used = new Set<string>();
        addVars(term.term, used);
        return this.scopes.within(() => {
          const body = this.body(term.body, used);
          return { ...term, term: this.term(term.term), body };
        });
      }
      case 'objectcomprehension': {
        const used = new Set<string>();
        addVars(term.key, used);
        addVars(term.value, used);
        return this.scopes.within(() => {
          const body = this.body(term.body, used);
          return { ...term, key: this.term(term.key), value: this.term(term.value), body };
        });
      }
      case 'templatestring':
        return { ...term, parts: term.parts.map((part) => (part.type === 'expr' ? this.expr(part) : this.term(part))) };
      default:
        return mapTermChildren(term, this.#mapper);
    }
  }

  #variable(term: VarTerm): VarTerm {
    const name = this.scopes.use(term.name);
    return name === term.name ? term : varTerm(term.loc, name);
  }

  /** Functions are no values: a variable cannot stand for one. */
  #checkOperator({ terms }: RefTerm, loc: Span): void {
    const [head] = terms;
    if (terms.length === 1 && head?.type === 'var' && !this.scopes.find(head.name)) return;
    const names = new Set<string>();
    for (const term of terms) addVars(term, names);
    for (const name of names) {
      const local = this.scopes.find(name);
      if (local && local.name !== name) this.#report('functionShadowed', loc, { name: printRef(terms) });
    }
  }

  /** A target `input` means the document even where a variable of that name hides it. */
  #modifiers(modifiers: readonly With[]): readonly With[] {
    if (modifiers.length === 0) return modifiers;
    return modifiers.map((modifier) => ({
      ...modifier,
      target: this.#target(modifier.target),
      value: this.term(modifier.value),
    }));
  }

  #target(target: Term): Term {
    if (target.type !== 'ref') return this.term(target);
    const [head, ...rest] = target.terms as readonly [Term, ...Term[]];
    const kept = isRoot(head, 'input');
    return { ...target, terms: [kept ? head : this.term(head), ...rest.map((term) => this.term(term))] };
  }

  /** The right side is read before the left side declares. */
  #assignment(expr: CallExpr): Expr {
    if (expr.negated) {
      this.#report('assignNegated', expr.loc, { name: '' });
      return expr;
    }
    const before = this.errors;
    const [lhs, rhs] = expr.args as readonly [Term, Term];
    const value = this.term(rhs);
    const modifiers = expr.with.map((modifier) => ({ ...modifier, value: this.term(modifier.value) }));
    const target = this.#assignee(lhs);
    if (this.errors > before) return expr;
    const { loc } = expr.operator;
    return { ...expr, operator: refTerm(loc, [varTerm(loc, 'eq')]), args: [target, value], with: modifiers };
  }

  #assignee(term: Term): Term {
    switch (term.type) {
      case 'var':
        return varTerm(term.loc, this.#declare(term.name, 'assigned', term.loc));
      case 'array':
        return { ...term, items: term.items.map((item) => this.#assignee(item)) };
      case 'object':
        return { ...term, entries: term.entries.map(({ key, value }) => ({ key, value: this.#assignee(value) })) };
      case 'ref': {
        const root = rootName(term);
        if (root !== undefined) return varTerm(term.loc, this.#declare(root, 'assigned', term.loc));
      }
    }
    this.errors++;
    report(this.context, 'cannotAssign', term.loc, { kind: term.type });
    return term;
  }

  #declare(written: string, occurrence: LocalUse, loc: Span): string {
    const known = this.scopes.top.get(written);
    if (!known) return this.scopes.declare(written, occurrence);
    this.#report(redeclared[known.occurrence], loc, { name: isWildcard(written) ? '_' : written });
    return written;
  }

  #some(expr: SomeExpr): Expr | undefined {
    for (const symbol of expr.symbols) {
      if (symbol.type === 'call') return this.#someIn(expr, symbol.args);
      const before = this.errors;
      if (symbol.type === 'var') this.#declare(symbol.name, 'declared', expr.loc);
      if (this.errors > before) return undefined;
    }
    return undefined;
  }

  /** `some k, v in xs` is `v = xs[k]`, with new variables for its bindings. */
  #someIn(expr: SomeExpr, args: readonly Term[]): Expr | undefined {
    const container = args[args.length - 1]!;
    const value = args[args.length - 2]!;
    const key = args.length === 3 ? args[0]! : varTerm(container.loc, this.scopes.freshKey());
    const path: Ref = container.type === 'ref' ? [...container.terms, key] : [container, key];
    const equality: CallExpr = {
      type: 'expr',
      kind: 'call',
      loc: expr.loc,
      negated: expr.negated,
      generated: false,
      with: expr.with,
      operator: refTerm(expr.loc, [varTerm(expr.loc, 'eq')]),
      args: [value, refTerm(container.loc, path)],
    };
    for (const name of boundByMembership(args, equality)) {
      const before = this.errors;
      this.#declare(name, 'declared', expr.loc);
      if (this.errors > before) return undefined;
    }
    return this.expr(equality);
  }

  #every(expr: EveryExpr): Expr {
    const domain = this.term(expr.domain);
    return this.scopes.within(() => {
      const key = expr.key ? this.#everyVariable(expr.key, expr.loc) : varTerm(expr.value.loc, this.scopes.fresh());
      const value = this.#everyVariable(expr.value, expr.loc);
      const body = this.body(expr.body, noNames);
      return { ...expr, key, value, domain, body, with: this.#modifiers(expr.with) };
    });
  }

  #everyVariable(term: VarTerm, loc: Span): VarTerm {
    return isWildcard(term.name) ? term : varTerm(term.loc, this.#declare(term.name, 'declared', loc));
  }
}

/**
 * The variables that `some k, v in xs` declares, in order: the variables of `k` and `v` that do
 * not occur in `xs`.
 */
function boundByMembership(args: readonly Term[], equality: CallExpr): readonly string[] {
  const known = new Set<string>();
  addVars(args[args.length - 1]!, known);
  const [first, second] = args as readonly [Term, Term];
  if (args.length === 2 && first.type === 'var') return known.has(first.name) ? [] : [first.name];
  if (args.length === 2) addVars((equality.args[1] as RefTerm).terms.at(-1)!, known);
  else if (first.type === 'var' && second.type === 'var' && first.name !== second.name)
    return [first.name, second.name].filter((name) => !known.has(name)).sort();
  return [...outputsOfEquality(equality, known)].filter((name) => !known.has(name)).sort();
}
