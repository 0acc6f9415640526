/**
 * Renames the variables of bodies and terms so that each name has one meaning: variables of
 * different scopes get different names, and rules and imports become refs into `data` and `input`.
 */

import { refTerm, varTerm } from '../../compiler/ast/make.js';
import type { Body, CallExpr, EveryExpr, Expr, SomeExpr, Term, With } from '../../compiler/ast/nodes.js';
import { mapExprChildren, mapTermChildren } from '../../compiler/ast/walk.js';
import type { Scope } from './scope.js';

/** Whether an expression is `x := y`. */
function isAssignment(expr: Expr): expr is CallExpr {
  return expr.kind === 'call' && operatorName(expr.operator.terms) === 'assign';
}

/** The dotted name of a call's operator. */
export function operatorName(terms: readonly Term[]): string {
  return terms.map((term) => (term.type === 'var' ? term.name : term.type === 'string' ? term.value : '')).join('.');
}

/** Adds the variables that a pattern binds: those in arrays and in the values of objects. */
export function addPatternNames(pattern: Term, names: Set<string>): void {
  switch (pattern.type) {
    case 'var':
      names.add(pattern.name);
      return;
    case 'ref':
      if (pattern.terms.length === 1) addPatternNames(pattern.terms[0]!, names);
      return;
    case 'array':
      for (const item of pattern.items) addPatternNames(item, names);
      return;
    case 'object':
      for (const { value } of pattern.entries) addPatternNames(value, names);
  }
}

/** The names that a body declares at its own level. */
function declaredIn(body: Body): ReadonlySet<string> {
  const names = new Set<string>();
  for (const expr of body) {
    if (isAssignment(expr)) addPatternNames(expr.args[0]!, names);
    else if (expr.kind === 'some') {
      for (const symbol of expr.symbols) {
        for (const pattern of symbol.type === 'call' ? symbol.args.slice(0, -1) : [symbol]) addPatternNames(pattern, names);
      }
    }
  }
  return names;
}

/**
 * A body resolved in a new scope, together with the scope, which terms that see the body's
 * variables need.
 */
export function resolveBody(body: Body, enclosing: Scope): { readonly body: Body; readonly scope: Scope } {
  const scope = enclosing.inner(declaredIn(body));
  return { body: body.map((expr) => resolveExpr(expr, scope)), scope };
}

function resolveExpr(expr: Expr, scope: Scope): Expr {
  const modifiers = expr.with.map((modifier) => resolveModifier(modifier, scope));
  return { ...resolvePlain({ ...expr, with: [] }, scope), with: modifiers };
}

function resolvePlain(expr: Expr, scope: Scope): Expr {
  switch (expr.kind) {
    case 'some':
      return resolveSome(expr, scope);
    case 'every':
      return resolveEvery(expr, scope);
    case 'not':
      return { ...expr, body: resolveBody(expr.body, scope).body };
    case 'and':
    case 'or':
      return { ...expr, lhs: resolveBody(expr.lhs, scope).body, rhs: resolveBody(expr.rhs, scope).body };
    case 'call': {
      if (!isAssignment(expr)) break;
      const value = resolveTerm(expr.args[1]!, scope);
      return { ...expr, args: [declarePattern(expr.args[0]!, scope), value] };
    }
  }
  return mapExprChildren(expr, { term: (term) => resolveTerm(term, scope), body: (body) => resolveBody(body, scope).body });
}

/** The collection is resolved before the patterns declare variables. */
function resolveSome(expr: SomeExpr, scope: Scope): SomeExpr {
  const symbols = expr.symbols.map((symbol): Term => {
    if (symbol.type !== 'call') return declarePattern(symbol, scope);
    const collection = resolveTerm(symbol.args.at(-1)!, scope);
    return { ...symbol, args: [...symbol.args.slice(0, -1).map((pattern) => declarePattern(pattern, scope)), collection] };
  });
  return { ...expr, symbols };
}

function resolveEvery(expr: EveryExpr, scope: Scope): EveryExpr {
  const domain = resolveTerm(expr.domain, scope);
  const own = scope.inner(new Set());
  const key = expr.key && varTerm(expr.key.loc, own.declare(expr.key.name));
  const value = varTerm(expr.value.loc, own.declare(expr.value.name));
  return { ...expr, key, value, domain, body: resolveBody(expr.body, own).body };
}

/** The pattern with new variables; keys of objects and other terms in it are resolved. */
export function declarePattern(pattern: Term, scope: Scope): Term {
  switch (pattern.type) {
    case 'var':
      return varTerm(pattern.loc, scope.declare(pattern.name));
    case 'array':
      return { ...pattern, items: pattern.items.map((item) => declarePattern(item, scope)) };
    case 'object':
      return {
        ...pattern,
        entries: pattern.entries.map(({ key, value }) => ({ key: resolveTerm(key, scope), value: declarePattern(value, scope) })),
      };
    default:
      return resolveTerm(pattern, scope);
  }
}

/**
 * A target names a document or a function, even if a variable has that name; so does a value that
 * is the name of a built-in.
 */
function resolveModifier(modifier: With, scope: Scope): With {
  const { target, value } = modifier;
  const first = target.type === 'ref' ? target.terms[0]! : target;
  const isInput = first.type === 'var' && first.name === 'input';
  return {
    ...modifier,
    target: isInput ? target : functionOr(target, scope, () => resolveTerm(target, scope)),
    value: functionOr(value, scope, () => resolveTerm(value, scope)),
  };
}

function functionOr(term: Term, scope: Scope, otherwise: () => Term): Term {
  return term.type === 'var' && scope.isBuiltin(term.name) ? refTerm(term.loc, [term]) : otherwise();
}

export function resolveTerm(term: Term, scope: Scope): Term {
  switch (term.type) {
    case 'var': {
      const meaning = scope.meaningOf(term.name);
      return meaning.kind === 'global' ? refTerm(term.loc, meaning.path) : varTerm(term.loc, meaning.name);
    }
    case 'ref': {
      const [head, ...rest] = term.terms.map((part) => resolveTerm(part, scope)) as [Term, ...Term[]];
      return { ...term, terms: head.type === 'ref' && term.terms[0]!.type === 'var' ? [...head.terms, ...rest] : [head, ...rest] };
    }
    case 'arraycomprehension':
    case 'setcomprehension': {
      const { body, scope: own } = resolveBody(term.body, scope);
      return { ...term, body, term: resolveTerm(term.term, own) };
    }
    case 'objectcomprehension': {
      const { body, scope: own } = resolveBody(term.body, scope);
      return { ...term, body, key: resolveTerm(term.key, own), value: resolveTerm(term.value, own) };
    }
    case 'templatestring':
      return { ...term, parts: term.parts.map((part) => (part.type === 'expr' ? resolveExpr(part, scope) : part)) };
    default:
      return mapTermChildren(term, { term: (part) => resolveTerm(part, scope), body: (body) => resolveBody(body, scope).body });
  }
}
