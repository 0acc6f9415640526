/** Terms and expressions as the residual has them: variables replaced by their known values. */

import type { Body, Expr, Term, VarTerm, With } from '../../../compiler/index.js';
import { isRootName, mapExprChildren, mapTermChildren, nowhere, varTerm } from '../../../compiler/index.js';
import type { Frame } from '../bindings.js';
import { timedPlug } from '../plug-timer.js';
import type { PartialSearch } from './partial-search.js';
import { extended } from './residual/extended.js';
import { Open, symbolicOf, termOfSymbolic } from './symbolic.js';

/** A term of the residual. Its variables without a value are open from now on. */
export function plug(search: PartialSearch, term: Term, frame: Frame): Term {
  return timedPlug(search.options.plugged, () => new Plugger(search, frame).term(term));
}

/** An expression of the residual; variables of closures stay their own. */
export function plugExpr(search: PartialSearch, expr: Expr, frame: Frame): Expr {
  return timedPlug(search.options.plugged, () => new Plugger(search, frame).expr(expr));
}

/** Makes a variable without a value open. */
export function openVariable(search: PartialSearch, frame: Frame, name: string): Open {
  const open = new Open(varTerm(nowhere, search.names.of(frame, name)));
  search.bind(frame, name, open);
  return open;
}

class Plugger {
  readonly #search: PartialSearch;
  readonly #frame: Frame;
  /** The number of closures around. */
  #closures = 0;

  constructor(search: PartialSearch, frame: Frame) {
    this.#search = search;
    this.#frame = frame;
  }

  readonly term = (term: Term): Term => {
    switch (term.type) {
      case 'var':
        return this.#variable(term.name);
      case 'ref': {
        const [head, ...rest] = term.terms as [Term, ...Term[]];
        if (head.type !== 'var' || !isRootName(head.name))
          return extended(this.term(head), rest.map(this.term), term.loc);
        return rest.length === 0 ? term : { ...term, terms: [head, ...rest.map(this.term)] };
      }
      case 'arraycomprehension':
      case 'setcomprehension':
      case 'objectcomprehension':
        return this.#closure(() => mapTermChildren(term, { term: this.term, body: this.body }));
      default:
        return mapTermChildren(term, { term: this.term, body: this.body });
    }
  };

  readonly body = (body: Body): Body => body.map((expr) => this.expr(expr));

  expr(expr: Expr): Expr {
    const modifiers = expr.with.map((one) => this.#modifier(one));
    if (expr.kind === 'call') return { ...expr, args: expr.args.map(this.term), with: modifiers };
    if (expr.kind === 'every') {
      const domain = this.term(expr.domain);
      const inside = this.#closure(() => ({
        key: expr.key && (this.term(expr.key) as VarTerm),
        value: this.term(expr.value) as VarTerm,
        body: this.body(expr.body),
      }));
      return { ...expr, ...inside, domain, with: modifiers };
    }
    const plain: Expr = { ...expr, with: [] };
    const map = { term: this.term, body: (body: Body) => this.#closure(() => this.body(body)) };
    return { ...mapExprChildren(plain, map), with: modifiers };
  }

  /** A ref as the value of a modifier is a function. */
  #modifier(modifier: With): With {
    return modifier.value.type === 'ref' ? modifier : { ...modifier, value: this.term(modifier.value) };
  }

  #closure<T>(plugged: () => T): T {
    this.#closures++;
    try {
      return plugged();
    } finally {
      this.#closures--;
    }
  }

  #variable(name: string): Term {
    const value = symbolicOf(this.#frame, name);
    if (value !== undefined) return termOfSymbolic(value);
    if (this.#closures > 0) {
      const residual = this.#search.names.of(this.#frame, name);
      this.#search.variables?.note(residual, this.#frame, name);
      return varTerm(nowhere, residual);
    }
    return openVariable(this.#search, this.#frame, name).term;
  }
}
