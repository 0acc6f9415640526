/**
 * Rules whose bodies begin by comparing the same part of the input with constants: one look-up
 * finds the rules that may hold. The others would end at the comparison, without an effect.
 */

import { functionName } from '../compiler/ast/names.js';
import type { Body, Rule, Term } from '../compiler/ast/nodes.js';
import { isScalar } from '../compiler/resolve/declared.js';
import { lookup } from '../values/compare.js';
import { type Key, keyOf } from '../values/hash.js';
import { numberFromText } from '../values/numbers/number.js';
import type { Value } from '../values/value.js';

/** Fewer rules are as fast one after the other. */
const minRules = 8;

interface Comparison {
  readonly path: readonly string[];
  readonly constant: Key;
}

export class RuleDispatch<Item> {
  readonly #items: readonly Item[];
  readonly #path: readonly string[];
  /** Positions of the items that compare the value at the path, by constant. */
  readonly #positions: ReadonlyMap<Key, readonly number[]>;
  /** Positions of all other items. */
  readonly #others: readonly number[];
  readonly #candidates = new Map<Key, readonly Item[]>();
  readonly #rest: readonly Item[];

  constructor(items: readonly Item[], path: readonly string[], positions: ReadonlyMap<Key, readonly number[]>, others: readonly number[]) {
    this.#items = items;
    this.#path = path;
    this.#positions = positions;
    this.#others = others;
    this.#rest = others.map((i) => items[i]!);
  }

  /** The items that may hold for an input, in order. */
  candidates(input: Value | undefined): readonly Item[] {
    let value = input;
    for (const key of this.#path) value = value === undefined ? undefined : lookup(value, key);
    const key = value === undefined ? undefined : keyOf(value);
    const positions = key === undefined ? undefined : this.#positions.get(key);
    if (positions === undefined) return this.#rest;
    let found = this.#candidates.get(key!);
    if (found === undefined) {
      const all = [...positions, ...this.#others].sort((a, b) => a - b);
      this.#candidates.set(key!, (found = all.map((i) => this.#items[i]!)));
    }
    return found;
  }
}

/**
 * The dispatch that rules out most; undefined if there are few rules.
 * @param ruleOf the rule of an item, and its body with its guards first
 */
export function dispatchOf<Item>(
  items: readonly Item[],
  ruleOf: (item: Item) => { readonly rule: Rule; readonly body: Body },
): RuleDispatch<Item> | undefined {
  if (items.length < minRules) return undefined;
  const comparisons = items.map((item) => comparisonsOf(ruleOf(item)));
  const constants = new Map<string, Set<Key>>();
  for (const one of comparisons) {
    for (const [text, { constant }] of one) {
      const known = constants.get(text);
      if (known === undefined) constants.set(text, new Set<Key>().add(constant));
      else known.add(constant);
    }
  }
  const [best] = [...constants].sort(([, a], [, b]) => b.size - a.size);
  if (best === undefined || best[1].size < 2) return undefined;
  const positions = new Map<Key, number[]>();
  const others: number[] = [];
  let path: readonly string[] = [];
  comparisons.forEach((one, i) => {
    const comparison = one.get(best[0]);
    if (comparison === undefined) {
      others.push(i);
      return;
    }
    path = comparison.path;
    const list = positions.get(comparison.constant);
    if (list === undefined) positions.set(comparison.constant, [i]);
    else list.push(i);
  });
  return new RuleDispatch(items, path, positions, others);
}

/** The comparisons at the start of a body, by path. A rule with an `else` is asked in any case. */
function comparisonsOf({ rule, body }: { readonly rule: Rule; readonly body: Body }): ReadonlyMap<string, Comparison> {
  const found = new Map<string, Comparison>();
  if (rule.default || rule.else !== undefined) return found;
  for (const expr of body) {
    if (expr.kind !== 'call' || expr.negated || expr.with.length > 0 || expr.args.length !== 2) return found;
    const name = functionName(expr.operator);
    if (name !== 'eq' && name !== 'equal') return found;
    const [a, b] = expr.args as readonly [Term, Term];
    const path = pathInInput(a) ?? pathInInput(b);
    const constant = isScalar(a) ? a : b;
    if (path === undefined || !isScalar(constant)) return found;
    const text = JSON.stringify(path);
    if (!found.has(text)) found.set(text, { path, constant: keyOf(scalarValue(constant)) });
  }
  return found;
}

function pathInInput(term: Term): readonly string[] | undefined {
  if (term.type !== 'ref') return undefined;
  const [head, ...keys] = term.terms;
  if (head?.type !== 'var' || head.name !== 'input') return undefined;
  return keys.every(({ type }) => type === 'string') ? keys.map((key) => (key as { value: string }).value) : undefined;
}

function scalarValue(term: Term): Value {
  switch (term.type) {
    case 'string':
    case 'boolean':
      return term.value;
    case 'number':
      return numberFromText(term.text);
    default:
      return null;
  }
}
