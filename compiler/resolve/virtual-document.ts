/** A node of the rule tree as refs see it: a package, or rules of one kind. */
import { type CompiledRule, ruleKind } from './compiled-rule.js';
import { type RuleTree, walkRules } from './tree.js';

/**
 * The kind of a node. `package`: it has no rules, its value consists of its children;
 * `complete`, `set` and `function`: rules that name exactly this path; `object`: rules with
 * variables or keys other than strings below this path, which make one object together with all
 * rules further down.
 */
export type VirtualDocument = PackageDocument | RuleDocument;

interface Place {
  readonly node: RuleTree;
  /** Below `data`. */
  readonly path: readonly string[];
}

interface PackageDocument extends Place {
  readonly kind: 'package';
  readonly rules: readonly [];
  readonly part?: undefined;
}

export interface RuleDocument extends Place {
  readonly kind: 'complete' | 'set' | 'function' | 'object';
  /** The rules that make its value. */
  readonly rules: readonly [CompiledRule, ...CompiledRule[]];
  /** The keys for which an object is asked, where that is some only (`narrowedDocument`). */
  readonly part?: string;
}

// Versions of the modules share nodes, and a node has one place.
const known = new WeakMap<RuleTree, VirtualDocument>();

/** The document of a node, if it was asked for before. */
export function knownDocument(node: RuleTree): VirtualDocument | undefined {
  return known.get(node);
}

/** The document of a node that stands at a path. */
export function documentAt(node: RuleTree, path: readonly string[]): VirtualDocument {
  let document = known.get(node);
  if (document === undefined) known.set(node, (document = makeDocument(node, path)));
  return document;
}

function makeDocument(node: RuleTree, path: readonly string[]): VirtualDocument {
  const { rules, children } = node;
  const deeper = rules.some((rule) => rule.ref.length > path.length + 1 && !isFunction(rule));
  const oddKeys = [...children.values()].some((child) => child.key.type !== 'string' && valuesBelow(child).length > 0);
  if (deeper || oddKeys || (rules.length > 0 && children.size > 0)) {
    const [first, ...others] = valuesBelow(node);
    if (first === undefined) return { kind: 'package', node, path, rules: [] };
    return { kind: 'object', node, path, rules: [first, ...others] };
  }
  const [first, ...others] = rules;
  // No call names a function whose ref has variables.
  if (first === undefined || rules.every((rule) => rule.ref.length > path.length + 1))
    return { kind: 'package', node, path, rules: [] };
  const kind = rules.some(isFunction) ? 'function' : ruleKind(first.rule.head) === 'multi' ? 'set' : 'complete';
  return { kind, node, path, rules: [first, ...others] };
}

function isFunction({ rule }: CompiledRule): boolean {
  return rule.head.args !== undefined;
}

/** The rules of a node and below that have values: functions are no part of a document. */
function valuesBelow(node: RuleTree): readonly CompiledRule[] {
  const found: CompiledRule[] = [];
  walkRules(node, ({ rules }) => {
    for (const rule of rules) if (!isFunction(rule)) found.push(rule);
    return undefined;
  });
  return found;
}
