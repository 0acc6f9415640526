/**
 * Deep terms become shallow ones, with variables for what is deep in them: `[[…]]` is
 * `__local0__ = [[…]]; [[__local0__]]`. Later stages recurse over terms.
 */

import { exprBase } from '../ast/make.js';
import type { Body, Comprehension, Expr, LogicalExpr, Rule, Term } from '../ast/nodes.js';
import { mapTermChildren } from '../ast/walk.js';
import { isAssignment, isComprehension, isOperator } from '../resolve/expression-kinds.js';
import type { Context } from '../resolve/working-module.js';
import { Span } from '../source/location.js';
import { append, bindToLocal, flatMapBody } from './bodies.js';

/** The levels of a term that stay together. */
const maxLevels = 64;

/** The operands of a chain of `and` or `or` that stay a chain. */
const maxOperands = 64;

/** A rule's link whose terms and chains are shallow. */
export function cutDeepTerms(link: Rule, context: Context): Rule {
  // A level takes a bracket or an operator, and what it stands around.
  if (link.loc.end - link.loc.start <= maxLevels * 2 || link.default) return link;
  const { head } = link;
  const support: Expr[] = [];
  const key = head.key && cutTerm(head.key, context, support);
  const value = head.value && cutTerm(head.value, context, support);
  const body = cutBody(link.body, context);
  if (body === link.body && key === head.key && value === head.value) return link;
  return { ...link, head: { ...head, key, value }, body: append(body, support) };
}

/** Cuts the terms of a body. */
export function cutBody(body: Body, context: Context): Body {
  return flatMapBody(body, (expr, into) => into.push(cutExpr(expr, context, into)));
}

function cutExpr(written: Expr, context: Context, into: Expr[]): Expr {
  const expr = withValues(written, context, into);
  const support: Expr[] = [];
  const cut = cutOperands(expr, context, support);
  for (const part of support) into.push(expr.with.length > 0 ? { ...part, with: expr.with } : part);
  return cut;
}

function withValues(expr: Expr, context: Context, into: Expr[]): Expr {
  if (expr.with.length === 0) return expr;
  let changed = false;
  const modifiers = expr.with.map((modifier) => {
    const value = cutTerm(modifier.value, context, into);
    changed ||= value !== modifier.value;
    return value === modifier.value ? modifier : { ...modifier, value };
  });
  return changed ? { ...expr, with: modifiers } : expr;
}

function cutOperands(expr: Expr, context: Context, support: Expr[]): Expr {
  switch (expr.kind) {
    case 'term': {
      const term = cutTerm(expr.term, context, support);
      return term === expr.term ? expr : { ...expr, term };
    }
    case 'call': {
      // Undefined terms are printed as such, and the left side of an assignment declares.
      if (isOperator(expr.operator, 'print')) return expr;
      const first = isAssignment(expr) ? 1 : 0;
      const args = cutTerms(expr.args, first, context, support);
      return args === expr.args ? expr : { ...expr, args };
    }
    case 'some': {
      const [symbol] = expr.symbols;
      if (symbol?.type !== 'call') return expr;
      const args = cutTerms(symbol.args, symbol.args.length - 1, context, support);
      return args === symbol.args ? expr : { ...expr, symbols: [{ ...symbol, args }] };
    }
    case 'every': {
      const domain = cutTerm(expr.domain, context, support);
      const body = cutBody(expr.body, context);
      return domain === expr.domain && body === expr.body ? expr : { ...expr, domain, body };
    }
    case 'not': {
      const body = cutBody(expr.body, context);
      return body === expr.body ? expr : { ...expr, body };
    }
    case 'and':
    case 'or':
      return cutChain(expr, context);
  }
}

function cutTerms(terms: readonly Term[], first: number, context: Context, support: Expr[]): readonly Term[] {
  let changed = false;
  const cut = terms.map((term, i) => {
    const next = i < first ? term : cutTerm(term, context, support);
    changed ||= next !== term;
    return next;
  });
  return changed ? cut : terms;
}

/** The term, or one whose deep parts are variables, which `support` binds. */
function cutTerm(root: Term, context: Context, support: Expr[]): Term {
  const { terms, isDeep, hasBodies } = partsOf(root);
  if (!isDeep && !hasBodies) return root;
  const cut = new Map<Term, { readonly term: Term; readonly levels: number }>();
  let levels = 0;
  const mapper = {
    term: (child: Term): Term => {
      const part = cut.get(child);
      if (part === undefined) return child;
      levels = Math.max(levels, part.levels);
      return part.term;
    },
    body: (body: Body): Body => body,
  };
  for (const term of terms.toReversed()) {
    levels = 0;
    const next = isComprehension(term)
      ? cutComprehension(term as Comprehension, context)
      : mapTermChildren(term, mapper);
    levels++;
    if (levels < maxLevels || term.type === 'templatestring') cut.set(term, { term: next, levels });
    else {
      const { variable, binding } = bindToLocal(context, next);
      support.push(binding);
      cut.set(term, { term: variable, levels: 0 });
    }
  }
  return mapper.term(root);
}

