/**
 * Packages and rules by path. Both trees start at `data`; children stand in the language's order of
 * their keys.
 */

import { allAtOnce, type Steps, sortedSteps, visitSteps } from '../../values/index.js';
import { compareTerms } from '../ast/compare-terms.js';
import { refPrefix, stringTerm } from '../ast/make.js';
import { isGround, isScalar } from '../ast/names.js';
import type { Package, Ref, ScalarTerm, StringTerm, Term } from '../ast/nodes.js';
import { isRoot } from '../ast/paths.js';
import { nowhere } from '../source/location.js';
import type { CompiledModule, CompiledRule } from './compiled-rule.js';

/** A node of the package tree: the modules whose package is this path. */
export interface ModuleTree {
  readonly modules: readonly CompiledModule[];
  readonly children: ReadonlyMap<string, ModuleTree>;
}

/** A node of the rule tree: the rules whose ground prefix is this path. */
export interface RuleTree {
  /** A constant; the root's is the string `data`. */
  readonly key: ScalarTerm;
  readonly rules: readonly CompiledRule[];
  /** Documents below, by `keyOfTerm`. */
  readonly children: ReadonlyMap<string, RuleTree>;
  /** `data.system`, which does not show in `data`. */
  readonly hidden: boolean;
}

interface Growing {
  readonly key: ScalarTerm;
  readonly rules: CompiledRule[];
  children: Map<string, Growing>;
  hidden: boolean;
}

/** The number of rules in a step of stages that spend little on each. */
export const rulesPerStep = 256;

/** Keys of strings. Looking one up is faster than making it, whose hash is not known. */
const stringKeys = new Map<string, string>();
const maxStringKeys = 5000;

/** The key of a string among a node's children. */
export function keyOfString(value: string): string {
  let key = stringKeys.get(value);
  if (key === undefined) {
    key = `"${value}`;
    if (stringKeys.size >= maxStringKeys) stringKeys.clear();
    stringKeys.set(value, key);
  }
  return key;
}

/** The key of a constant among a node's children; undefined for other terms. */
export function keyOfTerm(term: ScalarTerm): string;
export function keyOfTerm(term: Term): string | undefined;
export function keyOfTerm(term: Term): string | undefined {
  switch (term.type) {
    case 'string':
      return keyOfString(term.value);
    case 'number':
      return String(Number(term.text));
    case 'boolean':
      return String(term.value);
    case 'null':
      return 'null';
    default:
      return undefined;
  }
}

/** A key as a part of a longer text that no other keys make. */
export function step(key: string): string {
  return `${key.length}:${key}`;
}

/** A ref into data as one string; undefined where a term of it is no constant. */
export function refKey(ref: readonly Term[]): string | undefined {
  const [head] = ref;
  if (!isRoot(head, 'data')) return undefined;
  let path = '';
  for (const term of ref.slice(1)) {
    const key = keyOfTerm(term);
    if (key === undefined) return undefined;
    path += step(key);
  }
  return path;
}

/** The child of a node under a key, if the key is a constant and there is one. */
export function childOf(node: RuleTree, key: Term): RuleTree | undefined {
  const name = keyOfTerm(key);
  return name === undefined ? undefined : node.children.get(name);
}

/** The names of the rules and packages below a node. */
export function childNames({ children }: RuleTree): string[] {
  return [...children.values()].flatMap(({ key }) => (key.type === 'string' ? [key.value] : []));
}

/** A ref up to its first term that is not ground; the head is always part of it. */
export function groundPrefix(terms: Ref): Ref {
  const end = terms.findIndex((term, i) => i > 0 && term.type !== 'string' && !isGround(term));
  return end < 0 ? terms : refPrefix(terms, end);
}

/** The keys of a ref below its head, up to the first that is no constant. */
export function constantKeys(ref: Ref): readonly ScalarTerm[] {
  const keys = ref.slice(1);
  if (keys.every(isScalar)) return keys;
  const end = keys.findIndex((key) => !isScalar(key));
  return keys.slice(0, end).filter(isScalar);
}

/** The keys of a package below `data`. */
export function packageKeys({ path: [, ...keys] }: Package): readonly StringTerm[] {
  return keys;
}

/** Packages by path. `path` starts with `data`. */
export function* moduleTree(modules: Iterable<CompiledModule>): Steps<ModuleTree> {
  interface Node extends ModuleTree {
    readonly modules: CompiledModule[];
    readonly children: Map<string, Node>;
  }
  const root: Node = { modules: [], children: new Map() };
  for (const module of modules) {
    let node = root;
    for (const term of packageKeys(module.parsed.package)) {
      const key = keyOfTerm(term);
      let child = node.children.get(key);
      if (!child) node.children.set(key, (child = { modules: [], children: new Map() }));
      node = child;
    }
    node.modules.push(module);
    yield;
  }
  return root;
}

