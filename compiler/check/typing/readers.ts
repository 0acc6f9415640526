/** Finds the rules that read a changed path. */

import { type Steps, visitSteps } from '../../../values/index.js';
import type { CompiledModule, CompiledRule } from '../../resolve/compiled-rule.js';
import { keyOfTerm, rulesPerStep } from '../../resolve/tree.js';
import { keysOfRef } from './constant-part.js';
import type { DataPart } from './data-types.js';

interface Node {
  /** The latest change here and below. */
  latest: number;
  /** The change at the path that ends here. */
  own: number;
  readonly children: Map<string, Node>;
}

/** When each rule was checked. */
type Clock = (rule: CompiledRule) => number;

export class ChangedPaths {
  /** The keys of each path below `data`. */
  readonly list: readonly (readonly string[])[];
  readonly #root: Node = newNode();

  private constructor(list: ChangedPaths['list']) {
    this.list = list;
  }

  static *of(parts: readonly DataPart[]): Steps<ChangedPaths> {
    const paths = new ChangedPaths(parts.map(({ path }) => path.map((term) => keyOfTerm(term))));
    yield* visitSteps(parts.entries(), rulesPerStep, ([i, { changedAt }]) => paths.#add(paths.list[i]!, changedAt));
    return paths;
  }

  #add(path: readonly string[], changedAt: number): void {
    let node = this.#root;
    for (const key of path) {
      node.latest = Math.max(node.latest, changedAt);
      let child = node.children.get(key);
      if (!child) node.children.set(key, (child = newNode()));
      node = child;
    }
    node.own = Math.max(node.own, changedAt);
    node.latest = Math.max(node.latest, changedAt);
  }

  /** The rules of a module that read something that changed after they were checked. */
  *readersIn(module: CompiledModule, checkedAt: Clock): Steps<readonly CompiledRule[]> {
    const readers: CompiledRule[] = [];
    yield* visitSteps(module.rules, rulesPerStep, (rule) => {
      const at = checkedAt(rule);
      if (rule.reads.some((refs) => refs.some((ref) => this.#touched(keysOfRef(ref)) > at))) readers.push(rule);
    });
    return readers;
  }

  /** The last change at a path that a ref may lead to; 0 if there was none. */
  #touched(keys: readonly string[]): number {
    let node = this.#root;
    let latest = 0;
    for (const key of keys) {
      const child = node.children.get(key);
      if (child === undefined) return latest;
      if (child.own > latest) latest = child.own;
      node = child;
    }
    return Math.max(latest, node.latest);
  }
}

function newNode(): Node {
  return { latest: 0, own: 0, children: new Map() };
}
