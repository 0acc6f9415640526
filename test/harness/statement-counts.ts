/** Checks that a profile counts each statement that the machine evaluates. */

import { expect } from 'vitest';
import { loadPlan } from '../../ir-schema/validate.js';
import type { AnswerRecord } from '../../runtime/evaluation/answer-record.js';
import type { EngineContext } from '../../runtime/evaluation/engine-context.js';
import { Evaluation } from '../../runtime/evaluation/evaluation.js';
import type { EvaluationOptions } from '../../runtime/evaluation/evaluation-options.js';
import { Meter } from '../../runtime/evaluation/meter.js';
import { interpretTables } from '../../runtime/vm/plan-interpreter.js';
import type { StatementObserver } from '../../runtime/vm/plan-tables.js';
import type { Builtin } from '../../values/builtins/builtin.js';
import type { Value } from '../../values/value.js';
import { ObservedPolicy } from '../../views/recording/observed-run.js';
import { profileReport } from '../../views/recording/profile-report.js';
import { StatementProfile } from '../../views/recording/statement-profile.js';
import { answerOf, showAnswer } from './answers.js';

/** Counts statements alone: no members of collections, and no work of built-ins. */
class StatementMeter extends Meter {
  override tick(): void {
    // Left out.
  }
}

const limitReached = 'eval_cancel_error: instruction limit reached';

export interface CountedPlan {
  readonly plan: unknown;
  readonly entrypoint: string;
  readonly input: Value | undefined;
  readonly data: Value;
  readonly builtins: ReadonlyMap<string, Builtin>;
  readonly context: EngineContext;
  readonly options?: EvaluationOptions;
  /** For built-ins that may answer otherwise next time. */
  readonly record: AnswerRecord;
}

/**
 * The evaluation has the same end under a limit of exactly as many statements as the profile
 * counts, and reaches a limit of one less.
 * @returns the sum of the counts
 */
export function expectExactCounts(counted: CountedPlan): number {
  const { plan, entrypoint, input, data, builtins, context, options = {}, record } = counted;
  const policy = new ObservedPolicy(loadPlan(plan));
  const evaluate = (instructions: number, observer?: StatementObserver): string => {
    const limited = { ...options, instructions };
    const evaluation = new Evaluation(context, limited, record, new StatementMeter(limited));
    const watching = observer === undefined ? {} : { observer };
    return showAnswer(answerOf(() => interpretTables(policy.tables, { plan: entrypoint, input, data }, builtins, evaluation, watching)));
  };
  const profile = new StatementProfile(policy.addresses);
  const answer = evaluate(Infinity, profile);
  profile.close();
  const { count, statements, functions } = profileReport(profile, policy);
  expect(statements.reduce((sum, each) => sum + each.count, 0)).toBe(count);
  for (const each of statements) {
    expect(each.passed + each.failed).toBeLessThanOrEqual(each.count);
    if (each.rows_in !== undefined) expect(each.rows_out).toBeLessThanOrEqual(each.rows_in);
  }
  expect(functions.reduce((sum, each) => sum + each.calls, 0)).toBe(1 + statements.reduce((sum, each) => sum + (each.entered ?? 0), 0));
  expect(evaluate(count)).toBe(answer);
  if (count > 0) expect(evaluate(count - 1)).toBe(limitReached);
  return count;
}
