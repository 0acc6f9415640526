/** Evaluations that are repeated in threads. */

import { answerKey, EvaluationError, type HeldVersion, wallClockNs } from '../../runtime/index.js';
import type { Value } from '../../values/index.js';
import type { KnownAnswers } from './awaited-answers.js';
import type { Caller, DecideOptions } from './decide-options.js';
import type { EvaluationTarget, ResultSets } from './evaluate.js';
import type { LongEvaluation, LongEvaluations } from './long-evaluations.js';

export type CallerOptions = DecideOptions & { readonly caller?: Omit<Caller, 'signal'> };

/** The meter's error for an evaluation that has used up its time. */
export const timedOut = 'query execution timed out';

/** The plan that a thread evaluates, with its documents. */
type Asked = Pick<LongEvaluation, 'target' | 'input' | 'context' | 'documents' | 'timeMs' | 'known'>;

export function longEvaluation(asked: Asked, options: CallerOptions): LongEvaluation {
  const { strictBuiltinErrors = false, instructions, callDepth, timeNs, signal, caller } = options;
  const { onPrint, onTrace, onBuiltinError, onNondeterministic, metrics } = options;
  const listeners = { onPrint, onTrace, onBuiltinError, onNondeterministic, metrics };
  return { ...asked, strictBuiltinErrors, instructions, callDepth, timeNs, signal, caller, ...listeners };
}

/**
 * The plans of one question, one after the other: `timeMs` is the limit of all together, and they
 * see one time and the same results of non-deterministic built-ins. Rejects with an
 * EvaluationError.
 * @param asked with documents that the caller holds
 */
export async function evaluateBeside(
  long: LongEvaluations,
  targets: readonly EvaluationTarget[],
  { timeMs, known, documents, ...asked }: Omit<Asked, 'target'>,
  options: CallerOptions,
): Promise<ResultSets> {
  const until = performance.now() + timeMs;
  const timeNs = options.timeNs ?? wallClockNs();
  const given = { ...options, timeNs };
  const shared = targets.length < 2 ? { options: given, known } : sharing(given, known);
  const results: (readonly Value[])[] = [];
  for (const target of targets) {
    const msLeft = until - performance.now();
    if (msLeft <= 0) throw new EvaluationError('eval_cancel_error', timedOut);
    const one = { ...asked, target, documents: lent(documents), timeMs: msLeft, known: shared.known };
    results.push(await long.run(longEvaluation(one, shared.options)));
  }
  return results;
}

/** Records the results of one plan for those after it. */
function sharing(
  options: CallerOptions,
  before: KnownAnswers = new Map(),
): { readonly options: CallerOptions; readonly known: KnownAnswers } {
  const known = new Map(before);
  const onNondeterministic = (builtin: string, operands: readonly Value[], value: Value) => {
    known.set(answerKey(builtin, operands), value);
    options.onNondeterministic?.(builtin, operands, value);
  };
  return { options: { ...options, onNondeterministic }, known };
}

/** For an evaluation that ends before its holder releases the documents. */
function lent({ root, version }: HeldVersion): HeldVersion {
  return { root, version, release: () => undefined };
}
