/** Results of rules that outlast an evaluation, for generated code. */

import type { Value } from '../../../values/value.js';
import { type KeptResult, keptResultsOf, type Reads } from '../../evaluation/kept-results.js';
import type { Activation } from '../activation.js';

/** The result that an earlier evaluation kept; undefined where the rule is to be computed. */
export function keptResult({ evaluation, isDataReplaced }: Activation, reads: Reads, data: Value | undefined): KeptResult | undefined {
  return isDataReplaced ? undefined : keptResultsOf(evaluation)?.get(reads, data);
}

/** Keeps the result of a rule, where that pays. */
export function keepResult(
  { evaluation, isDataReplaced }: Activation,
  reads: Reads,
  data: Value | undefined,
  value: Value | undefined,
): void {
  if (!isDataReplaced) keptResultsOf(evaluation)?.keep(reads, data, value);
}
