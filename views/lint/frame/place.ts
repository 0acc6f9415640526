/** Where a node stands: its ancestors, the rule and the scope around it. */

import type { Body, Expr, Node, RefTerm, Rule, Term, VarTerm } from '../../../compiler/index.js';
import { isRootName } from '../../../compiler/index.js';
import type { LintFile } from './lint-file.js';
import { findDeclarations, type Scope } from './scope.js';

export class NodePlace {
  readonly file: LintFile;
  /** The node here; a body has none of its own. */
  readonly node: Node;
  readonly up: NodePlace | undefined;
  readonly scope: Scope | undefined;
  /** The rule of the file. */
  readonly rule: Rule;
  /** The rule itself, or the `else` that the node is in. */
  readonly link: Rule;
  /** The body that the node is in; undefined in the head. */
  readonly body: Body | undefined;
  /** The index of the expression in that body. */
  readonly index: number;

  constructor(
    file: LintFile,
    node: Node,
    up: NodePlace | undefined,
    at: Pick<NodePlace, 'scope' | 'rule' | 'link' | 'body' | 'index'>,
  ) {
    this.file = file;
    this.node = node;
    this.up = up;
    this.scope = at.scope;
    this.rule = at.rule;
    this.link = at.link;
    this.body = at.body;
    this.index = at.index;
  }

  /** The expression of the body that the node is in. */
  get expr(): Expr | undefined {
    return this.body?.[this.index];
  }

  /** Whether an ancestor fits. */
  isWithin(fits: (node: Node) => boolean): boolean {
    for (let each = this.up; each; each = each.up) if (fits(each.node)) return true;
    return false;
  }

  /** Whether a name stands for a rule or an import here, or is `input` or `data`. */
  isGlobal(name: string): boolean {
    if (findDeclarations(this.scope, name).length > 0) return false;
    return isRootName(name) || this.file.globals.has(name);
  }

  /** Whether a variable in a ref takes its values here: no name that had one before. */
  isOutput(term: Term): term is VarTerm {
    return term.type === 'var' && this.file.varsOf(this.rule).isOutput(term);
  }

  /** Variables of a ref that take their values here. */
  outputsOf(ref: RefTerm): VarTerm[] {
    return ref.terms.slice(1).filter((term) => this.isOutput(term));
  }
}
