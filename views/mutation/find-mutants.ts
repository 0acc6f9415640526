/** Finds the mutants of a module: one for each change that an operator makes. */

import { type Body, type Expr, elseChain, type Module, type Rule, Span, type Term } from '../../compiler/index.js';
import { constantsNear } from './constants.js';
import { elseSwaps } from './else-order.js';
import type { Mutant, Operator, Site } from './mutant.js';
import { everyAsSome, someAsEvery } from './quantifiers.js';
import { scalarPath } from './rule-path.js';

/** Operators by their text, and the ones that they become. */
const comparisons: ReadonlyMap<string, string> = new Map([
  ['==', '!='],
  ['!=', '=='],
  ['<', '<='],
  ['<=', '<'],
  ['>', '>='],
  ['>=', '>'],
]);
const arithmetic: ReadonlyMap<string, string> = new Map([
  ['+', '-'],
  ['-', '+'],
  ['*', '/'],
  ['/', '*'],
  ['%', '*'],
  ['&', '|'],
  ['|', '&'],
]);

/** Calls that write for people: nothing is decided by them. */
const writers: ReadonlySet<string> = new Set(['print', 'trace']);

/** Built-ins whose first operand is a text for people. */
const formatters: ReadonlySet<string> = new Set(['sprintf', 'strings.render_template']);

/** The mutants of a module in the order of its text. */
export function findMutants(module: Module): readonly Mutant[] {
  const collector = new Collector(module);
  for (const rule of module.rules) collector.rule(rule);
  return collector.mutants();
}

class Collector {
  readonly #module: Module;
  readonly #found = new Map<string, Mutant>();
  /** How many rules have each path. */
  readonly #counts = new Map<string, number>();
  #rule!: Rule;
  #site: Site = { kind: 'document' };
  /** The expressions around the current one, the innermost first, and the rule. */
  #within: readonly Span[] = [];

  constructor(module: Module) {
    this.#module = module;
    for (const { head } of module.rules) {
      const path = scalarPath(head);
      this.#counts.set(path, (this.#counts.get(path) ?? 0) + 1);
    }
  }

  mutants(): readonly Mutant[] {
    return [...this.#found.values()].sort(
      (a, b) => a.span.start - b.span.start || a.span.end - b.span.end || (a.replacement < b.replacement ? -1 : 1),
    );
  }

  #add(operator: Operator, span: Span, replacement: string, site: Site = this.#site): void {
    if (span.text === replacement) return;
    const key = `${span.start}-${span.end}-${replacement}`;
    if (!this.#found.has(key)) this.#found.set(key, { operator, span, replacement, site, rule: this.#rule });
  }

  rule(rule: Rule): void {
    this.#rule = rule;
    if (rule.default) return this.#default(rule);
    for (const link of elseChain(rule)) {
      this.#within = [rule.loc];
      this.#head(link);
      this.#neverApplies(link);
      this.#site = { kind: 'expression', within: this.#within };
      if (link.generatedBody) continue;
      if (link.body.length > 1) this.#add('drop-body', spanOf(link.body), 'true');
      this.#body(link.body);
    }
    for (const { span, replacement, first } of elseSwaps(rule))
      this.#add('else-order', span, replacement, { kind: 'expression', within: [spanOf(first.body), rule.loc] });
  }

  #default(rule: Rule): void {
    this.#site = { kind: 'document' };
    if (rule.head.value !== undefined) this.#term(rule.head.value);
    if ((this.#counts.get(scalarPath(rule.head)) ?? 0) > 1) this.#add('drop-default', rule.loc, '');
  }

  /** The constants of a head count once the body holds, those of parameters before. */
  #head({ head }: Rule): void {
    this.#site = { kind: 'document' };
    for (const parameter of head.args ?? []) this.#term(parameter);
    this.#site = { kind: 'head', head: head.loc };
    if (head.key !== undefined) this.#term(head.key);
    if (head.value !== undefined && !head.generatedValue) this.#term(head.value);
  }

