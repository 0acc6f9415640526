/** Rules of the base documents alone: their results outlast an evaluation. */

import type { PlainObject } from '../../../values/index.js';
import { noValue } from '../../evaluation/rule-memory.js';
import type { Generated } from '../generated.js';

/**
 * A rule that is computed where no earlier evaluation over the same documents kept its result.
 * Where errors of built-ins are looked for, each evaluation computes it.
 * @param index the number of its function
 */
export function dataRule(rule: Generated, index: number): Generated {
  return (x, input, data) => {
    const { evaluation, memory } = x;
    const { keptResults } = evaluation.context;
    const isKept = keptResults !== undefined && !x.isDataReplaced && typeof data === 'object' && data !== null;
    if (!isKept || evaluation.strict || evaluation.reportsFailures) return rule(x, input, data);
    const known = memory[index];
    if (known !== undefined) return known === noValue ? undefined : (known as typeof data);
    const documents = data as PlainObject;
    const kept = keptResults.get(rule, documents);
    if (kept !== undefined) {
      const value = kept === noValue ? undefined : (kept as typeof data);
      x.remember(index, value);
      return value;
    }
    const before = x.meter.spent;
    const value = rule(x, input, data);
    keptResults.keep(rule, documents, value === undefined ? noValue : value, x.meter.spent - before);
    return value;
  };
}
