/** The scopes of variables: rules, and the bodies in them. */

import { type Body, type Expr, isAssignment, isWildcard, type Term } from '../../../compiler/index.js';

/** The value of a variable: a part of a term, or of the document at a path. */
export interface BoundValue {
  readonly from: { readonly term: Term; readonly scope: VariableScope } | { readonly path: readonly string[] };
  /** The way from there to the value. */
  readonly steps: readonly string[];
}

/** The variables of one body, around which there may be others. */
export class VariableScope {
  readonly outer: VariableScope | undefined;
  /** Names that `:=`, `some`, `every` and parameters declare. */
  readonly declared = new Set<string>();
  /** Names that the body itself has, declared or not. */
  readonly mentioned = new Set<string>();
  /** The values that variables of the body get, as far as the text has them. */
  readonly bound = new Map<string, BoundValue>();
  /** Unique in its module. */
  readonly id: number;
  /** The part of the text that the scope is. */
  readonly start: number;
  readonly end: number;

  constructor(id: number, outer: VariableScope | undefined, { start, end }: { start: number; end: number }) {
    this.id = id;
    this.outer = outer;
    this.start = start;
    this.end = end;
  }

  /** The scope that declares a name, from here outwards. */
  declaring(name: string): VariableScope | undefined {
    for (let scope: VariableScope | undefined = this; scope; scope = scope.outer)
      if (scope.declared.has(name)) return scope;
    return undefined;
  }

  /** The outermost scope that mentions a name: its variable is the same in the scopes within. */
  mentioning(name: string): VariableScope | undefined {
    let found: VariableScope | undefined;
    for (let scope: VariableScope | undefined = this; scope; scope = scope.outer)
      if (scope.mentioned.has(name)) found = scope;
    return found;
  }
}

/** Calls a function for each variable that a pattern binds; keys of objects and refs bind none. */
export function eachBound(term: Term, call: (name: string) => void): void {
  switch (term.type) {
    case 'var':
      if (!isWildcard(term.name)) call(term.name);
      return;
    case 'array':
    case 'set':
      for (const item of term.items) eachBound(item, call);
      return;
    case 'object':
      for (const { value } of term.entries) eachBound(value, call);
  }
}

/** Declares the variables of a body itself: those of bodies within it have scopes of their own. */
export function declareIn(scope: VariableScope, body: Body): void {
  const declare = (name: string): void => void scope.declared.add(name);
  for (const expr of body) declareOf(expr, scope, declare);
}

function declareOf(expr: Expr, scope: VariableScope, declare: (name: string) => void): void {
  switch (expr.kind) {
    case 'call':
      if (isAssignment(expr)) eachBound(expr.args[0], declare);
      return;
    case 'some':
      for (const symbol of expr.symbols) for (const pattern of patternsOf(symbol)) eachBound(pattern, declare);
      return;
    case 'not':
      if (!expr.explicit) declareIn(scope, expr.body);
      return;
    case 'and':
    case 'or':
      if (!expr.explicitLhs) declareIn(scope, expr.lhs);
      if (!expr.explicitRhs) declareIn(scope, expr.rhs);
  }
}

/** The patterns that `some` declares: `x`, or `k` and `v` of `k, v in xs`. */
export function patternsOf(symbol: Term): readonly Term[] {
  return symbol.type === 'call' ? symbol.args.slice(0, -1) : [symbol];
}
