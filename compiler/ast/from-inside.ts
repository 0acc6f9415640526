/** Results for the nodes of trees of any depth. */

import type { Expr, Node, Term } from './nodes.js';
import { forEachChild } from './walk.js';

/** The levels of a tree over which a function may recurse. */
const maxLevels = 100;

/**
 * Calls a function that makes a result from a node and the results of the nodes in it, which it
 * asks for by `of`. Those of deep nodes are made first, so that depth costs no stack.
 *
 * @example const texts = new FromInside((node) => `[${node.items.map((item) => texts.of(item))}]`);
 */
export class FromInside<Result> {
  readonly #make: (node: Term | Expr) => Result;
  readonly #made = new Map<Node, Result>();
  #level = 0;

  constructor(make: (node: Term | Expr) => Result) {
    this.#make = make;
  }

  of(node: Term | Expr): Result {
    if (this.#made.size > 0) {
      const known = this.#made.get(node);
      if (known !== undefined) return known;
    }
    if (this.#level >= maxLevels) return this.#fromInside(node);
    this.#level++;
    const result = this.#make(node);
    this.#level--;
    return result;
  }

  #fromInside(root: Term | Expr): Result {
    const level = this.#level;
    const deep = deepNodes(root);
    try {
      for (const node of deep.toReversed()) {
        this.#level = 0;
        this.#made.set(node, this.of(node));
      }
      this.#level = 0;
      return this.of(root);
    } finally {
      this.#level = level;
      for (const node of deep) this.#made.delete(node);
    }
  }
}

/** The nodes that `maxLevels` levels stand above, and again from there, outer ones first. */
function deepNodes(root: Term | Expr): readonly (Term | Expr)[] {
  const deep: (Term | Expr)[] = [];
  const left: { readonly node: Node; readonly level: number }[] = [{ node: root, level: 1 }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { node } = next;
    let { level } = next;
    if (level === maxLevels) {
      deep.push(node as Term | Expr);
      level = 0;
    }
    forEachChild(node, (child) => {
      left.push({ node: child, level: child.type === 'with' ? level : level + 1 });
    });
  }
  return deep;
}
