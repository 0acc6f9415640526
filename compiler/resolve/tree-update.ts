/**
 * Trees of packages and rules with some modules replaced. Only nodes on the path to a change are
 * copied: the rest is shared, so old versions stay whole.
 */

import { type Steps, visitSteps } from '../../values/index.js';
import { stringTerm } from '../ast/make.js';
import type { ScalarTerm } from '../ast/nodes.js';
import { nowhere } from '../source/location.js';
import type { CompiledModule, CompiledRule } from './compiled-rule.js';
import type { ModuleTree, RuleTree } from './tree.js';
import { constantKeys, keyOfTerm, packageKeys, rulesPerStep, sortedChildren, step } from './tree.js';

/** Removed and added modules, each in order of their names. */
interface Replaced {
  readonly removed: readonly CompiledModule[];
  readonly added: readonly CompiledModule[];
}

/** Keys below `data`. */
type Path = readonly ScalarTerm[];

type Writable<Node> = { -readonly [Field in keyof Node]: Node[Field] };

interface Parent<Node> {
  readonly children: ReadonlyMap<string, Node>;
}

/** A tree being changed: each node is copied once, when it is first written. */
class Draft<Node extends Parent<Node>> {
  root: Node;
  readonly #copies = new Set<Node>();
  readonly #copy: (node: Node) => Node;
  readonly grown = new Set<Node>();

  constructor(root: Node, copy: (node: Node) => Node) {
    this.#copy = copy;
    this.root = this.#own(root);
  }

  #own(node: Node): Node {
    if (this.#copies.has(node)) return node;
    const copy = this.#copy(node);
    this.#copies.add(copy);
    return copy;
  }

  /** The node at a path, to be written; with `make` it is there in the end. */
  open(path: Path, make: (key: ScalarTerm) => Node): Node;
  open(path: Path): Node | undefined;
  open(path: Path, make?: (key: ScalarTerm) => Node): Node | undefined {
    let node = this.root;
    for (const key of path) {
      const name = keyOfTerm(key);
      let child = node.children.get(name);
      if (child) child = this.#own(child);
      else if (make) {
        this.#copies.add((child = make(key)));
        this.grown.add(node);
      } else return undefined;
      childrenOf(node).set(name, child);
      node = child;
    }
    return node;
  }

  /** Removes the end of a path, and its ancestors as far as they are empty. */
  prune(path: Path, isEmpty: (node: Node, path: Path) => boolean): void {
    for (const [i, key] of [...path.entries()].reverse()) {
      const above = path.slice(0, i);
      const node = this.#find(above)?.children.get(keyOfTerm(key));
      if (node === undefined) continue;
      if (node.children.size > 0 || !isEmpty(node, path.slice(0, i + 1))) return;
      const parent = this.open(above);
      if (parent) childrenOf(parent).delete(keyOfTerm(key));
    }
  }

  #find(path: Path): Node | undefined {
    let node: Node | undefined = this.root;
    for (const key of path) node = node?.children.get(keyOfTerm(key));
    return node;
  }
}

/** Copies have maps of their own. */
function childrenOf<Node>(node: Parent<Node>): Map<string, Node> {
  return node.children as Map<string, Node>;
}

/** The package tree with modules replaced. */
export function replaceInPackages(root: ModuleTree, { removed, added }: Replaced): ModuleTree {
  const draft = new Draft<Writable<ModuleTree>>(root, ({ modules, children }) => ({
    modules,
    children: new Map(children),
  }));
  const make = (): Writable<ModuleTree> => ({ modules: [], children: new Map() });
  const gone = new Set(removed);
  for (const { parsed } of removed) {
    const node = draft.open(packageKeys(parsed.package));
    if (node) node.modules = node.modules.filter((module) => !gone.has(module));
  }
  for (const module of added) {
    const node = draft.open(packageKeys(module.parsed.package), make);
    const at = node.modules.findIndex(({ name }) => name > module.name);
    node.modules = node.modules.toSpliced(at < 0 ? node.modules.length : at, 0, module);
  }
  for (const { parsed } of removed) draft.prune(packageKeys(parsed.package), ({ modules }) => modules.length === 0);
  return draft.root;
}

