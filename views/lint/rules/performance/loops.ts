/** Where the loops of a rule start, and the expressions behind that do not need their values. */

import type { CallExpr, Expr, Node, RefTerm, Rule, Term, VarTerm } from '../../../../compiler/index.js';
import { forEachChild, isWildcard, walk } from '../../../../compiler/index.js';
import type { LintFile } from '../../frame/lint-file.js';
import { isBinary, nameOf } from '../tree.js';

/**
 * The rows of a text tell: a loop starts where its variable is first written, and what is assigned
 * from there on may depend on it. Closures have their own loops, which count here for nothing.
 */
export class Loops {
  /** The calls of the body, and of the bodies of its `every`. */
  readonly expressions: readonly CallExpr[];
  readonly #file: LintFile;
  readonly #rule: Rule;
  /** The first row in which a variable gets its values. */
  readonly #rows = new Map<string, number>();
  /** The row of the first loop. */
  #first = Number.POSITIVE_INFINITY;

  constructor(rule: Rule, file: LintFile) {
    this.#file = file;
    this.#rule = rule;
    const body = rule.generatedBody ? [] : rule.body;
    this.expressions = body
      .flatMap((expr): readonly Expr[] => (expr.kind === 'every' ? expr.body : [expr]))
      .filter((expr) => expr.kind === 'call');
    if (this.expressions.length === 0) return;
    this.#visit(rule, false);
    for (const expr of this.expressions) this.#seeAssignment(expr);
  }

  /** Whether a call behind the start of a loop is the same in each turn. */
  isOutside(expr: CallExpr): boolean {
    if (expr.loc.row <= this.#first || nameOf(expr) === 'print') return false;
    let isFixed = true;
    walk(expr, (node) => {
      if (node.type === 'var') isFixed &&= (this.#rows.get(node.name) ?? 0) < this.#first;
    });
    return isFixed;
  }

  #visit(node: Node, isInClosure: boolean): void {
    if (node.type === 'ref' && !isInClosure) this.#seeRef(node);
    if (node.type === 'expr') this.#seeExpr(node, isInClosure);
    const isClosure = isInClosure || node.type.endsWith('comprehension');
    forEachChild(node, (child) => this.#visit(child, isClosure));
  }

  #seeRef(ref: RefTerm): void {
    for (const term of this.#outputsOf(ref)) if (!isWildcard(term.name)) this.#start(term.name, ref.loc.row);
  }

  #seeExpr(expr: Expr, isInClosure: boolean): void {
    if (expr.kind === 'call') {
      // The rows of a walk count wherever it stands.
      if (nameOf(expr) === 'walk' && expr.args[1]?.type === 'array') this.#startAll(expr.args[1], true);
      if (!isInClosure && isBinary(expr, 'assign', 'eq') && isPattern(expr.args[0]))
        for (const { name, loc } of varsIn(expr.args[0])) this.#note(name, loc.row);
      return;
    }
    if (isInClosure) return;
    if (expr.kind === 'every')
      for (const term of [expr.key, expr.value]) if (term) this.#start(term.name, term.loc.row);
    if (expr.kind === 'some')
      for (const symbol of expr.symbols)
        if (symbol.type === 'call') for (const term of symbol.args.slice(0, -1)) this.#startAll(term, false);
  }

  /** `x := xs[_]` starts a loop, too. */
  #seeAssignment(expr: CallExpr): void {
    if (!isBinary(expr, 'assign', 'eq')) return;
    const [left, right] = expr.args;
    if (left.type === 'var' && right.type === 'ref' && this.#outputsOf(right).length > 0)
      this.#start(left.name, expr.loc.row);
  }

  #outputsOf({ terms }: RefTerm): readonly VarTerm[] {
    const vars = this.#file.varsOf(this.#rule);
    return terms.slice(1).filter((term): term is VarTerm => term.type === 'var' && vars.isOutput(term));
  }

  #startAll(term: Term, withWildcards: boolean): void {
    for (const { name, loc } of varsIn(term)) if (withWildcards || !isWildcard(name)) this.#start(name, loc.row);
  }

  #start(name: string, row: number): void {
    this.#first = Math.min(this.#first, row);
    this.#note(name, row);
  }

  #note(name: string, row: number): void {
    this.#rows.set(name, Math.min(this.#rows.get(name) ?? row, row));
  }
}

function isPattern({ type }: Term): boolean {
  return type === 'var' || type === 'array' || type === 'object';
}

function varsIn(term: Term): readonly VarTerm[] {
  const found: VarTerm[] = [];
  walk(term, (node) => {
    if (node.type === 'var') found.push(node);
  });
  return found;
}