function grow(node: Growing, key: ScalarTerm): Growing {
  const name = keyOfTerm(key);
  let child = node.children.get(name);
  if (!child) node.children.set(name, (child = { key, rules: [], children: new Map(), hidden: false }));
  return child;
}

/** The modules of a package. */
export function modulesOf(root: ModuleTree, pkg: Package): readonly CompiledModule[] {
  let node: ModuleTree | undefined = root;
  for (const key of packageKeys(pkg)) node = node?.children.get(keyOfTerm(key));
  return node?.modules ?? [];
}

/** Rules by the ground prefixes of their refs. A package without rules has a node too. */
export function* ruleTree(modules: Iterable<CompiledModule>): Steps<RuleTree> {
  const root: Growing = { key: stringTerm(nowhere, 'data'), rules: [], children: new Map(), hidden: false };
  for (const module of modules) {
    const above = packageKeys(module.parsed.package);
    const start = above.reduce(grow, root);
    yield* visitSteps(module.rules, rulesPerStep, (rule) => {
      constantKeys(rule.ref).slice(above.length).reduce(grow, start).rules.push(rule);
    });
    yield;
  }
  const system = root.children.get('"system');
  if (system) system.hidden = true;
  yield* sortChildren(root);
  return root;
}

function* sortChildren(root: Growing): Steps {
  const todo = [root];
  for (let node = todo.pop(); node; node = todo.pop()) {
    yield;
    if (node.children.size === 0) continue;
    if (node.children.size > 1) node.children = yield* sortedChildren(node.children);
    for (const child of node.children.values()) todo.push(child);
  }
}

/** Children in the order of their keys. */
export function* sortedChildren<Node extends { readonly key: Term }>(
  children: ReadonlyMap<string, Node>,
): Steps<Map<string, Node>> {
  return new Map(yield* sortedSteps([...children], ([, a], [, b]) => compareTerms(a.key, b.key)));
}

/** The node of a full ref (`data.a.b`), if all of its terms are constants and it is there. */
export function findNode(root: RuleTree, ref: readonly Term[]): RuleTree | undefined {
  if (ref[0]?.type !== 'var' || ref[0].name !== 'data') return undefined;
  let node: RuleTree | undefined = root;
  for (const key of ref.slice(1)) node = node && childOf(node, key);
  return node;
}

/**
 * The rules at exactly this ref: those of `data.a.p` for `data.a.p`, none for `data.a` or
 * `data.a.p.x`.
 */
export function rulesAt(root: RuleTree, ref: readonly Term[]): readonly CompiledRule[] {
  return findNode(root, ref)?.rules ?? [];
}

/**
 * Calls `visit` for a node and its descendants, parents first, in order of keys. Where it returns
 * true, the descendants are skipped.
 */
export function walkRules(root: RuleTree, visit: (node: RuleTree) => boolean | undefined): void {
  allAtOnce(walkRulesSteps(root, visit));
}

/** As `walkRules`, in steps. */
export function* walkRulesSteps(root: RuleTree, visit: (node: RuleTree) => boolean | undefined): Steps {
  const todo = [root];
  let count = 0;
  for (let node = todo.pop(); node; node = todo.pop()) {
    if (++count % rulesPerStep === 0) yield;
    if (visit(node) === true) continue;
    for (const child of [...node.children.values()].reverse()) todo.push(child);
  }
}

/**
 * The rules that a full ref may read: those on its way, those under it, and where it has a variable
 * those under every child. `data.a[x].c` may read all rules of packages `a.….c`.
 */
export function rulesRead(root: RuleTree, ref: readonly Term[]): readonly CompiledRule[] {
  if (ref[0]?.type !== 'var' || ref[0].name !== 'data') return [];
  const found: CompiledRule[] = [];
  let level: readonly RuleTree[] = [root];
  for (const [i, term] of ref.entries()) {
    if (i === 0) continue;
    if (level.length === 0) break;
    const next: RuleTree[] = [];
    const key = keyOfTerm(term);
    for (const node of level) {
      if (key !== undefined) {
        const child = node.children.get(key);
        if (child) next.push(child);
      } else for (const child of node.children.values()) next.push(child);
    }
    if (i < ref.length - 1) for (const { rules } of next) for (const rule of rules) found.push(rule);
    level = next;
  }
  for (const node of level)
    walkRules(node, ({ rules }) => {
      for (const rule of rules) found.push(rule);
      return undefined;
    });
  return found;
}
