/**
 * The modules that depend on a path, so that a change finds them without a look at all modules. One
 * version has the index, and passes it on to the next: an older version that is changed again
 * builds its own.
 */

import type { Steps } from '../../values/index.js';
import type { CompiledModule, CompiledRule } from '../resolve/compiled-rule.js';
import { rulesPerStep } from '../resolve/tree.js';
import { keysOfRef } from './typing/constant-part.js';

type Names = Set<string>;

/** The modules with a ref that ends here, and longer refs. */
interface Node {
  readonly names: Names;
  readonly children: Map<string, Node>;
}

/** Indexes of modules by their names. */
interface Index {
  /** Modules by the paths (`refKey`) at which stages looked rules up. */
  readonly lookups: Map<string, Names>;
  /** Modules by the constant keys of the refs that rules read. */
  readonly reads: Node;
}

export class Dependents {
  readonly #modules: ReadonlyMap<string, CompiledModule>;
  #index: Index | undefined;

  constructor(modules: ReadonlyMap<string, CompiledModule>) {
    this.#modules = modules;
  }

  /** Modules whose stages looked rules up at one of these paths. */
  *ofLookups(paths: Iterable<string>): Steps<ReadonlySet<string>> {
    const { lookups } = yield* this.#built();
    const found = new Set<string>();
    for (const path of paths) for (const name of lookups.get(path) ?? []) found.add(name);
    return found;
  }

  /** Modules whose rules read one of these paths, something below it, or all that is around it. */
  *ofReads(paths: Iterable<readonly string[]>): Steps<ReadonlySet<string>> {
    const { reads } = yield* this.#built();
    const found = new Set<string>();
    for (const path of paths) {
      const end = path.reduce<Node | undefined>((node, key) => {
        for (const name of node?.names ?? []) found.add(name);
        return node?.children.get(key);
      }, reads);
      if (end) addBelow(end, found);
    }
    return found;
  }

  /** Takes the index over from the version before; each list of modules is of one version. */
  replace(before: Dependents, removed: Iterable<CompiledModule>, added: Iterable<CompiledModule>): void {
    const index = before.#index;
    if (index === undefined) return;
    before.#index = undefined;
    for (const module of removed) removeModule(index, module);
    for (const module of added) addModule(index, module);
    this.#index = index;
  }

  *#built(): Steps<Index> {
    if (this.#index) return this.#index;
    const index: Index = { lookups: new Map(), reads: newNode() };
    let rules = 0;
    for (const module of this.#modules.values()) {
      addModule(index, module);
      rules += module.rules.length;
      if (rules < rulesPerStep) continue;
      rules = 0;
      yield;
    }
    return (this.#index = index);
  }
}

function newNode(): Node {
  return { names: new Set(), children: new Map() };
}

function addBelow(start: Node, found: Names): void {
  const todo = [start];
  for (let node = todo.pop(); node; node = todo.pop()) {
    for (const name of node.names) found.add(name);
    for (const child of node.children.values()) todo.push(child);
  }
}

function addModule({ lookups, reads }: Index, { name, rules, lookups: own }: CompiledModule): void {
  for (const path of own) {
    const names = lookups.get(path);
    if (names) names.add(name);
    else lookups.set(path, new Set([name]));
  }
  for (const keys of pathsRead(rules)) {
    let node = reads;
    for (const key of keys) {
      let child = node.children.get(key);
      if (!child) node.children.set(key, (child = newNode()));
      node = child;
    }
    node.names.add(name);
  }
}

function removeModule({ lookups, reads }: Index, { name, rules, lookups: own }: CompiledModule): void {
  for (const path of own) {
    const names = lookups.get(path);
    if (names?.delete(name) && names.size === 0) lookups.delete(path);
  }
  for (const keys of pathsRead(rules)) removeRead(reads, keys, name);
}

/** Removes the nodes that are empty afterwards, too. */
function removeRead(root: Node, keys: readonly string[], name: string): void {
  const way: { readonly parent: Node; readonly key: string; readonly node: Node }[] = [];
  let node = root;
  for (const key of keys) {
    const child = node.children.get(key);
    if (!child) return;
    way.push({ parent: node, key, node: child });
    node = child;
  }
  node.names.delete(name);
  for (const { parent, key, node: emptied } of way.reverse()) {
    if (emptied.names.size > 0 || emptied.children.size > 0) return;
    parent.children.delete(key);
  }
}

function* pathsRead(rules: readonly CompiledRule[]): Iterable<readonly string[]> {
  for (const { reads } of rules) for (const refs of reads) for (const ref of refs) yield keysOfRef(ref);
}
