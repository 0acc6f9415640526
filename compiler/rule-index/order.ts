/** The order in which the reference's rule index finds rules. */
import type { Rule } from '../ast/nodes.js';
import type { CompiledRule } from '../resolve/compiled-rule.js';
import { isScalar } from '../resolve/declared.js';
import { argument, type IndexContext, type Question, Questions } from './questions.js';

interface Level {
  readonly level: number;
  readonly rank: number;
}

/**
 * Rules in the order in which the reference's index finds them. Operands that more rules compare
 * come first; for each operand, rules that do not compare it come first.
 */
export function inIndexOrder(context: IndexContext, rules: readonly CompiledRule[]): readonly CompiledRule[] {
  if (rules.length < 2) return rules;
  const asked = rules.map(({ rule }) => placesOf(context, rule));
  const counts = new Map<string, number>();
  for (const places of asked) for (const place of places.keys()) counts.set(place, (counts.get(place) ?? 0) + 1);
  if (counts.size === 0) return rules;
  const levels = new Map([...counts].sort(([, a], [, b]) => b - a).map(([place], level) => [place, level]));
  const keys = asked.map((places) => {
    const key = [...places].map(([place, wants]): Level => ({ level: levels.get(place)!, rank: wants === 'any' ? 1 : 2 }));
    return key.sort((a, b) => a.level - b.level);
  });
  return [...rules.keys()].sort((a, b) => compareKeys(keys[a]!, keys[b]!)).map((i) => rules[i]!);
}

function compareKeys(a: readonly Level[], b: readonly Level[]): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const [left, right] = [a[i]!, b[i]!];
    if (left.level !== right.level) return right.level - left.level;
    if (left.rank !== right.rank) return left.rank - right.rank;
  }
  return a.length - b.length;
}

function placesOf(context: IndexContext, { head, body }: Rule): ReadonlyMap<string, Question['wants']> {
  const args = head.args ?? [];
  const places = new Map<string, Question['wants']>();
  args.forEach((arg, i) => {
    if (isScalar(arg)) places.set(argument(i), 'value');
  });
  for (const question of new Questions(context, args).of(body) ?? []) {
    if (question !== undefined && places.get(question.place) !== 'value') places.set(question.place, question.wants);
  }
  return places;
}
