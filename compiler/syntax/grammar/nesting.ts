/** Bounds of nesting that later stages, which recurse over trees, can not take away. */

import { functionName } from '../../ast/names.js';
import type { Expr, Rule, Term } from '../../ast/nodes.js';
import { forEachChild } from '../../ast/walk.js';
import type { Span } from '../../source/location.js';

/** Bodies in bodies: of comprehensions, `every`, `not`, and operands of `and` and `or`. */
export const maxBodies = 200;

/** Levels of patterns and of other terms for whose parts no variables can stand. */
const maxLevels = 500;

/** The least tokens that either needs. */
export const fewTokens = 2 * maxBodies;

interface Place {
  readonly node: Rule | Expr | Term;
  readonly bodies: number;
  /** Zero where variables can stand for parts. */
  readonly levels: number;
}

/** Where a statement nests too deeply. */
export function tooDeepIn(nodes: readonly (Rule | Expr)[]): Span | undefined {
  const left: Place[] = nodes.map((node) => ({ node, bodies: 0, levels: 0 }));
  for (let place = left.pop(); place !== undefined; place = left.pop()) {
    if (place.bodies > maxBodies || place.levels > maxLevels) return place.node.loc;
    addParts(place, left);
  }
  return undefined;
}

function addParts({ node, bodies, levels }: Place, left: Place[]): void {
  const whole = levels > 0 ? levels + 1 : 0;
  switch (node.type) {
    case 'rule':
      for (let link: Rule | undefined = node; link; link = link.else) {
        const { head, body } = link;
        for (const term of [...head.ref, ...(head.args ?? [])]) left.push({ node: term, bodies, levels: 1 });
        for (const term of [head.key, head.value])
          if (term) left.push({ node: term, bodies, levels: link.default ? 1 : 0 });
        for (const expr of body) left.push({ node: expr, bodies, levels: 0 });
      }
      break;
    case 'expr':
      addExprParts(node, bodies, whole, left);
      break;
    case 'templatestring':
      for (const part of node.parts) left.push({ node: part, bodies: bodies + 1, levels: Math.max(1, whole) });
      break;
    case 'arraycomprehension':
    case 'setcomprehension':
    case 'objectcomprehension':
      forEachChild(node, (child) => left.push({ node: child as Expr | Term, bodies: bodies + 1, levels: whole }));
      break;
    default:
      forEachChild(node, (child) => left.push({ node: child as Term, bodies, levels: whole }));
  }
}

function addExprParts(expr: Expr, bodies: number, levels: number, left: Place[]): void {
  switch (expr.kind) {
    case 'call': {
      const name = functionName(expr.operator);
      const patterns = name === 'print' ? expr.args.length : name === 'assign' ? 1 : 0;
      addTerms(expr.args, patterns, bodies, levels, left);
      break;
    }
    case 'some': {
      const [symbol] = expr.symbols;
      if (symbol?.type === 'call') addTerms(symbol.args, symbol.args.length - 1, bodies, levels, left);
      break;
    }
    case 'every':
      left.push({ node: expr.domain, bodies, levels });
      for (const inner of expr.body) left.push({ node: inner, bodies: bodies + 1, levels });
      break;
    case 'not':
      for (const inner of expr.body) left.push({ node: inner, bodies: bodies + 1, levels });
      break;
    case 'and':
    case 'or':
      for (const [body, explicit] of [[expr.lhs, expr.explicitLhs] as const, [expr.rhs, expr.explicitRhs] as const]) {
        // Chains are not nested, however long.
        const [first, second] = body;
        const goesOn = !explicit && second === undefined && first?.kind === expr.kind && first.with.length === 0;
        for (const inner of body) left.push({ node: inner, bodies: goesOn ? bodies : bodies + 1, levels });
      }
      break;
    default:
      left.push({ node: expr.term, bodies, levels });
  }
  for (const { target, value } of expr.with) {
    left.push({ node: target, bodies, levels: Math.max(1, levels) });
    left.push({ node: value, bodies, levels });
  }
}

function addTerms(terms: readonly Term[], patterns: number, bodies: number, levels: number, left: Place[]): void {
  for (const [i, term] of terms.entries())
    left.push({ node: term, bodies, levels: i < patterns ? Math.max(1, levels) : levels });
}
