/** Where a variable of a rule is declared. */
import type { Body, Expr, Node, Span, Term, VarTerm } from '../../compiler/index.js';
import { isAssignment, walk } from '../../compiler/index.js';

/** The declaration in the innermost scope that has one: of `some`, `:=`, `every` or parameters. */
export function declarationOf(name: string, around: readonly Node[]): Span | undefined {
  for (const node of around.toReversed()) {
    const found = declaredIn(node)
      .flatMap(varsIn)
      .find((term) => term.name === name);
    if (found !== undefined) return found.loc;
  }
  return undefined;
}

/** The first place of a variable in a rule. */
export function firstUseOf(name: string, around: readonly Node[]): Span | undefined {
  const rule = around.find(({ type }) => type === 'rule');
  let first: Span | undefined;
  if (rule !== undefined)
    walk(rule, (node) => {
      if (node.type === 'var' && node.name === name && (first === undefined || node.loc.start < first.start))
        first = node.loc;
    });
  return first;
}

/** The terms whose variables a scope declares. */
function declaredIn(node: Node): readonly Term[] {
  switch (node.type) {
    case 'rule': {
      const terms: Term[] = [...(node.head.args ?? [])];
      for (let link: typeof node | undefined = node; link !== undefined; link = link.else)
        terms.push(...declaredInBody(link.body));
      return terms;
    }
    case 'arraycomprehension':
    case 'setcomprehension':
    case 'objectcomprehension':
      return declaredInBody(node.body);
    case 'expr':
      return declaredInScopeOf(node);
    default:
      return [];
  }
}

function declaredInScopeOf(expr: Expr): readonly Term[] {
  if (expr.kind === 'every') return [...(expr.key ? [expr.key] : []), expr.value, ...declaredInBody(expr.body)];
  if (expr.kind === 'not') return declaredInBody(expr.body);
  return expr.kind === 'and' || expr.kind === 'or' ? [...declaredInBody(expr.lhs), ...declaredInBody(expr.rhs)] : [];
}

function declaredInBody(body: Body): readonly Term[] {
  return body.flatMap((expr) => {
    if (isAssignment(expr)) return expr.args.slice(0, 1);
    if (expr.kind !== 'some') return [];
    // The last operand of `some k, v in xs` is the collection.
    return expr.symbols.flatMap((symbol) => (symbol.type === 'call' ? symbol.args.slice(0, -1) : [symbol]));
  });
}

function varsIn(term: Term): readonly VarTerm[] {
  const found: VarTerm[] = [];
  walk(term, (node) => {
    if (node.type === 'var') found.push(node);
    // The variables of a ref are read.
    return node.type !== 'ref';
  });
  return found;
}
