/** What a plan was made of: the places of the rule tree that the planner looked at, and what it found there. */
import type { RuleTree } from '../resolve/tree.js';
import { type Unit, unitAt } from './units.js';

interface Place {
  readonly path: readonly string[];
  readonly unit: Unit | undefined;
}

/** Rules are the same if their node of the tree is: what changes below or at it makes another. */
export class PlanInputs {
  readonly #places = new Map<string, Place>();
  /** Packages of which all children were looked at. */
  readonly #whole = new Set<Unit>();

  add(path: readonly string[], unit: Unit | undefined): void {
    this.#places.set(JSON.stringify(path), { path, unit });
  }

  addChildren(unit: Unit): void {
    this.#whole.add(unit);
  }

  /** Whether the planner would find the same in another version of the rule tree. */
  hold(root: RuleTree): boolean {
    for (const { path, unit } of this.#places.values()) {
      const node = nodeAt(root, path);
      if (node === unit?.node) continue;
      if (node === undefined || unit?.kind !== 'package' || unitAt(node, path).kind !== 'package') return false;
      if (this.#whole.has(unit) && !hasSameKeys(unit.node, node)) return false;
    }
    return true;
  }
}

function nodeAt(root: RuleTree, path: readonly string[]): RuleTree | undefined {
  let node: RuleTree | undefined = root;
  for (let i = 0; i < path.length && node !== undefined; i++) node = node.children.get(`"${path[i]}`);
  return node;
}

function hasSameKeys(a: RuleTree, b: RuleTree): boolean {
  if (a.children.size !== b.children.size) return false;
  for (const key of a.children.keys()) if (!b.children.has(key)) return false;
  return true;
}
