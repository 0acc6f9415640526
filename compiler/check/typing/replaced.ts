/**
 * Modifiers of expressions: where a document or a function is replaced, nothing is known of it, nor
 * of the rules that depend on it.
 */

import type { Expr, Node, Ref, RefTerm, Rule, ScalarTerm, VarTerm, With } from '../../ast/nodes.js';
import { isRoot } from '../../ast/paths.js';
import { walk } from '../../ast/walk.js';
import { builtinName } from '../../resolve/builtin-table.js';
import type { CompiledRule } from '../../resolve/compiled-rule.js';
import type { RuleGraph } from '../../resolve/graph.js';
import { constantKeys, keyOfTerm, type RuleTree, rulesRead } from '../../resolve/tree.js';
import { TypeTree } from './tree.js';
import { anything } from './type.js';

/** The target of a `with`: a path into `data` or `input`, or a built-in. */
type Target =
  | { readonly kind: 'data' | 'input'; readonly ref: Ref }
  | { readonly kind: 'builtin'; readonly name: string };

/** The documents and built-ins that a rule reads. */
interface Mentions {
  readonly inputs: readonly Ref[];
  readonly calls: ReadonlySet<string>;
}

export class Replacements {
  readonly #rules: RuleTree;
  readonly #graph: RuleGraph;
  readonly #keepsRules: boolean;
  readonly #mentions = new Map<CompiledRule, Mentions>();
  /** Whether a rule depends on a target, by target and rule. */
  readonly #known = new Map<string, Map<CompiledRule, boolean>>();

  /**
   * @param keepsRules whether the types of rules hold for every document that no rule makes: no
   *   schema describes one
   */
  constructor(rules: RuleTree, graph: RuleGraph, keepsRules = false) {
    this.#rules = rules;
    this.#graph = graph;
    this.#keepsRules = keepsRules;
  }

  /**
   * The documents and functions of which nothing is known in an expression with modifiers, by the
   * names of their roots.
   */
  documents(expr: Expr): ReadonlyMap<string, TypeTree> {
    const found = new Map<string, TypeTree>();
    // A document with such a part is unknown, too: the part may have any key.
    const add = (root: string, ref: Ref, part: Ref): void => {
      const [whole, below] = [constantKeys(ref), constantKeys(part)];
      put(root, below.length < whole.length ? below : whole);
    };
    const put = (root: string, path: readonly ScalarTerm[]): void => {
      let tree = found.get(root);
      if (!tree) found.set(root, (tree = new TypeTree()));
      tree.put(path, anything);
    };
    const targets = expr.with.flatMap((modifier) => targetOf(modifier) ?? []);
    for (const target of targets) if (target.kind === 'builtin') put(target.name, []);
    const widening = this.#keepsRules ? targets.filter((target) => this.#isOfRules(target)) : targets;
    for (const ref of documentRefs(expr)) {
      const root = (ref[0] as VarTerm).name;
      for (const target of targets)
        if (target.kind !== 'builtin' && target.kind === root && meets(ref, target.ref)) add(root, ref, target.ref);
      for (const rule of rulesRead(this.#rules, ref)) {
        if (widening.some((target) => this.#depends(rule, target))) add(root, ref, rule.ref);
      }
    }
    return found;
  }

  /** Whether a target is made by rules, or is a built-in: what reads it may get another type. */
  #isOfRules(target: Target): boolean {
    return target.kind === 'builtin' || (target.kind === 'data' && rulesRead(this.#rules, target.ref).length > 0);
  }

  #depends(start: CompiledRule, target: Target): boolean {
    const key = target.kind === 'builtin' ? target.name : target.ref.map((term) => keyOfTerm(term) ?? '*').join(' ');
    let known = this.#known.get(key);
    if (!known) this.#known.set(key, (known = new Map()));
    const seen = new Set([start]);
    for (const rule of seen) {
      const answer = known.get(rule) ?? (this.#reads(rule, target) ? true : undefined);
      if (answer) {
        known.set(start, true);
        return true;
      }
      if (answer === undefined) for (const next of this.#graph.dependencies(rule)) seen.add(next);
    }
    for (const rule of seen) known.set(rule, false);
    return false;
  }

  #reads(rule: CompiledRule, target: Target): boolean {
    if (target.kind === 'data') return rule.reads.some((refs) => refs.some((ref) => meets(ref, target.ref)));
    let mentions = this.#mentions.get(rule);
    if (!mentions) this.#mentions.set(rule, (mentions = mentionsOf(rule.rule)));
    if (target.kind === 'builtin') return mentions.calls.has(target.name);
    return mentions.inputs.some((ref) => meets(ref, target.ref));
  }
}

function targetOf({ target }: With): Target | undefined {
  if (target.type !== 'ref') return undefined;
  const [head] = target.terms;
  if (head.type !== 'var') return undefined;
  if (head.name === 'data' || head.name === 'input') return { kind: head.name, ref: target.terms };
  const name = builtinName(target.terms);
  return name === undefined ? undefined : { kind: 'builtin', name };
}

/** Whether two refs may lead to the same place, or one to a place above the other's. */
function meets(a: Ref, b: Ref): boolean {
  const others = b.map((term) => keyOfTerm(term));
  return a.slice(1, b.length).every((term, i) => {
    const [left, right] = [keyOfTerm(term), others[i + 1]];
    return left === undefined || right === undefined || left === right;
  });
}

function mentionsOf(rule: Rule): Mentions {
  const inputs: Ref[] = [];
  const calls = new Set<string>();
  walk(rule, (node) => {
    if (node.type === 'ref' && isRoot(node.terms[0], 'input')) inputs.push(node.terms);
    const operator = operatorOf(node);
    const name = operator && builtinName(operator.terms);
    if (name !== undefined) calls.add(name);
  });
  return { inputs, calls };
}

function operatorOf(node: Node): RefTerm | undefined {
  return node.type === 'call' || (node.type === 'expr' && node.kind === 'call') ? node.operator : undefined;
}

/** The refs into `data` and `input` in an expression, but for those of its own modifiers. */
function documentRefs(expr: Expr): readonly Ref[] {
  const found: Ref[] = [];
  walk({ ...expr, with: [] }, (node) => {
    if (node.type === 'ref' && (isRoot(node.terms[0], 'data') || isRoot(node.terms[0], 'input')))
      found.push(node.terms);
  });
  return found;
}
