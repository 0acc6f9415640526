/** Who reads whom: the dependencies between rules. */

import type { Rule, Term } from '../ast/nodes.js';
import { walk } from '../ast/walk.js';
import type { CompiledRule } from './compiled.js';
import { keyOf, type RuleTree, rulesRead } from './tree.js';

export class RuleGraph {
  /** For each rule, and each `else` of it, the rules that it reads. */
  readonly #reads: ReadonlyMap<CompiledRule, readonly ReadonlySet<CompiledRule>[]>;
  #sorted: readonly (readonly CompiledRule[])[] | undefined;

  constructor(reads: ReadonlyMap<CompiledRule, readonly ReadonlySet<CompiledRule>[]>) {
    this.#reads = reads;
  }

  /** The rules that a rule and its `else` chain read. */
  dependencies(rule: CompiledRule): ReadonlySet<CompiledRule> {
    const links = this.#reads.get(rule) ?? [];
    if (links.length === 1) return links[0]!;
    return new Set(links.flatMap((link) => [...link]));
  }

  /** What the rule itself, its first `else`, and so on read. */
  links(rule: CompiledRule): readonly ReadonlySet<CompiledRule>[] {
    return this.#reads.get(rule) ?? [];
  }

  /** All rules, each after those that it reads; rules that read each other stand together in one group. */
  get groups(): readonly (readonly CompiledRule[])[] {
    return (this.#sorted ??= stronglyConnected([...this.#reads.keys()], (rule) => this.dependencies(rule)));
  }

  /** All rules in an order in which each stands after those that it reads (if there is no recursion). */
  get sorted(): readonly CompiledRule[] {
    return this.groups.flat();
  }
}

/** The graph of some rules. Refs of the same shape read the same rules, so that they are looked up once. */
export function ruleGraph(rules: Iterable<CompiledRule>, tree: RuleTree): RuleGraph {
  const known = new Map<string, readonly CompiledRule[]>();
  const read = (ref: readonly Term[]): readonly CompiledRule[] => {
    let shape = '';
    for (let i = 1; i < ref.length; i++) shape += `${keyOf(ref[i]!) ?? '*'}\n`;
    let found = known.get(shape);
    if (!found) known.set(shape, (found = rulesRead(tree, ref)));
    return found;
  };
  const reads = new Map<CompiledRule, readonly ReadonlySet<CompiledRule>[]>();
  for (const rule of rules) {
    const links: ReadonlySet<CompiledRule>[] = [];
    for (let link: Rule | undefined = rule.rule; link; link = link.else) links.push(readsOf(link, read));
    reads.set(rule, links);
  }
  return new RuleGraph(reads);
}

function readsOf(rule: Rule, read: (ref: readonly Term[]) => readonly CompiledRule[]): ReadonlySet<CompiledRule> {
  const found = new Set<CompiledRule>();
  const visit = (node: Parameters<typeof walk>[0]): void =>
    walk(node, (inner) => {
      if (inner.type !== 'ref') return;
      const head = inner.terms[0]!;
      if (head.type === 'var' && head.name === 'data') for (const other of read(inner.terms)) found.add(other);
    });
  for (const arg of rule.head.args ?? []) visit(arg);
  if (rule.head.key) visit(rule.head.key);
  if (rule.head.value) visit(rule.head.value);
  for (const expr of rule.body) visit(expr);
  return found;
}

/** Tarjan's components, without recursion: dependencies first. */
function stronglyConnected<T>(nodes: readonly T[], edges: (node: T) => ReadonlySet<T>): readonly (readonly T[])[] {
  const groups: T[][] = [];
  const index = new Map<T, number>();
  const low = new Map<T, number>();
  const open: T[] = [];
  const isOpen = new Set<T>();
  const enter = (node: T): { node: T; rest: Iterator<T> } => {
    index.set(node, index.size);
    low.set(node, index.size - 1);
    open.push(node);
    isOpen.add(node);
    return { node, rest: edges(node)[Symbol.iterator]() };
  };
  for (const start of nodes) {
    if (index.has(start)) continue;
    const way = [enter(start)];
    while (way.length > 0) {
      const { node, rest } = way[way.length - 1]!;
      const next = rest.next();
      if (!next.done) {
        if (!index.has(next.value)) way.push(enter(next.value));
        else if (isOpen.has(next.value)) low.set(node, Math.min(low.get(node)!, index.get(next.value)!));
        continue;
      }
      way.pop();
      const parent = way[way.length - 1];
      if (parent) low.set(parent.node, Math.min(low.get(parent.node)!, low.get(node)!));
      if (low.get(node) !== index.get(node)) continue;
      const group: T[] = [];
      for (let member = open.pop()!; ; member = open.pop()!) {
        isOpen.delete(member);
        group.push(member);
        if (member === node) break;
      }
      groups.push(group);
    }
  }
  return groups;
}
