/** Compiled expressions as traces show them: calls with their names, variables as written. */

import type { Body, Comprehension, Expr, Term } from '../../../../compiler/index.js';
import {
  isEquality,
  isGeneratedName,
  isWildcard,
  mapTermChildren,
  printRef,
  printTerm,
  varTerm,
  withParentheses,
} from '../../../../compiler/index.js';

/** The written name of a variable. */
type NameOf = (name: string) => string;

/** Writes an expression in one line. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

export class TraceText {
  readonly #nameOf: NameOf;
  /** Whether generated variables are written as the terms that they stand for. */
  readonly #asWritten: boolean;
  /** Texts of collections, which may be long and stand in many events. */
  readonly #known = new WeakMap<Term, string>();

  constructor(nameOf: NameOf, asWritten = false) {
    this.#nameOf = nameOf;
    this.#asWritten = asWritten;
  }

  body(body: Body): string {
    return this.#shown(body)
      .map((expr) => this.expr(expr))
      .join('; ');
  }

  #shown(body: Body): Body {
    return this.#asWritten && body.length > 1 ? body.filter((expr) => this.#origin(expr) === undefined) : body;
  }

  /** The term of the author that a generated variable is set to. */
  #origin(expr: Expr): Term | undefined {
    if (!this.#asWritten || !expr.generated || !isEquality(expr)) return undefined;
    const [variable, term] = expr.args;
    return variable?.type === 'var' && this.#isGenerated(variable.name) ? term : undefined;
  }

  expr(expr: Expr): string {
    const modifiers = expr.with.map(({ target, value }) => ` with ${this.term(target)} as ${this.term(value)}`);
    return `${expr.negated ? 'not ' : ''}${this.#plain(expr)}${modifiers.join('')}`;
  }

  #plain(expr: Expr): string {
    switch (expr.kind) {
      case 'term':
        return this.term(expr.term);
      case 'call': {
        const { operator, args } = expr;
        const name = printRef(operator.terms);
        const origin = this.#origin(expr);
        if (origin !== undefined) return this.term(origin);
        const [a, b] = args;
        if (name === 'eq' && a && b && args.length === 2) return `${this.term(a)} = ${this.term(b)}`;
        return `${name}(${this.#operands(args)
          .map((arg) => this.term(arg))
          .join(', ')})`;
      }
      case 'every': {
        const { key, value, domain, body } = expr;
        // A key that the author left out has a generated name.
        const hasKey = key !== undefined && !isGeneratedName(this.#name(key.name));
        const names = [...(hasKey ? [key] : []), value].map((term) => this.term(term)).join(', ');
        return `every ${names} in ${this.term(domain)} { ${this.body(body)} }`;
      }
      case 'not':
        return `not ${this.#operand(expr.body, expr.explicit)}`;
      case 'and':
      case 'or':
        return `${this.#operand(expr.lhs, expr.explicitLhs)} ${expr.kind} ${this.#operand(expr.rhs, expr.explicitRhs)}`;
      case 'some':
        return `some ${expr.symbols.map((symbol) => this.term(symbol)).join(', ')}`;
    }
  }

  /** A generated variable for the result of a call has the place of the call itself. */
  #operands(args: readonly Term[]): readonly Term[] {
    const [last, ...others] = args.toReversed();
    if (!this.#asWritten || last?.type !== 'var' || !this.#isGenerated(last.name)) return args;
    const { start, end } = last.loc;
    return others.every(({ loc }) => loc.start >= start && loc.end <= end && loc.end - loc.start < end - start)
      ? args.slice(0, -1)
      : args;
  }

  #isGenerated(name: string): boolean {
    return isGeneratedName(this.#nameOf(name));
  }

  #operand(body: Body, isExplicit: boolean): string {
    return isExplicit || this.#shown(body).length > 1 ? `{${this.body(body)}}` : this.body(body);
  }

  term(term: Term): string {
    switch (term.type) {
      case 'arraycomprehension':
      case 'setcomprehension':
      case 'objectcomprehension':
        return this.#comprehension(term);
      case 'array':
      case 'set':
      case 'object':
        return this.#collection(term);
      default:
        return printTerm(this.#renamed(term));
    }
  }

  #collection(term: Term): string {
    let text = this.#known.get(term);
    if (text === undefined) this.#known.set(term, (text = printTerm(this.#renamed(term))));
    return text;
  }

  #comprehension(term: Comprehension): string {
    const body = this.body(term.body);
    if (term.type === 'objectcomprehension') return `{${this.term(term.key)}: ${this.term(term.value)} | ${body}}`;
    return term.type === 'arraycomprehension'
      ? `[${this.term(term.term)} | ${body}]`
      : `{${this.term(term.term)} | ${body}}`;
  }

  #renamed(term: Term): Term {
    if (term.type === 'var') {
      const isText = this.#asWritten && this.#isGenerated(term.name) && term.loc.text !== '';
      return varTerm(term.loc, isText ? oneLine(withParentheses(term.loc).text) : this.#name(term.name));
    }
    return mapTermChildren(term, {
      term: (inner) => (this.#isUnwritten(inner, term) ? varTerm(inner.loc, '_') : this.#renamed(inner)),
      body: (body) => body,
    });
  }

  /** Whether a term is a key that the author left out: it has the place of the whole ref. */
  #isUnwritten(term: Term, ref: Term): boolean {
    if (!this.#asWritten || ref.type !== 'ref' || term === ref.terms[0]) return false;
    return term.type === 'var' && this.#isGenerated(term.name) && term.loc.start <= ref.loc.start;
  }

  #name(name: string): string {
    const written = this.#nameOf(name);
    return isWildcard(written) ? '_' : written;
  }
}