/** The rule tree with modules replaced; `packages` is the package tree afterwards. */
export function* replaceInRules(root: RuleTree, { removed, added }: Replaced, packages: ModuleTree): Steps<RuleTree> {
  const draft = new Draft<Writable<RuleTree>>(root, (node) => ({ ...node, children: new Map(node.children) }));
  const make = (key: ScalarTerm): Writable<RuleTree> => ({ key, rules: [], children: new Map(), hidden: false });
  const emptied: Path[] = [];
  for (const module of removed) {
    const paths = yield* pathsOf(module);
    yield* visitSteps(paths.keys(), rulesPerStep, (path) => {
      emptied.push(path);
      const node = draft.open(path);
      if (node) node.rules = node.rules.filter((rule) => rule.module !== module);
    });
  }
  for (const module of added) {
    draft.open(packageKeys(module.parsed.package), make);
    yield* visitSteps(yield* pathsOf(module), rulesPerStep, ([path, rules]) => {
      const node = draft.open(path, make);
      const at = node.rules.findIndex((rule) => rule.module.name > module.name);
      node.rules = node.rules.toSpliced(at < 0 ? node.rules.length : at, 0, ...rules);
    });
  }
  const isEmpty = ({ rules }: RuleTree, path: Path): boolean => rules.length === 0 && !hasPackage(packages, path);
  yield* visitSteps(emptied, rulesPerStep, (path) => draft.prune(path, isEmpty));
  for (const { parsed } of removed) draft.prune(packageKeys(parsed.package), isEmpty);
  for (const node of draft.grown) node.children = yield* sortedChildren(node.children);
  const system = stringTerm(nowhere, 'system');
  if (draft.root.children.get(keyOfTerm(system))?.hidden === false) draft.open([system], make).hidden = true;
  return draft.root;
}

/** A module's rules by the paths at which they stand. */
function* pathsOf(module: CompiledModule): Steps<ReadonlyMap<Path, readonly CompiledRule[]>> {
  const paths = new Map<string, Path>();
  const rules = new Map<Path, CompiledRule[]>();
  yield* visitSteps(module.rules, rulesPerStep, (rule) => {
    const keys = constantKeys(rule.ref);
    const key = keys.map((term) => step(keyOfTerm(term))).join('');
    const path = paths.get(key) ?? keys;
    paths.set(key, path);
    const list = rules.get(path);
    if (list) list.push(rule);
    else rules.set(path, [rule]);
  });
  return rules;
}

/** Whether there is a package at a path or below it. */
function hasPackage(packages: ModuleTree, path: Path): boolean {
  let node: ModuleTree | undefined = packages;
  for (const key of path) node = node?.children.get(keyOfTerm(key));
  return node !== undefined;
}

/**
 * The paths (`refKey`) whose look-up has another result than before: a node was added or removed,
 * rules were, or a function has another number of arguments. Only paths that the given modules
 * touch are compared.
 */
export function* changedLookups(
  before: RuleTree,
  after: RuleTree,
  modules: Iterable<CompiledModule>,
): Steps<ReadonlySet<string>> {
  const changed = new Set<string>();
  const compare = (path: Path): void => {
    let [a, b]: [RuleTree | undefined, RuleTree | undefined] = [before, after];
    let key = '';
    for (const term of path) {
      const name = keyOfTerm(term);
      key += step(name);
      a = a?.children.get(name);
      b = b?.children.get(name);
      if (a !== b && answers(a) !== answers(b)) changed.add(key);
    }
  };
  for (const module of modules) {
    compare(packageKeys(module.parsed.package));
    yield* visitSteps((yield* pathsOf(module)).keys(), rulesPerStep, compare);
  }
  return changed;
}

/** All that stages ask of a node. */
function answers(node: RuleTree | undefined): string {
  if (!node) return 'nothing';
  const [first] = node.rules;
  if (!first) return 'no rules';
  const isFunction = node.rules.some(({ rule }) => (rule.head.args?.length ?? 0) > 0);
  return `${first.rule.head.args?.length ?? 0} ${isFunction}`;
}
