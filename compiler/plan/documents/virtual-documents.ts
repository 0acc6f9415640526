/** Looks virtual documents up, and notes the lookups as inputs of the plan. */

import type { RefTerm } from '../../ast/nodes.js';
import { dataPath, isRoot } from '../../ast/paths.js';
import type { RuleTree } from '../../resolve/tree.js';
import { documentAt, type VirtualDocument } from '../../resolve/virtual-document.js';
import type { PlanInputs } from './plan-inputs.js';

export class VirtualDocuments {
  readonly root: VirtualDocument;
  readonly #inputs: PlanInputs | undefined;

  constructor(root: RuleTree, inputs?: PlanInputs) {
    this.root = documentAt(root, []);
    this.#inputs = inputs;
    inputs?.add([], this.root);
  }

  child(document: VirtualDocument, key: string): VirtualDocument | undefined {
    const node = document.node.children.get(`"${key}`);
    const path = [...document.path, key];
    const child = node && documentAt(node, path);
    this.#inputs?.add(path, child);
    return child;
  }

  /** Children in order of their keys; none for other documents. */
  children(document: VirtualDocument): readonly (readonly [key: string, child: VirtualDocument])[] {
    if (document.kind !== 'package') return [];
    this.#inputs?.addChildren(document);
    const found: (readonly [string, VirtualDocument])[] = [];
    for (const { key } of document.node.children.values()) {
      if (key.type === 'string') found.push([key.value, this.child(document, key.value)!]);
    }
    return found;
  }

  /** The document at a path, undefined if nothing is there, or if a rule is on the way. */
  at(path: readonly string[]): VirtualDocument | undefined {
    let document: VirtualDocument | undefined = this.root;
    for (const key of path) document = document?.kind === 'package' ? this.child(document, key) : undefined;
    return document;
  }

  /** The function at a path: it may stand below the rules of an object. */
  functionAt(path: readonly string[]): VirtualDocument | undefined {
    let document: VirtualDocument | undefined = this.root;
    for (const key of path) document = document && this.child(document, key);
    return document?.kind === 'function' ? document : undefined;
  }
}

/**
 * The document that answers at a ref of constants into data: the one that it names, or the rule
 * above whose value contains it.
 */
export function documentHolding(documents: VirtualDocuments, ref: RefTerm): VirtualDocument | undefined {
  const [head, ...keys] = ref.terms;
  if (!isRoot(head, 'data')) return undefined;
  const called = functionOf(documents, ref);
  if (called !== undefined) return called;
  let document: VirtualDocument | undefined = documents.root;
  for (const key of keys) {
    if (document?.kind !== 'package') return document;
    document = key.type === 'string' ? documents.child(document, key.value) : undefined;
  }
  return document;
}

/** The function of the policies that a ref names. */
export function functionOf(documents: VirtualDocuments, ref: RefTerm): VirtualDocument | undefined {
  const path = dataPath(ref);
  return path && documents.functionAt(path);
}
