/** Compiled expressions as traces show them: calls with their names, variables as written. */

import { varTerm } from '../../../compiler/ast/make.js';
import { isWildcard } from '../../../compiler/ast/names.js';
import type { Body, Comprehension, Expr, Term } from '../../../compiler/ast/nodes.js';
import { printRef, printTerm } from '../../../compiler/ast/print.js';
import { mapTermChildren } from '../../../compiler/ast/walk.js';

/** The written name of a variable. */
type NameOf = (name: string) => string;

export class TraceText {
  readonly #nameOf: NameOf;
  /** Of collections, which may be large and stand in many events. */
  readonly #known = new WeakMap<Term, string>();

  constructor(nameOf: NameOf) {
    this.#nameOf = nameOf;
  }

  body(body: Body): string {
    return body.map((expr) => this.expr(expr)).join('; ');
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
        if (name === 'eq' && args.length === 2) return `${this.term(args[0]!)} = ${this.term(args[1]!)}`;
        return `${name}(${args.map((arg) => this.term(arg)).join(', ')})`;
      }
      case 'every': {
        const { key, value, domain, body } = expr;
        // A key that the author left out has a generated name.
        const hasKey = key !== undefined && !this.#name(key.name).startsWith('__local');
        const names = [...(hasKey ? [key] : []), value].map((term) => this.term(term)).join(', ');
        return `every ${names} in ${this.term(domain)} { ${this.body(body)} }`;
      }
      case 'not':
        return expr.explicit ? `not {${this.body(expr.body)}}` : `not ${this.body(expr.body)}`;
      case 'and':
      case 'or':
        return `${this.#operand(expr.lhs, expr.explicitLhs)} ${expr.kind} ${this.#operand(expr.rhs, expr.explicitRhs)}`;
      case 'some':
        return `some ${expr.symbols.map((symbol) => this.term(symbol)).join(', ')}`;
    }
  }

  #operand(body: Body, isExplicit: boolean): string {
    return isExplicit || body.length > 1 ? `{${this.body(body)}}` : this.body(body);
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
    return term.type === 'arraycomprehension' ? `[${this.term(term.term)} | ${body}]` : `{${this.term(term.term)} | ${body}}`;
  }

  #renamed(term: Term): Term {
    if (term.type === 'var') return varTerm(term.loc, this.#name(term.name));
    return mapTermChildren(term, { term: (inner) => this.#renamed(inner), body: (body) => body });
  }

  #name(name: string): string {
    const written = this.#nameOf(name);
    return isWildcard(written) ? '_' : written;
  }
}