  /** Puts `false` before a body. */
  #neverApplies({ head, body, generatedBody }: Rule): void {
    const { source } = head.loc;
    const site: Site = { kind: 'head', head: head.loc };
    if (generatedBody) {
      const guard = this.#module.regoVersion === 'v0' ? ' { false }' : ' if false';
      return this.#add('drop-rule', new Span(source, head.loc.end, head.loc.end), guard, site);
    }
    const span = spanOf(body);
    const isBraced = source.text.slice(head.loc.end, span.start).includes('{');
    if (isBraced) this.#add('drop-rule', new Span(source, span.start, span.start), 'false; ', site);
    else this.#add('drop-rule', span, `{ false; ${span.text} }`, site);
  }

  #body(body: Body): void {
    for (const [i, expr] of body.entries()) {
      if (expr.generated) continue;
      const rest = body.slice(i + 1);
      if (expr.kind === 'some' && rest.length > 0) {
        const every = someAsEvery(expr, rest);
        if (every !== undefined) this.#inside(expr, () => this.#add('every-for-some', every.span, every.replacement));
      }
      this.#expression(expr);
    }
  }

  /** Collects with the expression as the innermost one. */
  #inside(expr: Expr, collect: () => void): void {
    const [before, site] = [this.#within, this.#site];
    this.#within = [expr.loc, ...before];
    this.#site = { kind: 'expression', within: this.#within };
    collect();
    this.#within = before;
    this.#site = site;
  }

  #expression(expr: Expr): void {
    if (expr.kind === 'call' && writers.has(expr.operator.loc.text)) return;
    this.#inside(expr, () => {
      const isDeclaration = expr.kind === 'some' || (expr.kind === 'call' && expr.operator.loc.text === ':=');
      if (!isDeclaration) this.#add('drop-expression', expr.loc, 'true');
      const positive = positiveText(expr);
      if (positive !== undefined) this.#add('drop-not', expr.loc, positive);
      for (const { value } of expr.with) this.#term(value);
      this.#parts(expr);
    });
  }

  #parts(expr: Expr): void {
    switch (expr.kind) {
      case 'term':
        return this.#term(expr.term);
      case 'call':
        return this.#call(expr.operator, expr.args);
      case 'some':
        for (const symbol of expr.symbols) if (symbol.type === 'call') this.#call(symbol.operator, symbol.args);
        return;
      case 'every': {
        const some = everyAsSome(expr);
        if (some !== undefined) this.#add('some-for-every', expr.loc, some);
        this.#term(expr.domain);
        return this.#body(expr.body);
      }
      case 'not':
        return this.#body(expr.body);
      default:
        this.#body(expr.lhs);
        this.#body(expr.rhs);
    }
  }

  #call(operator: Term, operands: readonly Term[]): void {
    const { text } = operator.loc;
    const comparison = comparisons.get(text);
    if (comparison !== undefined) this.#add('swap-comparison', operator.loc, comparison);
    const other = arithmetic.get(text);
    if (other !== undefined) this.#add('swap-arithmetic', operator.loc, other);
    for (const operand of formatters.has(text) ? operands.slice(1) : operands) this.#term(operand);
  }

  #term(term: Term): void {
    switch (term.type) {
      case 'boolean':
      case 'number':
      case 'string':
        for (const replacement of constantsNear(term)) this.#add('constant', term.loc, replacement);
        return;
      case 'ref':
        return this.#ref(term.terms);
      case 'array':
      case 'set':
        for (const item of term.items) this.#term(item);
        return;
      case 'object':
        for (const { value } of term.entries) this.#term(value);
        return;
      case 'call':
        return this.#call(term.operator, term.args);
      case 'arraycomprehension':
      case 'setcomprehension':
        this.#body(term.body);
        return this.#term(term.term);
      case 'objectcomprehension':
        this.#body(term.body);
        return this.#term(term.value);
      default:
    }
  }

  /** Names and indexes of a ref are no constants. */
  #ref(terms: readonly Term[]): void {
    for (const term of terms) if (term.type === 'call' || term.type === 'ref' || 'body' in term) this.#term(term);
  }
}

function spanOf(body: Body): Span {
  // A body has an expression; a rewriting may have put them in another order.
  const { source } = body[0]!.loc;
  return new Span(source, Math.min(...body.map(({ loc }) => loc.start)), Math.max(...body.map(({ loc }) => loc.end)));
}

/** An expression without its `not`; undefined where it has none, or one with braces. */
function positiveText(expr: Expr): string | undefined {
  if (expr.kind === 'not' && expr.explicit) return undefined;
  if (!expr.negated && expr.kind !== 'not') return undefined;
  return /^not\s+(?<rest>.*)$/s.exec(expr.loc.text)?.groups?.rest;
}
