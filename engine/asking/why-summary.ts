/** Explanations as the decision log has them: rules, places and outcomes, and no values. */

import type { PlainObject, Value } from '../../values/index.js';
import type { DocumentWhy, Explanation, RuleWhy } from '../query/why/explanation.js';

/** The most rules of a decision in an event. */
const mostRules = 20;

/**
 * The rules that could have made a decision.
 *
 * @example
 * // [{ rule: 'data.authz.allow', file: 'authz.rego', row: 8, outcome: 'fails',
 * //    failed_row: 9, reason: 'differs' }]
 */
export function whySummary({ documents, missing }: Explanation): Value {
  if (missing !== undefined) return { missing };
  const rules = documents.flatMap((document) => document.rules.map((rule) => summaryOf(document, rule)));
  return rules.slice(0, mostRules);
}

function summaryOf({ name }: DocumentWhy, { location, outcome, failed }: RuleWhy): PlainObject {
  const { file, row } = location;
  return { rule: name, file, row, outcome, ...(failed && { failed_row: failed.excerpt.row, reason: failed.reason }) };
}
