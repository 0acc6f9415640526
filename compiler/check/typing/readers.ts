/** Which rules read a path at which something changed. */

import { type Steps, visitSteps } from '../../../runtime/values/steps.js';
import type { CompiledModule, CompiledRule, Ref } from '../../resolve/compiled-rule.js';
import { keyOf, rulesPerStep, step } from '../../resolve/tree.js';
import { constantPart } from './constant-part.js';
import type { Part } from './data-types.js';

/**
 * Keys of a ref below `data`, up to the first that is no string: to it, all that is there matters,
 * if only that something is.
 */
type Keys = readonly string[];

interface Node {
  /** The latest change here and below. */
  latest: number;
  /** The change at the path that ends here. */
  own: number;
  readonly children: Map<string, Node>;
}

/** When each rule was checked. */
type Clock = (rule: CompiledRule) => number;

/** The paths that the rules of a module read. */
interface Reads {
  readonly keys: readonly Keys[];
  /**
   * The first two keys of the refs at most: most modules read nothing near the changed rules, and
   * this excludes thousands of them in a millisecond.
   */
  readonly heads: readonly string[];
}

// Refs are looked at once, whatever the number of writes.
const readsOfModules = new WeakMap<CompiledModule, Reads>();

const headLength = 2;

export class ChangedPaths {
  readonly #root: Node = newNode();
  /** Heads of refs that may read a change; undefined if the heads do not decide. */
  readonly #heads: Set<string> | undefined;

  private constructor(parts: readonly Part[]) {
    this.#heads = parts.every(({ path }) => path.length >= headLength) ? new Set(['']) : undefined;
  }

  static *of(parts: readonly Part[]): Steps<ChangedPaths> {
    const paths = new ChangedPaths(parts);
    yield* visitSteps(parts, rulesPerStep, (part) => paths.#add(part));
    return paths;
  }

  #add({ path, changedAt }: Part): void {
    let node = this.#root;
    let head = '';
    for (const term of path.slice(0, headLength)) this.#heads?.add((head += step(keyOf(term)!)));
    for (const term of path) {
      node.latest = Math.max(node.latest, changedAt);
      const key = keyOf(term)!;
      let child = node.children.get(key);
      if (!child) node.children.set(key, (child = newNode()));
      node = child;
    }
    node.own = Math.max(node.own, changedAt);
    node.latest = Math.max(node.latest, changedAt);
  }

  /** The rules of a module that read something that changed after they were checked. */
  *readersIn(module: CompiledModule, checkedAt: Clock): Steps<readonly CompiledRule[]> {
    const { keys, heads } = readsOfModules.get(module) ?? (yield* readsOf(module));
    const near = this.#heads;
    if (near !== undefined && !heads.some((head) => near.has(head))) return [];
    if (!keys.some((each) => this.#touched(each) > 0)) return [];
    const readers: CompiledRule[] = [];
    yield* visitSteps(module.rules, rulesPerStep, (rule) => {
      const at = checkedAt(rule);
      if (rule.reads.some((refs) => refs.some((ref) => this.#touched(keysOfRef(ref)) > at))) readers.push(rule);
    });
    return readers;
  }

  /** The last change at a path that a ref may lead to; 0 if there was none. */
  #touched(keys: Keys): number {
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

function keysOfRef(ref: Ref): Keys {
  return constantPart(ref).map((term) => keyOf(term)!);
}

function* readsOf(module: CompiledModule): Steps<Reads> {
  const byText = new Map<string, Keys>();
  const heads = new Set<string>();
  yield* visitSteps(module.rules, rulesPerStep, ({ reads }) => {
    for (const refs of reads)
      for (const ref of refs) {
        const keys = keysOfRef(ref);
        byText.set(keys.map(step).join(''), keys);
        heads.add(keys.slice(0, headLength).map(step).join(''));
      }
  });
  const found = { keys: [...byText.values()], heads: [...heads] };
  readsOfModules.set(module, found);
  return found;
}
