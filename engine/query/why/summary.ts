/** One sentence about a document: its value and its cause. */

import type { DocumentWhy } from './explanation.js';
import { countedNoun } from './missing.js';
import type { ExplainedRule } from './why-rules.js';

/**
 * @param isPart whether a key is asked for, or a function
 * @param explained all rules, defaults excluded
 * @param conflict the two values of a conflict
 */
export function explanationSummary(
  why: Omit<DocumentWhy, 'summary'>,
  isPart: boolean,
  explained: readonly ExplainedRule[],
  conflict: string | undefined,
): string {
  const { name, kind, value, error, rules } = why;
  if (error !== undefined) {
    if (conflict !== undefined) return `${name} has two values: ${conflict}`;
    const place = error.location === undefined ? '' : ` (${error.location.file}:${error.location.row})`;
    return `${name} ends with an error: ${error.message}${place}`;
  }
  const holding = explained.filter((rule) => rule.outcome === 'holds');
  if (value === undefined)
    return `${name} is ${kind === 'set' && isPart ? 'no member' : 'undefined'}: ${noneHolds(explained)}`;
  if (kind === 'set' && isPart) return `${name} is a member: ${holdingText(holding)}`;
  const answer = `${name} is ${cutTo(value.text, longestValue)}`;
  const [fallback] = rules.filter((rule) => rule.outcome === 'default');
  if (holding.length > 0) return `${answer}: ${holdingText(holding)}`;
  if (fallback !== undefined) {
    const { file, row } = fallback.location;
    return `${answer} by default (${file}:${row}): ${noneHolds(explained)}`;
  }
  return kind === 'set' || kind === 'object' ? `${answer}: ${noneHolds(explained)}` : answer;
}

function noneHolds(rules: readonly ExplainedRule[]): string {
  const count = rules.length;
  if (count > 0 && rules.every(({ outcome }) => outcome === 'no match')) return 'no rule matches';
  if (count === 0) return 'it has no other rule';
  return count === 1 ? 'its rule does not hold' : `none of its ${count} rules holds`;
}

const longestValue = 80;

function cutTo(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length).replace(/…$/, '')}…` : text;
}

const mostPlaces = 3;

function holdingText(rules: readonly ExplainedRule[]): string {
  const places = rules.slice(0, mostPlaces).map(({ location }) => `${location.file}:${location.row}`);
  if (rules.length === 1) return `the rule at ${places[0]} holds`;
  if (rules.length > places.length) return `${countedNoun(rules.length, 'rule')} hold, the first at ${places[0]}`;
  return `the rules at ${places.join(' and ')} hold`;
}
