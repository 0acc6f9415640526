/** Permissions that hold for an input that lacks all they ask for: only `not` asks for it. */

import type { Body, Expr, Ref, RefTerm, Rule } from '../../ast/nodes.js';
import { walk } from '../../ast/walk.js';
import type { Compiled } from '../../resolve/compiled.js';
import { ruleKind } from '../../resolve/compiled-rule.js';
import { isEquality } from '../../resolve/expression-kinds.js';
import { elseChain } from '../../resolve/links.js';
import { findNode } from '../../resolve/tree.js';
import type { WarningSearch } from '../warning-search.js';

/** Names of rules that permit something. */
const permission = /^(?:is_)?(?:allow|allowed|authorized|authorised|permit|permitted|granted|authenticated)$/;

/** More steps of rules below rules are not followed. */
const deepest = 20;

export function findOpenOnUndefined({ compiled, warnings }: WarningSearch): void {
  for (const { rules } of compiled.modules.values())
    for (const { rule } of rules) {
      const { head } = rule;
      if (rule.default || head.args !== undefined || !permission.test(head.name)) continue;
      if (head.value?.type !== 'boolean' || !head.value.value) continue;
      const evaluation = new Evaluation(compiled);
      if (evaluation.body(rule.body, 0) !== true || evaluation.negation === undefined) continue;
      const text = evaluation.negation.loc.text.replace(/\s+/g, ' ');
      warnings.report('openOnUndefined', head.loc, { name: head.name, text });
    }
}

/** The outcome of a condition where the input is undefined; undefined where it is not known. */
type Outcome = boolean | undefined;

/** Evaluates bodies for an undefined input, as far as that decides them. */
class Evaluation {
  readonly #compiled: Compiled;
  /** The first negation that holds since the input is undefined. */
  negation: Expr | undefined;

  constructor(compiled: Compiled) {
    this.#compiled = compiled;
  }

  body(body: Body, depth: number): Outcome {
    let outcome: Outcome = true;
    for (const expr of body) {
      const found = this.#expr(expr, depth);
      if (found === false) return false;
      if (found === undefined) outcome = undefined;
    }
    return outcome;
  }

  #expr(expr: Expr, depth: number): Outcome {
    if (expr.with.length > 0) return undefined;
    if (!expr.negated && expr.kind !== 'not') return this.#positive(expr, depth);
    const inner = expr.kind === 'not' ? this.body(expr.body, depth) : this.#positive(expr, depth);
    if (inner === undefined) return undefined;
    if (!inner) this.negation ??= expr;
    return !inner;
  }

  #positive(expr: Expr, depth: number): Outcome {
    if (expr.kind === 'term') {
      if (expr.term.type === 'boolean') return expr.term.value;
      if (expr.term.type !== 'ref') return undefined;
      return isOfInput(expr.term) ? false : this.#rules(expr.term.terms, depth);
    }
    if (expr.kind !== 'call') return undefined;
    // All operands must be defined.
    if (expr.args.some((arg) => arg.type === 'ref' && isOfInput(arg))) return false;
    if (isEquality(expr)) {
      const [a, b] = expr.args;
      if (a.type === 'var' && b.type === 'ref') return this.#isUndefined(b.terms, depth) ? false : undefined;
    }
    return undefined;
  }

  /** A ref is undefined where a key of it is, and where its rules are. */
  #isUndefined(ref: Ref, depth: number): boolean {
    return this.#rules(ref, depth) === false && !this.#hasDefault(ref);
  }

  #hasDefault(ref: Ref): boolean {
    return findNode(this.#compiled.ruleTree, ref)?.rules.some(({ rule }) => rule.default) ?? false;
  }

  /** Whether the rules at a ref are true. */
  #rules(ref: Ref, depth: number): Outcome {
    const node = findNode(this.#compiled.ruleTree, ref);
    if (node === undefined || node.rules.length === 0 || node.children.size > 0 || depth > deepest) {
      // A key of the input that a ref has makes it undefined.
      return ref.some((term) => term.type === 'ref' && isOfInput(term)) ? false : undefined;
    }
    const { length } = ref;
    const isPlain = node.rules.every(
      (one) => ruleKind(one.rule.head) === 'single' && one.rule.head.args === undefined && one.ref.length === length,
    );
    if (!isPlain) return undefined;
    let found: Rule | undefined;
    for (const { rule } of node.rules) {
      const link = rule.default ? false : this.#link(rule, depth);
      if (link === undefined) return undefined;
      if (link) found ??= link;
    }
    found ??= node.rules.find(({ rule }) => rule.default)?.rule;
    return found === undefined ? false : isTrueValue(found);
  }

  /** The link of a rule that holds; false if none does. */
  #link(rule: Rule, depth: number): Rule | false | undefined {
    for (const link of elseChain(rule)) {
      const outcome = this.body(link.body, depth + 1);
      if (outcome === undefined) return undefined;
      if (outcome) return link;
    }
    return false;
  }
}

/** Whether the value of a head is true; undefined if that is not plain. */
function isTrueValue({ head: { value } }: Rule): Outcome {
  if (value?.type === 'boolean') return value.value;
  return value === undefined || value.type === 'var' || value.type === 'ref' ? undefined : true;
}

/** Whether a ref reads the input, or has a key of it. */
function isOfInput(ref: RefTerm): boolean {
  let found = false;
  walk(ref, (node) => {
    if (node.type === 'ref' && node.terms[0].type === 'var' && node.terms[0].name === 'input') found = true;
  });
  return found;
}
