/** Evaluations in slices, so that other work goes on. */

import type { EngineContext, EvaluationOptions, Meter } from '../../runtime/index.js';
import { AnswerRecord, Evaluation, Suspension } from '../../runtime/index.js';
import { inSlices, type Steps, watchWork } from '../../values/index.js';
import { Waiting } from './awaited-answers.js';

/**
 * Begins again after each answer that a built-in waits for. The documents must stay as they are
 * meanwhile.
 */
export async function evaluateInSlices<Result>(
  begin: (evaluation: Evaluation) => Steps<Result>,
  context: EngineContext,
  options: EvaluationOptions,
  record = new AnswerRecord(),
): Promise<Result> {
  const evaluation = new Evaluation(context, options, record);
  for (;;) {
    try {
      return await inSlices(watched(begin(evaluation), evaluation.meter));
    } catch (error) {
      if (!(error instanceof Suspension)) throw error;
      await new Waiting(() => undefined, evaluation, record, options, error).finish();
    }
  }
}

/**
 * The meter looks at the clock also while long values are walked. Other evaluations run between the
 * steps.
 */
export function* watched<Result>(steps: Steps<Result>, meter: Meter): Steps<Result> {
  for (;;) {
    const before = watchWork(meter);
    let step: IteratorResult<undefined, Result>;
    try {
      step = steps.next();
    } finally {
      watchWork(before);
    }
    if (step.done === true) return step.value;
    yield;
  }
}
