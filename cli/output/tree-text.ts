/** A syntax tree in the format of `parse`: one line per node, indented by depth. */

import type { Body, Expr, Module, Rule, RuleHead, Term } from '../../compiler/index.js';
import { printTerm, setMembers, sortedTermEntries } from '../../compiler/index.js';

export function treeText(module: Module): string {
  const tree = new Tree();
  tree.node('module', () => {
    tree.node('package', () => tree.ref(module.package.path));
    for (const { path, alias } of module.imports) {
      tree.node('import', () => {
        tree.ref(path.terms);
        tree.line(alias ?? '');
      });
    }
    for (const rule of module.rules) tree.rule(rule);
    for (const _ of module.annotations) tree.line('annotations');
    for (const _ of module.comments) tree.line('comment');
  });
  return tree.text;
}

/** A line, with the lines below it. */
interface Line {
  readonly text: string;
  readonly depth: number;
  readonly children: (() => void) | undefined;
}

class Tree {
  /** The lines to write, the next one last: trees may be deep, so nothing recurses. */
  #left: Line[] = [];
  #depth = 0;

  get text(): string {
    let text = '';
    for (let line = this.#left.pop(); line !== undefined; line = this.#left.pop()) {
      text += `${' '.repeat(line.depth)}${line.text}\n`;
      if (line.children === undefined) continue;
      const rest = this.#left;
      this.#left = [];
      this.#depth = line.depth + 1;
      line.children();
      for (const child of this.#left.reverse()) rest.push(child);
      this.#left = rest;
    }
    return text;
  }

  line(what: string): void {
    this.#left.push({ text: what, depth: this.#depth, children: undefined });
  }

  node(what: string, children: () => void): void {
    this.#left.push({ text: what, depth: this.#depth, children });
  }

  rule(rule: Rule): void {
    this.node('rule', () => {
      this.node('head', () => this.#head(rule.head));
      this.body(rule.body);
      if (rule.else !== undefined) this.rule(rule.else);
    });
  }

  #head({ ref, args, value }: RuleHead): void {
    this.ref(ref);
    if (args !== undefined && args.length > 0) this.node('args', () => this.#terms(args));
    if (value !== undefined) this.term(value);
  }

  body(body: Body): void {
    this.node('body', () => {
      body.forEach((expr, i) => {
        this.node(`expr ${expr.negated ? 'negated ' : ''}index=${i}`, () => this.#expr(expr));
      });
    });
  }

  #expr(expr: Expr): void {
    switch (expr.kind) {
      case 'term':
        this.term(expr.term);
        break;
      case 'call':
        this.ref(expr.operator.terms);
        this.#terms(expr.args);
        break;
      case 'some':
        this.node('somedecl', () => this.#terms(expr.symbols));
        break;
      case 'every':
        this.node('every', () => {
          if (expr.key !== undefined) this.term(expr.key);
          this.term(expr.value);
          this.term(expr.domain);
          this.body(expr.body);
        });
        break;
      case 'not':
        this.node('not', () => this.body(expr.body));
        break;
      case 'and':
      case 'or':
        this.node(expr.kind, () => {
          this.body(expr.lhs);
          this.body(expr.rhs);
        });
        break;
    }
    for (const { target, value } of expr.with) {
      this.node('with', () => {
        this.term(target);
        this.term(value);
      });
    }
  }

  ref(terms: readonly Term[]): void {
    this.node('ref', () => this.#terms(terms));
  }

  #terms(terms: readonly Term[]): void {
    for (const term of terms) this.term(term);
  }

  term(term: Term): void {
    switch (term.type) {
      case 'ref':
        return this.ref(term.terms);
      case 'call':
        return this.node('call', () => {
          this.ref(term.operator.terms);
          this.#terms(term.args);
        });
      case 'array':
        return this.node('array', () => this.#terms(term.items));
      case 'set':
        return this.node('set', () => this.#terms(setMembers(term.items)));
      case 'object':
        return this.node('object', () => {
          for (const { key, value } of sortedTermEntries(term.entries)) this.#terms([key, value]);
        });
      case 'arraycomprehension':
      case 'setcomprehension':
        return this.node(term.type, () => {
          this.term(term.term);
          this.body(term.body);
        });
      case 'objectcomprehension':
        return this.node(term.type, () => {
          this.#terms([term.key, term.value]);
          this.body(term.body);
        });
      case 'templatestring':
        // The parts are not shown, as in the reference.
        this.line(term.type);
        return;
      default:
        this.line(printTerm(term));
    }
  }
}
