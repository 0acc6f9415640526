/** The dependencies between rules. */

import { allAtOnce, type Steps } from '../../values/index.js';
import { isGround } from '../ast/names.js';
import type { Ref, Rule } from '../ast/nodes.js';
import { isRoot } from '../ast/paths.js';
import { walk } from '../ast/walk.js';
import type { CompiledRule } from './compiled-rule.js';
import { keyOfTerm, type RuleTree, rulesRead, step } from './tree.js';

type Rules = ReadonlySet<CompiledRule>;

const noRules: readonly CompiledRule[] = [];

/**
 * Looks up the reads of rules on demand, so that it costs nothing to have one for each version of
 * the modules.
 */
export class RuleGraph {
  readonly #rules: () => Iterable<CompiledRule>;
  readonly #tree: RuleTree;
  readonly #links = new Map<CompiledRule, readonly Rules[]>();
  readonly #dependencies = new Map<CompiledRule, Rules>();
  /** Refs of the same shape read the same rules. */
  readonly #found = new Map<string, readonly CompiledRule[]>();
  #groups: readonly (readonly CompiledRule[])[] | undefined;
  /** Some refs lead into objects of which other rules make other keys. */
  #hasOthers = false;

  /** `rules` answers all of them; the tree is the one that they stand in. */
  constructor(rules: () => Iterable<CompiledRule>, tree: RuleTree) {
    this.#rules = rules;
    this.#tree = tree;
  }

  /** The rules that a rule and its `else` chain read. */
  dependencies(rule: CompiledRule): Rules {
    let known = this.#dependencies.get(rule);
    if (!known) {
      const links = this.links(rule);
      const [first, ...others] = links;
      known = first && others.length === 0 ? first : new Set(links.flatMap((link) => [...link]));
      this.#dependencies.set(rule, known);
    }
    return known;
  }

  /** The refs read by the rule itself, by its first `else`, and so on. */
  links(rule: CompiledRule): readonly Rules[] {
    let known = this.#links.get(rule);
    if (!known) this.#links.set(rule, (known = rule.reads.map((refs) => this.#read(refs))));
    return known;
  }

  #read(refs: readonly Ref[]): Rules {
    const found = new Set<CompiledRule>();
    for (const ref of refs) for (const rule of this.#rulesAt(ref) ?? this.#rulesRead(ref)) found.add(rule);
    return found;
  }

