/** Rules that depend on unknowns, or must stay rules: all others are evaluated as usual. */

import type { Expr, Node, RefTerm, Rule, VirtualDocument } from '../../../compiler/index.js';
import { elseChain, functionName, isRootName, printTerm, walk } from '../../../compiler/index.js';
import { LruCache } from '../../../values/index.js';
import { childDocument } from '../child-document.js';
import type { SearchProgram } from '../search.js';
import type { ResidualOptions } from './partial-options.js';
import { areRelated, Unknowns } from './unknowns.js';

/** With the same unknowns, a policy is searched once: this many sets of unknowns are remembered. */
const remembered = 16;

const found = new WeakMap<SearchProgram, LruCache<PartialReach>>();

/** The reach of documents and expressions; conservative where a ref has variables. */
export class PartialReach {
  readonly #program: SearchProgram;
  readonly #unknowns: Unknowns;
  readonly #options: ResidualOptions;
  readonly #documents = new Map<VirtualDocument, boolean>();
  readonly #exprs = new WeakMap<Expr, boolean>();
  /** The documents that are being searched, each with the number of those around it. */
  readonly #open = new Map<VirtualDocument, number>();
  /** The outermost of these that was met again: what was found since then depends on it. */
  #outermost = Infinity;

  private constructor(program: SearchProgram, options: ResidualOptions) {
    this.#program = program;
    this.#unknowns = new Unknowns(options.unknowns);
    this.#options = options;
  }

  static of(program: SearchProgram, options: ResidualOptions): PartialReach {
    let reaches = found.get(program);
    if (reaches === undefined) found.set(program, (reaches = new LruCache(remembered)));
    const { unknowns, disableInlining = [], nondeterministicBuiltins = false } = options;
    const key = JSON.stringify([unknowns.map(printTerm), disableInlining.map(printTerm), nondeterministicBuiltins]);
    let reach = reaches.get(key);
    if (reach === undefined) reaches.set(key, (reach = new PartialReach(program, options)));
    return reach;
  }

  /** Whether the value of a document, or of one below it, may depend on unknowns. */
  document(document: VirtualDocument): boolean {
    const known = this.#documents.get(document);
    if (known !== undefined) return known;
    // A package may be read on the way to one of its own rules.
    const again = this.#open.get(document);
    if (again !== undefined) {
      this.#outermost = Math.min(this.#outermost, again);
      return false;
    }
    const depth = this.#open.size;
    this.#open.set(document, depth);
    const reaches = this.#remembering(
      depth,
      () => this.#search(document),
      (value) => this.#documents.set(document, value),
    );
    this.#open.delete(document);
    return reaches;
  }

  /** Remembers a result if it depends on no document around it: these may still reach unknowns. */
  #remembering(depth: number, search: () => boolean, remember: (reaches: boolean) => void): boolean {
    const before = this.#outermost;
    this.#outermost = Infinity;
    const reaches = search();
    if (reaches || this.#outermost >= depth) {
      remember(reaches);
      this.#outermost = before;
    } else this.#outermost = Math.min(before, this.#outermost);
    return reaches;
  }

  #search(document: VirtualDocument): boolean {
    if (document.kind === 'package') return this.#package(document);
    return isKept(document, this.#options) || document.rules.some(({ rule }) => this.#rule(rule));
  }

  #package(document: VirtualDocument): boolean {
    for (const { key } of document.node.children.values()) {
      const child = key.type === 'string' ? childDocument(document, key.value) : undefined;
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
    const known = this.#exprs.get(expr);
    if (known !== undefined) return known;
    return this.#remembering(
      this.#open.size,
      () => this.node(expr),
      (value) => this.#exprs.set(expr, value),
    );
  }

  /** Whether a node reaches one. */
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
    const [head] = ref.terms;
    if (head.type !== 'var') return false;
    if (!isRootName(head.name)) return this.#isLeftAlone(functionName(ref));
    if (this.#unknowns.includes(ref.terms)) return true;
    return head.name === 'data' && this.#below(ref);
  }

  /** Built-ins that are left to the residual. */
  #isLeftAlone(name: string | undefined): boolean {
    const row = name === undefined ? undefined : this.#program.builtins.get(name)?.row;
    return row?.nondeterministic === true && this.#options.nondeterministicBuiltins !== true;
  }

  #below({ terms }: RefTerm): boolean {
    let document: VirtualDocument | undefined = this.#program.root;
    for (const term of terms.slice(1)) {
      if (document?.kind !== 'package') break;
      if (term.type !== 'string') return this.document(document);
      document = childDocument(document, term.value);
    }
    return document !== undefined && this.document(document);
  }
}

/** Whether a request says that the rules of a document stay rules. */
export function isKept({ path }: VirtualDocument, { disableInlining = [] }: ResidualOptions): boolean {
  return disableInlining.some((ref) => areRelated(path, ref) && ref.terms.length <= path.length + 1);
}
