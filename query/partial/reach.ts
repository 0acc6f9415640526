/** Which rules depend on unknowns, or must stay rules: everything else is evaluated as usual. */

import { functionName, isRootName } from '../../compiler/ast/names.js';
import type { Expr, Node, RefTerm, Rule } from '../../compiler/ast/nodes.js';
import { walk } from '../../compiler/ast/walk.js';
import { elseChain } from '../../compiler/resolve/links.js';
import type { VirtualDocument } from '../../compiler/resolve/virtual-document.js';
import { childOf } from '../child-document.js';
import type { Program } from '../search.js';
import type { Unknowns } from './unknowns.js';

/** By document and by expression; conservative where a ref has variables. */
export class Reach {
  readonly #program: Program;
  readonly #unknowns: Unknowns;
  readonly #evaluatesAll: boolean;
  readonly #kept: (document: VirtualDocument) => boolean;
  readonly #documents = new Map<VirtualDocument, boolean>();
  readonly #exprs = new WeakMap<Expr, boolean>();

  /**
   * @param evaluatesAll whether non-deterministic built-ins are evaluated
   * @param kept whether the rules of a document are not evaluated even if they are known
   */
  constructor(program: Program, unknowns: Unknowns, evaluatesAll: boolean, kept: (document: VirtualDocument) => boolean) {
    this.#program = program;
    this.#unknowns = unknowns;
    this.#evaluatesAll = evaluatesAll;
    this.#kept = kept;
  }

  /** Whether the value of a document, or of one below it, may depend on unknowns. */
  document(document: VirtualDocument): boolean {
    const known = this.#documents.get(document);
    if (known !== undefined) return known;
    // A package may be read on the way to one of its own rules.
    this.#documents.set(document, false);
    const reaches =
      document.kind === 'package' ? this.#package(document) : this.#kept(document) || document.rules.some(({ rule }) => this.#rule(rule));
    this.#documents.set(document, reaches);
    return reaches;
  }

  #package(document: VirtualDocument): boolean {
    for (const { key } of document.node.children.values()) {
      const child = key.type === 'string' ? childOf(document, key.value) : undefined;
      if (child !== undefined && this.document(child)) return true;
    }
    return false;
  }

  #rule(rule: Rule): boolean {
    for (const { body } of elseChain(rule)) if (body.some((expr) => this.expr(expr))) return true;
    return false;
  }

  /** Whether an expression may depend on unknowns, apart from its variables. */
  expr(expr: Expr): boolean {
    let reaches = this.#exprs.get(expr);
    if (reaches === undefined) this.#exprs.set(expr, (reaches = this.node(expr)));
    return reaches;
  }

  /** The same of any node. */
  node(node: Node): boolean {
    let reaches = false;
    walk(node, (one) => {
      if (reaches) return false;
      if (one.type === 'ref') reaches = this.#ref(one);
      else if (one.type === 'with' && one.target.type === 'ref') reaches = this.#unknowns.includes(one.target.terms);
      return !reaches;
    });
    return reaches;
  }

  #ref(ref: RefTerm): boolean {
    const head = ref.terms[0]!;
    if (head.type !== 'var') return false;
    if (!isRootName(head.name)) return this.#isLeftAlone(functionName(ref));
    if (this.#unknowns.includes(ref.terms)) return true;
    return head.name === 'data' && this.#below(ref);
  }

  /** Built-ins that are left to the residual. */
  #isLeftAlone(name: string | undefined): boolean {
    const row = name === undefined ? undefined : this.#program.builtins.get(name)?.row;
    return row?.nondeterministic === true && !this.#evaluatesAll;
  }

  #below({ terms }: RefTerm): boolean {
    let document: VirtualDocument | undefined = this.#program.root;
    for (const term of terms.slice(1)) {
      if (document?.kind !== 'package') break;
      if (term.type !== 'string') return this.document(document);
      document = childOf(document, term.value);
    }
    return document !== undefined && this.document(document);
  }
}
