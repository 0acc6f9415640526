/** The order in which the reference's rule index finds rules. */

import { allAtOnce, type Steps } from '../../values/index.js';
import { isScalar } from '../ast/names.js';
import type { Rule } from '../ast/nodes.js';
import type { CompiledRule } from '../resolve/compiled-rule.js';
import { argument, type IndexContext, type IndexQuestion, Questions } from './questions.js';

interface Level {
  readonly level: number;
  readonly rank: number;
}

/** Rules that compare the same place in order of what they want, the least first. */
const ranks: Readonly<Record<IndexQuestion['wants'], number>> = { any: 1, text: 2, value: 3 };

/**
 * Rules in the order in which the reference's index finds them. Operands that more rules compare
 * come first, but those that a rule compares with several values come last; for each operand, rules
 * that do not compare it come first.
 */
export function inIndexOrder(context: IndexContext, rules: readonly CompiledRule[]): readonly CompiledRule[] {
  return allAtOnce(indexOrderSteps(context, rules));
}

/** As `inIndexOrder`, a step for each rule. */
export function* indexOrderSteps(
  context: IndexContext,
  rules: readonly CompiledRule[],
): Steps<readonly CompiledRule[]> {
  if (rules.length < 2) return rules;
  const asked: { readonly compiled: CompiledRule; readonly places: ReadonlyMap<string, Asked> }[] = [];
  for (const compiled of rules) {
    asked.push({ compiled, places: placesOf(context, compiled.rule) });
    yield;
  }
  const counts = new Map<string, number>();
  for (const { places } of asked) for (const place of places.keys()) counts.set(place, (counts.get(place) ?? 0) + 1);
  if (counts.size === 0) return rules;
  const open = new Set(
    asked.flatMap(({ places }) => [...places].filter(([, { isOpen }]) => isOpen).map(([place]) => place)),
  );
  const isOpen = (place: string): number => Number(open.has(place));
  const sorted = [...counts].sort(([one, a], [other, b]) => isOpen(one) - isOpen(other) || b - a);
  const levels = new Map(sorted.map(([place], level) => [place, level]));
  const keyed = asked.map(({ compiled, places }) => {
    // Each place has a level.
    const key = [...places].map(([place, { wants }]): Level => ({ level: levels.get(place)!, rank: ranks[wants] }));
    return { compiled, key: key.sort((a, b) => a.level - b.level) };
  });
  return keyed.sort((a, b) => compareKeys(a.key, b.key)).map(({ compiled }) => compiled);
}

function compareKeys(a: readonly Level[], b: readonly Level[]): number {
  for (const [i, left] of a.entries()) {
    const right = b[i];
    if (right === undefined) break;
    if (left.level !== right.level) return right.level - left.level;
    if (left.rank !== right.rank) return left.rank - right.rank;
  }
  return a.length - b.length;
}

interface Asked {
  readonly wants: IndexQuestion['wants'];
  readonly isOpen: boolean;
}

function placesOf(context: IndexContext, { head, body }: Rule): ReadonlyMap<string, Asked> {
  const args = head.args ?? [];
  const places = new Map<string, Asked>();
  args.forEach((arg, i) => {
    if (isScalar(arg)) places.set(argument(i), { wants: 'value', isOpen: false });
  });
  for (const { place, wants, choice } of (new Questions(context, args).of(body) ?? []).flat()) {
    const known = places.get(place);
    if (known === undefined || known.wants === 'any') places.set(place, { wants, isOpen: choice?.isOpen === true });
  }
  return places;
}
