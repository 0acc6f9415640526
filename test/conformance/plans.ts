/** Runs plan cases: plans of the reference's compiler on our VM, or in generated code. */
import type { CodegenMode } from '../../runtime/evaluation/engine-context.js';
import type { Case } from './cases.js';
import { evaluateCase } from './evaluate.js';
import { judgeError, judgeResult, type Outcome } from './outcome.js';

export async function runPlanCase(one: Case, codegen: CodegenMode = 'never'): Promise<Outcome> {
  try {
    return judgeResult(one, await evaluateCase(one, one.plan, one.entrypoints![0]!, codegen), one.want_plan_result);
  } catch (error) {
    return judgeError(one, error);
  }
}