  /** The rules that a ref reads if it leads to a leaf, or to nothing; undefined for other refs. */
  #rulesAt(ref: Ref): readonly CompiledRule[] | undefined {
    let node = this.#tree;
    for (const term of ref.slice(1)) {
      if (node.rules.length > 0) return undefined;
      const key = keyOfTerm(term);
      if (key === undefined) return undefined;
      const child = node.children.get(key);
      if (child === undefined) return noRules;
      node = child;
    }
    return node.children.size === 0 ? node.rules : undefined;
  }

  #rulesRead(ref: Ref): readonly CompiledRule[] {
    let shape = '';
    for (const term of ref.slice(1)) {
      const key = keyOfTerm(term);
      shape += key === undefined ? '*' : step(key);
    }
    let rules = this.#found.get(shape);
    if (!rules) {
      const all = rulesRead(this.#tree, ref);
      this.#found.set(shape, (rules = all.filter((rule) => mayRead(ref, rule.ref))));
      this.#hasOthers ||= rules.length < all.length;
    }
    return rules;
  }

  /**
   * Rules, reachable from some, that read each other if a ref reads all rules of the object that it
   * leads to, also those that make other keys of it.
   */
  *entangled(rules: Iterable<CompiledRule>): Steps<readonly CompiledRule[]> {
    if (!this.#hasOthers) return noRules;
    const all = (rule: CompiledRule): Iterable<CompiledRule> =>
      new Set(rule.reads.flatMap((refs) => refs.flatMap((ref) => rulesRead(this.#tree, ref))));
    const groups = yield* stronglyConnected(rules, all);
    return groups.filter((group) => group.length > 1 || group.some((rule) => [...all(rule)].includes(rule))).flat();
  }

  /**
   * All rules in topological order: each after the rules that it reads. Rules that read each other
   * are one group.
   */
  get groups(): readonly (readonly CompiledRule[])[] {
    return allAtOnce(this.group());
  }

  /** Finds the groups, in steps. */
  *group(): Steps<readonly (readonly CompiledRule[])[]> {
    return (this.#groups ??= yield* stronglyConnected(this.#rules(), (rule) => this.dependencies(rule)));
  }

  /** As `groups`, of some rules and all rules reachable from them, in steps. */
  groupsFrom(rules: Iterable<CompiledRule>): Steps<readonly (readonly CompiledRule[])[]> {
    return stronglyConnected(rules, (rule) => this.dependencies(rule));
  }

  /**
   * All rules in topological order: each after the rules that it reads (if there is no
   * recursion).
   */
  get sorted(): readonly CompiledRule[] {
    return this.groups.flat();
  }

  /** Some rules in such an order. */
  *sort(rules: Rules): Steps<readonly CompiledRule[]> {
    const among = (rule: CompiledRule): Iterable<CompiledRule> => {
      const all = this.dependencies(rule);
      const [few, many] = all.size < rules.size ? [all, rules] : [rules, all];
      return [...few].filter((other) => many.has(other));
    };
    return (yield* stronglyConnected(rules, among)).flat();
  }
}

/**
 * Whether a ref may read a rule that a look-up by the constant part of the rule's ref has found.
 * Behind that part, keys that are no constants may be any.
 */
export function mayRead(ref: Ref, rule: Ref): boolean {
  let i = 1;
  for (; i < rule.length && i < ref.length && isGround(rule[i]!); i++)
    if (keyOfTerm(ref[i]!) === undefined) return true;
  for (; i < rule.length && i < ref.length; i++) {
    const [asked, made] = [keyOfTerm(ref[i]!), keyOfTerm(rule[i]!)];
    if (asked !== undefined && made !== undefined && asked !== made) return false;
  }
  return true;
}

/** The refs into data of a rule and of each `else` of it. */
export function readsOfRule(rule: Rule): readonly (readonly Ref[])[] {
  const links: (readonly Ref[])[] = [];
  for (let link: Rule | undefined = rule; link; link = link.else) links.push(refsOf(link));
  return links;
}

function refsOf(rule: Rule): readonly Ref[] {
  const found: Ref[] = [];
  const visit = (node: Parameters<typeof walk>[0]): void =>
    walk(node, (inner) => {
      if (inner.type !== 'ref') return;
      const [head] = inner.terms;
      if (isRoot(head, 'data')) found.push(inner.terms);
    });
  for (const arg of rule.head.args ?? []) visit(arg);
  if (rule.head.key) visit(rule.head.key);
  if (rule.head.value) visit(rule.head.value);
  for (const expr of rule.body) visit(expr);
  return found;
}

/** The number of nodes and edges in a step. */
const visitsPerStep = 64;

/** A node on its way through Tarjan's algorithm. */
interface Visit<T> {
  readonly node: T;
  readonly index: number;
  low: number;
  isOpen: boolean;
  readonly rest: Iterator<T>;
}

/** Tarjan's components, without recursion: dependencies first. */
function* stronglyConnected<T>(nodes: Iterable<T>, edges: (node: T) => Iterable<T>): Steps<readonly (readonly T[])[]> {
  const groups: T[][] = [];
  const visited = new Map<T, Visit<T>>();
  const open: Visit<T>[] = [];
  const enter = (node: T): Visit<T> => {
    const index = visited.size;
    const visit: Visit<T> = { node, index, low: index, isOpen: true, rest: edges(node)[Symbol.iterator]() };
    visited.set(node, visit);
    open.push(visit);
    return visit;
  };
  let visits = 0;
  for (const start of nodes) {
    if (visited.has(start)) continue;
    yield;
    const way = [enter(start)];
    for (let visit = way.at(-1); visit !== undefined; visit = way.at(-1)) {
      if (++visits % visitsPerStep === 0) yield;
      const next = visit.rest.next();
      if (!next.done) {
        const other = visited.get(next.value);
        if (other === undefined) way.push(enter(next.value));
        else if (other.isOpen) visit.low = Math.min(visit.low, other.index);
        continue;
      }
      way.pop();
      const parent = way[way.length - 1];
      if (parent) parent.low = Math.min(parent.low, visit.low);
      if (visit.low !== visit.index) continue;
      const group: T[] = [];
      for (let member = open.pop(); member !== undefined; member = member === visit ? undefined : open.pop()) {
        member.isOpen = false;
        group.push(member.node);
      }
      groups.push(group);
    }
  }
  return groups;
}
