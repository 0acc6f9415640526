/**
 * Trees of packages and rules with some modules replaced. Only nodes on the path to a change are
 * copied: the rest is shared, so old versions stay whole.
 */

import { type Steps, visitSteps } from '../../values/steps.js';
import { stringTerm } from '../ast/make.js';
import type { Term } from '../ast/nodes.js';
import { nowhere } from '../source/location.js';
import type { CompiledModule, CompiledRule } from './compiled-rule.js';
import { groundPrefix, keyOf, type ModuleTree, type RuleTree, rulesPerStep, sortedChildren, step } from './tree.js';

/** Removed and added modules, each in order of their names. */
interface Replaced {
  readonly removed: readonly CompiledModule[];
  readonly added: readonly CompiledModule[];
}

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
  open(path: readonly Term[], make?: (key: Term) => Node): Node | undefined {
    let node = this.root;
    for (let i = 1; i < path.length; i++) {
      const key = path[i]!;
      const name = keyOf(key)!;
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
  prune(path: readonly Term[], isEmpty: (node: Node, path: readonly Term[]) => boolean): void {
    const way: Node[] = [this.root];
    for (let i = 1; i < path.length; i++) {
      const child = way[i - 1]!.children.get(keyOf(path[i]!)!);
      if (!child) break;
      way.push(child);
    }
    for (let i = way.length - 1; i > 0; i--) {
      const node = way[i]!;
      if (node.children.size > 0 || !isEmpty(node, path.slice(0, i + 1))) return;
      const parent = this.open(path.slice(0, i))!;
      childrenOf(parent).delete(keyOf(path[i]!)!);
      way[i - 1] = parent;
    }
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
    const node = draft.open(parsed.package.path);
    if (node) node.modules = node.modules.filter((module) => !gone.has(module));
  }
  for (const module of added) {
    const node = draft.open(module.parsed.package.path, make)!;
    const at = node.modules.findIndex(({ name }) => name > module.name);
    node.modules = node.modules.toSpliced(at < 0 ? node.modules.length : at, 0, module);
  }
  for (const { parsed } of removed) draft.prune(parsed.package.path, ({ modules }) => modules.length === 0);
  return draft.root;
}

/** The rule tree with modules replaced; `packages` is the package tree afterwards. */
export function* replaceInRules(root: RuleTree, { removed, added }: Replaced, packages: ModuleTree): Steps<RuleTree> {
  const draft = new Draft<Writable<RuleTree>>(root, (node) => ({ ...node, children: new Map(node.children) }));
  const make = (key: Term): Writable<RuleTree> => ({ key, rules: [], children: new Map(), hidden: false });
  const emptied: (readonly Term[])[] = [];
  for (const module of removed) {
    const paths = yield* pathsOf(module);
    yield* visitSteps(paths.keys(), rulesPerStep, (path) => {
      emptied.push(path);
      const node = draft.open(path);
      if (node) node.rules = node.rules.filter((rule) => rule.module !== module);
    });
  }
  for (const module of added) {
    draft.open(module.parsed.package.path, make);
    yield* visitSteps(yield* pathsOf(module), rulesPerStep, ([path, rules]) => {
      const node = draft.open(path, make)!;
      const at = node.rules.findIndex((rule) => rule.module.name > module.name);
      node.rules = node.rules.toSpliced(at < 0 ? node.rules.length : at, 0, ...rules);
    });
  }
  const isEmpty = ({ rules }: RuleTree, path: readonly Term[]): boolean =>
    rules.length === 0 && !hasPackage(packages, path);
  yield* visitSteps(emptied, rulesPerStep, (path) => draft.prune(path, isEmpty));
  for (const { parsed } of removed) draft.prune(parsed.package.path, isEmpty);
  for (const node of draft.grown) node.children = yield* sortedChildren(node.children);
  const system = draft.root.children.get(keyOf(stringTerm(nowhere, 'system'))!);
  if (system && !system.hidden) draft.open([stringTerm(nowhere, 'data'), stringTerm(nowhere, 'system')])!.hidden = true;
  return draft.root;
}

/** A module's rules by the paths at which they stand. */
function* pathsOf(module: CompiledModule): Steps<ReadonlyMap<readonly Term[], readonly CompiledRule[]>> {
  const paths = new Map<string, readonly Term[]>();
  const rules = new Map<readonly Term[], CompiledRule[]>();
  yield* visitSteps(module.rules, rulesPerStep, (rule) => {
    const prefix = groundPrefix(rule.ref);
    let key = '';
    for (let i = 1; i < prefix.length; i++) key += step(keyOf(prefix[i]!)!);
    const path = paths.get(key) ?? prefix;
    paths.set(key, path);
    const list = rules.get(path);
    if (list) list.push(rule);
    else rules.set(path, [rule]);
  });
  return rules;
}

/** Whether there is a package at a path or below it. */
function hasPackage(packages: ModuleTree, path: readonly Term[]): boolean {
  let node: ModuleTree | undefined = packages;
  for (let i = 1; i < path.length && node; i++) node = node.children.get(keyOf(path[i]!)!);
  return node !== undefined;
}

/**
 * The paths (`pathKey`) whose look-up has another result than before: a node was added or removed,
 * rules were, or a function has another number of arguments. Only paths that the given modules
 * touch are compared.
 */
export function* changedLookups(
  before: RuleTree,
  after: RuleTree,
  modules: Iterable<CompiledModule>,
): Steps<ReadonlySet<string>> {
  const changed = new Set<string>();
  const compare = (path: readonly Term[]): void => {
    let [a, b]: [RuleTree | undefined, RuleTree | undefined] = [before, after];
    let key = '';
    for (let i = 1; i < path.length; i++) {
      const name = keyOf(path[i]!)!;
      key += step(name);
      a = a?.children.get(name);
      b = b?.children.get(name);
      if (a !== b && answers(a) !== answers(b)) changed.add(key);
    }
  };
  for (const module of modules) {
    compare(module.parsed.package.path);
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
