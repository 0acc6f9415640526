/** Variables renamed in compiled rules and bodies. */

import type { Body, Expr, Rule, RuleHead, Term } from '../../../../compiler/index.js';
import { mapExprChildren, mapList, mapTermChildren, varTerm } from '../../../../compiler/index.js';

export class Renaming {
  readonly #rename: (name: string) => string;
  readonly #children = { term: (term: Term) => this.term(term), body: (body: Body) => this.body(body) };

  constructor(rename: (name: string) => string) {
    this.#rename = rename;
  }

  /** With its `else` chain. */
  rule(rule: Rule): Rule {
    return {
      ...rule,
      head: this.#head(rule.head),
      body: this.body(rule.body),
      else: rule.else && this.rule(rule.else),
    };
  }

  body(body: Body): Body {
    return body.map((expr) => this.expr(expr));
  }

  expr(expr: Expr): Expr {
    return mapExprChildren(expr, this.#children);
  }

  term(term: Term): Term {
    return term.type === 'var' ? varTerm(term.loc, this.#rename(term.name)) : mapTermChildren(term, this.#children);
  }

  #head(head: RuleHead): RuleHead {
    const { ref, args, key, value } = head;
    const all = (terms: readonly Term[]) => terms.map((term) => this.term(term));
    return {
      ...head,
      ref: mapList(ref, (term) => this.term(term)),
      args: args && all(args),
      key: key && this.term(key),
      value: value && this.term(value),
    };
  }
}
