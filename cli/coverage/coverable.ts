/**
 * The parts of modules that coverage reports: heads, expressions, and separately evaluated
 * operands.
 */
import type { Body, Comprehension, Expr, Module, Rule, Term } from '../../compiler/index.js';
import { elseChain, Span } from '../../compiler/index.js';

/** A part of a module. */
export interface CoverablePart {
  readonly span: Span;
  /** Whether the part is reported as not covered; a `some` declaration is not. */
  readonly counts: boolean;
}

/** The parts of a module, each position once. */
export function coverableParts(module: Module): readonly CoverablePart[] {
  const collector = new Collector();
  for (const rule of module.rules) for (const link of elseChain(rule)) collector.rule(link, link !== rule);
  return collector.parts;
}

class Collector {
  readonly #parts = new Map<string, CoverablePart>();

  get parts(): readonly CoverablePart[] {
    return [...this.#parts.values()];
  }

  #add(span: Span, counts = true): void {
    const key = `${span.start}-${span.end}`;
    if (this.#parts.get(key)?.counts !== true) this.#parts.set(key, { span, counts });
  }

  /** Expressions and terms whose parts are to be added: there is no recursion over them. */
  readonly #left: (Expr | Term)[] = [];

  rule(rule: Rule, isElse: boolean): void {
    this.#addRule(rule, isElse);
    for (let node = this.#left.pop(); node !== undefined; node = this.#left.pop()) {
      if (node.type === 'expr') this.#expression(node);
      else this.#partsIn(node);
    }
  }

  #addRule(rule: Rule, isElse: boolean): void {
    const { head } = rule;
    this.#add(head.loc);
    const terms = [...(head.args ?? []), ...head.ref.slice(1), head.key, head.value].filter(
      (term) => term !== undefined,
    );
    for (const term of terms) this.#headTerm(term);
    // For a generated body, the computed head terms stand in its place.
    if (rule.generatedBody && !rule.default && terms.some(isComputed)) return;
    const [first] = rule.body;
    // If an `else` has a single expression without braces, the reference locates that expression at
    // the rest of the chain.
    if (first !== undefined && isElse && !rule.generatedBody && hasNoBrace(head.loc, first.loc))
      this.#expression(first, restOfChain(rule));
    else this.#body(rule.body);
  }

  /** The compiler moves comprehensions in a head into the body, like calls. */
  #headTerm(term: Term): void {
    if (isComprehension(term)) this.#add(term.loc);
    this.#operand(term);
  }

  #body(body: Body): void {
    for (const expr of body) this.#left.push(expr);
  }

  #expression(expr: Expr, span: Span = expr.loc): void {
    this.#add(span, expr.kind !== 'some');
    for (const { value } of expr.with) this.#operand(value);
    switch (expr.kind) {
      case 'term':
        return this.#inner(expr.term);
      case 'call': {
        const isPrint = nameOf(expr.operator) === 'print';
        for (const operand of expr.args) {
          if (isPrint) this.#add(operand.loc);
          this.#operand(operand);
        }
        return;
      }
      case 'some':
        for (const symbol of expr.symbols) this.#inner(symbol);
        return;
      case 'every':
        this.#operand(expr.domain);
        return this.#body(expr.body);
      case 'not':
        return this.#body(expr.body);
      default:
        this.#body(expr.lhs);
        this.#body(expr.rhs);
    }
  }

  /** A term that is computed before its expression if it contains a call. */
  #operand(term: Term): void {
    if (isComputed(term) && !isComprehension(term)) this.#add(term.loc);
    this.#inner(term);
  }

  #inner(term: Term): void {
    this.#left.push(term);
  }

  /** The separately computed parts inside a term: operands of calls, bodies of comprehensions. */
  #partsIn(term: Term): void {
    switch (term.type) {
      case 'call':
        for (const operand of term.args) this.#operand(operand);
        return;
      case 'templatestring':
        for (const part of term.parts) if (part.type === 'expr') this.#expression(part);
        return;
      case 'arraycomprehension':
      case 'setcomprehension':
      case 'objectcomprehension':
        this.#body(term.body);
        for (const head of 'term' in term ? [term.term] : [term.key, term.value]) this.#operand(head);
        return;
      default:
        for (const child of childrenOf(term)) this.#inner(child);
    }
  }
}

function hasNoBrace(head: Span, body: Span): boolean {
  return !head.source.text.slice(head.end, body.start).includes('{');
}

function restOfChain(rule: Rule): Span {
  const ends = [...elseChain(rule)].map(({ loc, head }) => Math.max(loc.end, head.loc.end));
  return new Span(rule.loc.source, rule.loc.start, Math.max(...ends));
}

/** Whether a term contains a call, a template string or a comprehension. */
function isComputed(term: Term): boolean {
  const left = [term];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (next.type === 'call' || next.type === 'templatestring' || isComprehension(next)) return true;
    for (const child of childrenOf(next)) left.push(child);
  }
  return false;
}

function isComprehension(term: Term): term is Comprehension {
  return term.type === 'arraycomprehension' || term.type === 'setcomprehension' || term.type === 'objectcomprehension';
}

/** The terms of a collection or a ref. */
function childrenOf(term: Term): readonly Term[] {
  if (term.type === 'array' || term.type === 'set') return term.items;
  if (term.type === 'object') return term.entries.flatMap(({ key, value }) => [key, value]);
  return term.type === 'ref' ? term.terms : [];
}

function nameOf(operator: { readonly terms: readonly Term[] }): string | undefined {
  const [head] = operator.terms;
  return operator.terms.length === 1 && head?.type === 'var' ? head.name : undefined;
}
