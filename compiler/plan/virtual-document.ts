/** The rule tree as the planner sees it: what answers at a node. */
import type { RefTerm } from '../ast/nodes.js';
import type { CompiledRule } from '../resolve/compiled-rule.js';
import { ruleKind } from '../resolve/compiled-rule.js';
import { type RuleTree, walkRules } from '../resolve/tree.js';
import type { PlanInputs } from './plan-inputs.js';

/**
 * What a node of the rule tree is. `package`: nothing of its own, its value is what lies below it; `complete`, `set` and `function`: rules that name exactly this
 * path; `object`: rules with variables or keys other than strings below this path, which make one object together with all rules further down.
 */
export type UnitKind = 'package' | 'complete' | 'set' | 'function' | 'object';

/** How many terms of a ref lead to a node: `data` counts. */
export interface VirtualDocument {
  readonly kind: UnitKind;
  readonly node: RuleTree;
  /** Below `data`. */
  readonly path: readonly string[];
  /** The rules that make its value; none for a package. */
  readonly rules: readonly CompiledRule[];
}

// Versions of the modules share nodes, and a node has one place.
const known = new WeakMap<RuleTree, VirtualDocument>();

/** Looks units up, and notes what was looked for. */
export class VirtualDocuments {
  readonly root: VirtualDocument;
  readonly #inputs: PlanInputs | undefined;

  constructor(root: RuleTree, inputs?: PlanInputs) {
    this.root = unitAt(root, []);
    this.#inputs = inputs;
    inputs?.add([], this.root);
  }

  child(unit: VirtualDocument, key: string): VirtualDocument | undefined {
    const node = unit.node.children.get(`"${key}`);
    const path = [...unit.path, key];
    const child = node && unitAt(node, path);
    this.#inputs?.add(path, child);
    return child;
  }

  /** Children in order of their keys; none for what is no package. */
  children(unit: VirtualDocument): readonly (readonly [key: string, child: VirtualDocument])[] {
    if (unit.kind !== 'package') return [];
    this.#inputs?.addChildren(unit);
    const found: (readonly [string, VirtualDocument])[] = [];
    for (const { key } of unit.node.children.values()) {
      if (key.type === 'string') found.push([key.value, this.child(unit, key.value)!]);
    }
    return found;
  }

  /** The unit at a path, undefined where nothing is or what is on the way is no package. */
  at(path: readonly string[]): VirtualDocument | undefined {
    let unit: VirtualDocument | undefined = this.root;
    for (const key of path) unit = unit?.kind === 'package' ? this.child(unit, key) : undefined;
    return unit;
  }
}

/** The unit that answers at a ref of constants into data: the one that it names, or the rule above that has what it names inside. */
export function unitHolding(units: VirtualDocuments, { terms: [head, ...keys] }: RefTerm): VirtualDocument | undefined {
  if (head?.type !== 'var' || head.name !== 'data') return undefined;
  let unit: VirtualDocument | undefined = units.root;
  for (const key of keys) {
    if (unit?.kind !== 'package') return unit;
    unit = key.type === 'string' ? units.child(unit, key.value) : undefined;
  }
  return unit;
}

/** The unit of a node that stands at a path. */
export function unitAt(node: RuleTree, path: readonly string[]): VirtualDocument {
  let unit = known.get(node);
  if (unit === undefined) known.set(node, (unit = makeUnit(node, path)));
  return unit;
}

function makeUnit(node: RuleTree, path: readonly string[]): VirtualDocument {
  const { rules, children } = node;
  const deeper = rules.some((rule) => rule.ref.length > path.length + 1);
  const oddKeys = [...children.values()].some(({ key }) => key.type !== 'string');
  if (deeper || oddKeys || (rules.length > 0 && children.size > 0)) {
    const all: CompiledRule[] = [];
    walkRules(node, (below) => {
      all.push(...below.rules);
      return undefined;
    });
    return { kind: 'object', node, path, rules: all };
  }
  const first = rules[0];
  if (first === undefined) return { kind: 'package', node, path, rules };
  const { head } = first.rule;
  const kind = rules.some(({ rule }) => rule.head.args !== undefined) ? 'function' : ruleKind(head) === 'multi' ? 'set' : 'complete';
  return { kind, node, path, rules };
}

/** The unit that a ref of constants into data names. */
export function unitOf(units: VirtualDocuments, ref: RefTerm): VirtualDocument | undefined {
  const [head, ...rest] = ref.terms;
  if (head?.type !== 'var' || head.name !== 'data') return undefined;
  return units.at(rest.map((term) => (term.type === 'string' ? term.value : '')));
}
