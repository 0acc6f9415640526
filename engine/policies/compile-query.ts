/** Queries from text to plans. */

import type { Compiled, CompiledQuery } from '../../compiler/index.js';
import {
  captureValues,
  compileErrors,
  compileQuery,
  hintsOf,
  PlanInputs,
  parseQuery,
  planSteps,
} from '../../compiler/index.js';
import type { Policy } from '../../ir-schema/index.js';
import type { Steps } from '../../values/index.js';
import type { EvaluationTarget } from '../evaluation/evaluate.js';
import { type Metrics, timers } from '../evaluation/metrics.js';
import { numbered, solutionNumber } from '../evaluation/solutions.js';
import type { Language } from './language.js';

interface QueryCompilation {
  readonly language: Language;
  /** Built-ins that the query itself may not call. */
  readonly unsafeBuiltins: ReadonlySet<string> | undefined;
  readonly metrics: Metrics | undefined;
  /** Whether the stages are timed too. */
  readonly instrument: boolean;
}

/** The time in which a query is to be compiled, and its caller. */
export interface QueryLimits {
  /** 0 is no limit. */
  readonly timeMs?: number | undefined;
  readonly caller?: { readonly signal: AbortSignal } | undefined;
}

/** Ends compiling in a thread. */
interface ThreadLimits {
  /** 0 is no limit. */
  readonly timeMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Compiles a query in a thread. Rejects with CompileErrors, or with an EvaluationError where that
 * takes too long.
 */
export type CompileElsewhere = (
  compiled: Compiled,
  text: string,
  how: QueryCompilation & ThreadLimits,
) => Promise<EvaluationTarget>;

/** A query over policies: it binds the values of its expressions. Throws CompileErrors. */
export function* compileQueryText(
  compiled: Compiled,
  text: string,
  compilation: QueryCompilation,
): Steps<CompiledQuery> {
  return (yield* compileText(compiled, text, compilation)).query;
}

function* compileText(
  compiled: Compiled,
  text: string,
  { language, unsafeBuiltins, metrics, instrument }: QueryCompilation,
): Steps<{ readonly query: CompiledQuery; readonly compiling: number }> {
  const started = performance.now();
  const parsed = parseQuery(text, { regoVersion: language });
  metrics?.since(timers.queryParse, started);
  yield;
  const compiling = performance.now();
  const options = {
    ...compiled.options,
    ...(unsafeBuiltins !== undefined && { unsafeBuiltins }),
    ...(instrument &&
      metrics !== undefined && { onTimer: (name: string, nanoseconds: number) => metrics.add(name, nanoseconds) }),
  };
  const { body } = captureValues(parsed, compiled);
  const query = compileQuery(compiled, body, { options });
  if (query.diagnostics.length > 0) throw compileErrors(query.diagnostics, hintsOf(compiled));
  return { query, compiling };
}

/** The plan of a query over policies, named `query`. Throws CompileErrors. */
export function* compileQueryPlan(
  compiled: Compiled,
  text: string,
  { language, unsafeBuiltins, metrics, instrument }: QueryCompilation,
  inputs = new PlanInputs(),
): Steps<Policy> {
  const { query, compiling } = yield* compileText(compiled, text, { language, unsafeBuiltins, metrics, instrument });
  yield;
  const plan = yield* planSteps(compiled, [{ name: 'query', query: numbered(query) }], {
    inputs,
    builtins: [solutionNumber],
  });
  metrics?.since(timers.queryCompile, compiling);
  return plan;
}
