/** One sentence about a document: its value and its cause. */

import type { DocumentWhy, RuleWhy } from './explanation.js';
import { counted } from './missing.js';

/**
 * @param isPart whether a key is asked for, or a function
 * @param count the number of rules, defaults excluded
 * @param conflict the two values of a conflict
 */
export function summaryOf(why: Omit<DocumentWhy, 'summary'>, isPart: boolean, count: number, conflict: string | undefined): string {
  const { name, kind, outcome, value, error, rules } = why;
  if (outcome === 'error') {
    if (conflict !== undefined) return `${name} has two values: ${conflict}`;
    const place = error!.location === undefined ? '' : ` (${error!.location.file}:${error!.location.row})`;
    return `${name} ends with an error: ${error!.message}${place}`;
  }
  const holding = rules.filter((rule) => rule.outcome === 'holds');
  if (outcome === 'undefined') return `${name} is ${kind === 'set' && isPart ? 'no member' : 'undefined'}: ${noneHolds(rules, count)}`;
  if (kind === 'set' && isPart) return `${name} is a member: ${holdingText(holding)}`;
  const answer = `${name} is ${value!.text}`;
  const [fallback] = rules.filter((rule) => rule.outcome === 'default');
  if (holding.length > 0) return `${answer}: ${holdingText(holding)}`;
  if (fallback !== undefined) {
    const { file, row } = fallback.location;
    return `${answer} by default (${file}:${row}): ${noneHolds(rules, count)}`;
  }
  return kind === 'set' || kind === 'object' ? `${answer}: ${noneHolds(rules, count)}` : answer;
}

function noneHolds(rules: readonly RuleWhy[], count: number): string {
  if (rules.length > 0 && rules.every(({ outcome }) => outcome === 'no match')) return 'no rule matches';
  if (count === 0) return 'it has no other rule';
  return count === 1 ? 'its rule does not hold' : `none of its ${count} rules holds`;
}

const mostPlaces = 3;

function holdingText(rules: readonly RuleWhy[]): string {
  const places = rules.slice(0, mostPlaces).map(({ location }) => `${location.file}:${location.row}`);
  if (rules.length === 1) return `the rule at ${places[0]} holds`;
  if (rules.length > places.length) return `${counted(rules.length, 'rule')} hold, the first at ${places[0]}`;
  return `the rules at ${places.join(' and ')} hold`;
}
