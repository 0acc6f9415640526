/** The names that bodies declare. */

import type { Body, Expr, Rule, Term, VarTerm } from '../../../compiler/index.js';
import { forEachChild, isWildcard } from '../../../compiler/index.js';

/**
 * How a name is declared: `some x` only names it, and where it is used first gives it a value; the
 * others give it one at once.
 */
type DeclarationKind = 'argument' | 'some' | 'some in' | 'assign' | 'every';

export interface Declaration {
  readonly kind: DeclarationKind;
  readonly node: VarTerm;
}

/** The names of a body, and the scopes around it. */
export interface Scope {
  readonly names: ReadonlyMap<string, readonly Declaration[]>;
  readonly up: Scope | undefined;
}

/** The declaration of a name that is visible in a scope. */
export function findDeclarations(scope: Scope | undefined, name: string): readonly Declaration[] {
  for (let each = scope; each; each = each.up) {
    const found = each.names.get(name);
    if (found) return found;
  }
  return [];
}

/** The variables of a pattern, wildcards excepted. */
function patternVars(term: Term): VarTerm[] {
  if (term.type === 'var') return isWildcard(term.name) ? [] : [term];
  if (term.type !== 'array' && term.type !== 'object') return [];
  if (term.type === 'array') return term.items.flatMap(patternVars);
  return term.entries.flatMap(({ value }) => patternVars(value));
}

/** The declarations of an expression, in order. */
function declarationsOf(expr: Expr): Declaration[] {
  if (expr.kind === 'call') {
    if (!isOperatorCall(expr, 'assign')) return [];
    return patternVars(expr.args[0]!).map((node) => ({ kind: 'assign', node }));
  }
  if (expr.kind !== 'some') return [];
  return expr.symbols.flatMap((symbol): Declaration[] => {
    if (symbol.type !== 'call') return patternVars(symbol).map((node) => ({ kind: 'some', node }));
    return symbol.args
      .slice(0, -1)
      .flatMap(patternVars)
      .map((node) => ({ kind: 'some in', node }));
  });
}

function isOperatorCall(expr: Extract<Expr, { kind: 'call' }>, name: string): boolean {
  const { terms } = expr.operator;
  return terms.length === 1 && terms[0].type === 'var' && terms[0].name === name;
}

/** A scope with the names of a body, and others that are given. */
export function scopeOf(body: Body, up: Scope | undefined, given: readonly Declaration[] = []): Scope {
  const names = new Map<string, Declaration[]>();
  for (const declaration of [...given, ...body.flatMap(declarationsOf)]) {
    const { name } = declaration.node;
    const known = names.get(name);
    if (known) known.push(declaration);
    else names.set(name, [declaration]);
  }
  return { names, up };
}

/** The scope of a rule: its arguments, and the names of its body. */
export function ruleScope(rule: Rule, args: readonly Term[]): Scope {
  const given = args.flatMap(argumentVars).map((node): Declaration => ({ kind: 'argument', node }));
  return scopeOf(rule.generatedBody ? [] : rule.body, undefined, given);
}

/** All variables of an argument: patterns may have calls and refs in them. */
export function argumentVars(term: Term): VarTerm[] {
  if (term.type === 'var') return isWildcard(term.name) ? [] : [term];
  const found: VarTerm[] = [];
  forEachChild(term, (child) => {
    if (child.type !== 'expr' && child.type !== 'rule' && 'loc' in child) found.push(...argumentVars(child as Term));
  });
  return found;
}
