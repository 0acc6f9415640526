/** One walk over a file for all rules. */

import type { Body, Comprehension, Expr, Node, Rule, Term } from '../../../compiler/index.js';
import { forEachChild } from '../../../compiler/index.js';
import type { LintFile } from './lint-file.js';
import type { Visitor } from './lint-rule.js';
import { NodePlace } from './place.js';
import { argumentVars, type Declaration, ruleScope, type Scope, scopeOf } from './scope.js';

type Kind = keyof Visitor;
type Handlers = { readonly [K in Kind]: NonNullable<Visitor[K]>[] };

const kinds: readonly Kind[] = [
  'file',
  'package',
  'import',
  'comment',
  'annotations',
  'rule',
  'link',
  'body',
  'expr',
  'some',
  'every',
  'call',
  'ref',
  'comprehension',
  'with',
  'term',
];

/** Shows the nodes of a file to visitors, parents first, in order of the text. */
export function walkFile(file: LintFile, visitors: readonly Visitor[]): void {
  const handlers = Object.fromEntries(
    kinds.map((kind) => [kind, visitors.flatMap((visitor) => visitor[kind] ?? [])]),
  ) as unknown as Handlers;
  const { module } = file;
  for (const handle of handlers.file) handle();
  for (const handle of handlers.package) handle(module.package);
  for (const node of module.imports) for (const handle of handlers.import) handle(node);
  for (const node of module.comments) for (const handle of handlers.comment) handle(node);
  for (const node of module.annotations) for (const handle of handlers.annotations) handle(node);
  const walk = new Walk(file, handlers);
  for (const rule of module.rules) walk.rule(rule);
}

class Walk {
  readonly #file: LintFile;
  readonly #on: Handlers;

  constructor(file: LintFile, on: Handlers) {
    this.#file = file;
    this.#on = on;
  }

  rule(rule: Rule): void {
    const args = rule.head.args ?? [];
    for (let link: Rule | undefined = rule; link; link = link.else) {
      const at = { scope: ruleScope(link, args), rule, link, body: undefined, index: 0 };
      const place = new NodePlace(this.#file, link, undefined, at);
      if (link === rule) for (const handle of this.#on.rule) handle(rule, place);
      for (const handle of this.#on.link) handle(link, place);
      const { head } = link;
      if (link === rule) {
        for (const term of head.ref.slice(1)) this.#term(term, place);
        for (const term of args) this.#term(term, place);
      }
      if (head.key && !head.ref.includes(head.key)) this.#term(head.key, place);
      if (head.value && !isGenerated(head.value, link)) this.#term(head.value, place);
      if (!link.generatedBody && !rule.default) this.#body(link.body, place, at.scope);
    }
  }

  #body(body: Body, up: NodePlace, scope: Scope | undefined): void {
    const { rule, link } = up;
    if (this.#on.body.length > 0) {
      const place = new NodePlace(this.#file, up.node, up.up, { scope, rule, link, body, index: 0 });
      for (const handle of this.#on.body) handle(body, place);
    }
    for (let index = 0; index < body.length; index++)
      this.#expr(body[index]!, new NodePlace(this.#file, body[index]!, up, { scope, rule, link, body, index }));
  }

  #expr(expr: Expr, place: NodePlace): void {
    const on = this.#on;
    for (const handle of on.expr) handle(expr, place);
    switch (expr.kind) {
      case 'term':
        this.#term(expr.term, place);
        break;
      case 'call':
        for (const handle of on.call) handle(expr, place);
        for (const term of expr.args) this.#term(term, place);
        break;
      case 'some':
        for (const handle of on.some) handle(expr, place);
        for (const term of expr.symbols) this.#term(term, place);
        break;
      case 'every': {
        for (const handle of on.every) handle(expr, place);
        this.#term(expr.domain, place);
        const given = [expr.key, expr.value].flatMap((term): Declaration[] =>
          term === undefined ? [] : argumentVars(term).map((node) => ({ kind: 'every', node })),
        );
        this.#body(expr.body, place, scopeOf(expr.body, place.scope, given));
        break;
      }
      case 'not':
        this.#body(expr.body, place, expr.explicit ? scopeOf(expr.body, place.scope) : place.scope);
        break;
      default:
        this.#body(expr.lhs, place, expr.explicitLhs ? scopeOf(expr.lhs, place.scope) : place.scope);
        this.#body(expr.rhs, place, expr.explicitRhs ? scopeOf(expr.rhs, place.scope) : place.scope);
    }
    for (const each of expr.with) {
      for (const handle of on.with) handle(each, place);
      const below = new NodePlace(this.#file, each, place, place);
      this.#term(each.target, below);
      this.#term(each.value, below);
    }
  }

  #term(term: Term, up: NodePlace): void {
    const on = this.#on;
    for (const handle of on.term) handle(term, up);
    switch (term.type) {
      case 'ref':
        for (const handle of on.ref) handle(term, up);
        this.#children(term, up);
        break;
      case 'call': {
        for (const handle of on.call) handle(term, up);
        const place = new NodePlace(this.#file, term, up, up);
        for (const each of term.args) this.#term(each, place);
        break;
      }
      case 'arraycomprehension':
      case 'setcomprehension':
      case 'objectcomprehension':
        this.#comprehension(term, up);
        break;
      case 'array':
      case 'set':
      case 'object':
      case 'templatestring':
        this.#children(term, up);
        break;
      default:
    }
  }

  #comprehension(term: Comprehension, up: NodePlace): void {
    for (const handle of this.#on.comprehension) handle(term, up);
    const scope = scopeOf(term.body, up.scope);
    const { rule, link, body, index } = up;
    const place = new NodePlace(this.#file, term, up, { scope, rule, link, body, index });
    if (term.type === 'objectcomprehension') {
      this.#term(term.key, place);
      this.#term(term.value, place);
    } else this.#term(term.term, place);
    this.#body(term.body, place, scope);
  }

  #children(term: Term, up: NodePlace): void {
    const place = new NodePlace(this.#file, term, up, up);
    forEachChild(term, (child: Node) => {
      if (child.type === 'expr') this.#expr(child, new NodePlace(this.#file, child, place, place));
      else this.#term(child as Term, place);
    });
  }
}

/** Whether the value of a head is not in the text. */
export function isGenerated(value: Term, { head }: Rule): boolean {
  return (
    head.generatedValue || value.loc === head.loc || (value.loc.start === head.loc.start && value.type === 'boolean')
  );
}