/** The variables for deep terms in the head of a comprehension are bound in its body. */
function cutComprehension(term: Comprehension, context: Context): Comprehension {
  const support: Expr[] = [];
  if (term.type === 'objectcomprehension') {
    const key = cutTerm(term.key, context, support);
    const value = cutTerm(term.value, context, support);
    const body = append(cutBody(term.body, context), support);
    return key === term.key && value === term.value && body === term.body ? term : { ...term, key, value, body };
  }
  const head = cutTerm(term.term, context, support);
  const body = append(cutBody(term.body, context), support);
  return head === term.term && body === term.body ? term : { ...term, term: head, body };
}

interface Parts {
  /** The term and those in it, but for what is in bodies: before each term, the ones after it. */
  readonly terms: readonly Term[];
  readonly isDeep: boolean;
  readonly hasBodies: boolean;
}

function partsOf(root: Term): Parts {
  const terms: Term[] = [];
  let isDeep = false;
  let hasBodies = false;
  const left = [{ term: root, level: 1 }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { term, level } = next;
    terms.push(term);
    isDeep ||= level > maxLevels;
    hasBodies ||= isComprehension(term);
    for (const child of childrenOf(term)) left.push({ term: child, level: level + 1 });
  }
  return { terms, isDeep, hasBodies };
}

/** The parts of a term that are terms, but for what is in bodies and templates. */
function childrenOf(term: Term): readonly Term[] {
  switch (term.type) {
    case 'ref':
      return term.terms;
    case 'call':
      return term.args;
    case 'array':
    case 'set':
      return term.items;
    case 'object':
      return term.entries.flatMap(({ key, value }) => [key, value]);
    default:
      return [];
  }
}

/**
 * A long chain of `and` or `or` as a balanced tree, which evaluates the same operands in the same
 * order.
 */
function cutChain(expr: LogicalExpr, context: Context): Expr {
  const written = operandsOf(expr);
  let changed = false;
  const operands = written.map((operand) => {
    const body = cutBody(operand.body, context);
    changed ||= body !== operand.body;
    return { ...operand, body };
  });
  if (operands.length <= maxOperands && !changed) return expr;
  const { kind } = expr;
  let row: readonly Operand[] = operands;
  while (row.length > 2) row = pairsOf(row, kind);
  const [left, right] = row as readonly [Operand, Operand];
  return { ...expr, lhs: left.body, rhs: right.body, explicitLhs: left.explicit, explicitRhs: right.explicit };
}

interface Operand {
  readonly body: Body;
  readonly explicit: boolean;
}

/** The operands of a chain of one operator. */
function operandsOf(chain: LogicalExpr): readonly Operand[] {
  const operands: Operand[] = [];
  const left: Operand[] = [{ body: [chain], explicit: false }];
  for (let operand = left.pop(); operand !== undefined; operand = left.pop()) {
    const [expr] = operand.body;
    const isChain =
      expr === chain ||
      (!operand.explicit && expr!.kind === chain.kind && operand.body.length === 1 && expr!.with.length === 0);
    if (!isChain) operands.push(operand);
    else {
      const { lhs, rhs, explicitLhs, explicitRhs } = expr as LogicalExpr;
      left.push({ body: rhs, explicit: explicitRhs }, { body: lhs, explicit: explicitLhs });
    }
  }
  return operands;
}

function pairsOf(operands: readonly Operand[], kind: LogicalExpr['kind']): readonly Operand[] {
  const pairs: Operand[] = [];
  for (let i = 0; i < operands.length; i += 2) {
    const left = operands[i]!;
    const right = operands[i + 1];
    pairs.push(right === undefined ? left : { body: [pairOf(left, right, kind)], explicit: false });
  }
  return pairs;
}

function pairOf(left: Operand, right: Operand, kind: LogicalExpr['kind']): LogicalExpr {
  const loc = new Span(left.body[0]!.loc.source, left.body[0]!.loc.start, right.body.at(-1)!.loc.end);
  return {
    ...exprBase(loc),
    kind,
    lhs: left.body,
    rhs: right.body,
    explicitLhs: left.explicit,
    explicitRhs: right.explicit,
  };
}
