/**
 * The inputs of a plan: the places of the rule tree that the planner looked up, with the results.
 */
import type { RuleTree } from '../../resolve/tree.js';
import { documentAt, type VirtualDocument } from '../../resolve/virtual-document.js';

interface Place {
  readonly path: readonly string[];
  /**
   * The node of rules. Packages are not kept: most of their content has nothing to do with the
   * plan.
   */
  readonly found: RuleTree | 'package' | undefined;
}

/** Rules are the same if their node of the tree is: a change at or below it makes a new node. */
export class PlanInputs {
  readonly #places = new Map<string, Place>();
  /** The keys of packages whose children were all looked up. */
  readonly #children = new Map<Place['path'], readonly string[]>();

  add(path: readonly string[], document: VirtualDocument | undefined): void {
    const key = JSON.stringify(path);
    if (!this.#places.has(key))
      this.#places.set(key, { path, found: document?.kind === 'package' ? 'package' : document?.node });
  }

  addChildren({ path, node }: VirtualDocument): void {
    if (!this.#children.has(path)) this.#children.set(path, [...node.children.keys()]);
  }

  /** Whether the planner would find the same in another version of the rule tree. */
  hold(root: RuleTree): boolean {
    for (const { path, found } of this.#places.values()) {
      const node = nodeAt(root, path);
      if (found !== 'package' ? node !== found : node === undefined || documentAt(node, path).kind !== 'package')
        return false;
    }
    for (const [path, keys] of this.#children) {
      const children = nodeAt(root, path)?.children;
      if (children?.size !== keys.length || !keys.every((key) => children.has(key))) return false;
    }
    return true;
  }
}

function nodeAt(root: RuleTree, path: readonly string[]): RuleTree | undefined {
  let node: RuleTree | undefined = root;
  for (let i = 0; i < path.length && node !== undefined; i++) node = node.children.get(`"${path[i]}`);
  return node;
}
