/** Traces of plans without policy source beside them. */

import { loadPlan, type Policy } from '../../ir-schema/index.js';
import type { EngineContext, EvaluationOptions, InterpretOptions } from '../../runtime/index.js';
import {
  AnswerRecord,
  Evaluation,
  EvaluationError,
  interpretTables,
  PlanTables,
  PlanTrace,
  PlanTraceFull,
  Suspension,
} from '../../runtime/index.js';
import type { Builtin, Value } from '../../values/index.js';
import { allAtOnce, HaltError, isStackOverflow, type Steps, writeJsonSteps } from '../../values/index.js';
import type { Trace, TraceOptions } from './trace.js';

/** A plan of a bundle, as it was read. */
export interface TracedPlan {
  readonly policy: unknown;
  readonly name: string;
}

/**
 * The traces of some plans, one after the other. They go as far as the evaluation, which runs in
 * one piece: where others wait meanwhile, `limits` are needed.
 */
export function explainPlans(
  plans: readonly TracedPlan[],
  setting: Omit<RunSetting, 'options'>,
  options: TraceOptions,
  limits: Pick<EvaluationOptions, 'timeMs' | 'instructions'>,
): Trace {
  const traces = plans.map(({ policy: json, name }) => {
    const policy = loadPlan(json);
    const trace = new PlanTrace(policy, options.mode);
    const { known, strictBuiltinErrors } = options;
    const given = { known, ...(strictBuiltinErrors && { strictBuiltinErrors }), ...limits, onTrace: trace.note };
    const end = runPlan({ policy, name }, { ...setting, options: given }, { tracer: trace });
    if (end !== undefined && !trace.isFull) trace.note(`the evaluation ends here: ${end.message}`);
    return trace;
  });
  function* lines(): Steps<readonly string[]> {
    const all: string[] = [];
    for (const trace of traces) {
      for (const line of trace.toText()) all.push(line);
      yield;
    }
    return all;
  }
  return {
    isEmpty: traces.length === 0,
    *writeJson({ take } = {}) {
      const events = traces.flatMap((trace) => trace.toValues());
      return [yield* writeJsonSteps(events, { ...(take && { take }) })];
    },
    toText: lines,
    toTable: () => allAtOnce(lines()),
    failed: () => undefined,
  };
}

/** Options of a walk, with the answers of built-ins that may answer otherwise next time. */
export interface PlanRunOptions extends EvaluationOptions {
  readonly known: ConstructorParameters<typeof AnswerRecord>[0];
}

/** The parts of a run beside its plan. */
export interface RunSetting {
  readonly documents: { readonly input: Value | undefined; readonly data: Value };
  /** The built-ins that the plan calls, with their libraries loaded. */
  readonly builtins: ReadonlyMap<string, Builtin>;
  readonly context: EngineContext;
  readonly options: PlanRunOptions;
}

/** Walks over a plan for those who watch. Answers the error that ended it early. */
export function runPlan(
  { policy, name }: { readonly policy: Policy; readonly name: string },
  setting: RunSetting,
  watching: InterpretOptions,
): Error | undefined {
  return runTables(new PlanTables(policy, watching), name, setting, watching);
}

/** Runs a plan that is walked several times. */
export function runTables(
  tables: PlanTables,
  name: string,
  { documents, builtins, context, options: { known, ...options } }: RunSetting,
  watching: InterpretOptions,
): Error | undefined {
  try {
    const evaluation = new Evaluation(context, options, new AnswerRecord(known));
    interpretTables(
      tables,
      { plan: name, input: documents.input, data: documents.data },
      builtins,
      evaluation,
      watching,
    );
    return undefined;
  } catch (error) {
    if (!endsEvaluation(error)) throw error;
    return error as Error;
  }
}

/** Errors that end an evaluation. */
export function endsEvaluation(error: unknown): boolean {
  const kinds = [HaltError, EvaluationError, Suspension, PlanTraceFull];
  return kinds.some((kind) => error instanceof kind) || isStackOverflow(error);
}
