/** A node of the rule tree as refs see it: a package, or rules of one kind. */
import type { CompiledRule } from './compiled-rule.js';
import { ruleKind } from './compiled-rule.js';
import { type RuleTree, walkRules } from './tree.js';

/**
 * The kind of a node. `package`: it has no rules, its value consists of its children;
 * `complete`, `set` and `function`: rules that name exactly this path; `object`: rules with
 * variables or keys other than strings below this path, which make one object together with all
 * rules further down.
 */
type DocumentKind = 'package' | 'complete' | 'set' | 'function' | 'object';

/** How many terms of a ref lead to a node: `data` counts. */
export interface VirtualDocument {
  readonly kind: DocumentKind;
  readonly node: RuleTree;
  /** Below `data`. */
  readonly path: readonly string[];
  /** The rules that make its value; none for a package. */
  readonly rules: readonly CompiledRule[];
  /** Of an object that is asked for some keys only (`narrowed`): these. */
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
