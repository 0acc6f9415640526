/** Explanations: the trace of a decision that was made. */

import type { Compiled, CompiledQuery, Span } from '../../compiler/index.js';
import type { EngineContext, EvaluationOptions } from '../../runtime/index.js';
import { AnswerRecord, Evaluation, EvaluationError, Suspension } from '../../runtime/index.js';
import { inSlices, longestTimerMs, type Steps, timerMs, type Value } from '../../values/index.js';
import { pathVariable } from '../policies/path-queries.js';
import { partialSteps } from '../query/partial/partial.js';
import type { ResidualOptions } from '../query/partial/partial-options.js';
import type { OnPlug } from '../query/plug-timer.js';
import { programFor } from '../query/search-program.js';
import { prettyTrace, type TableOptions, traceTable } from '../query/trace/output/pretty.js';
import { type ExplainMode, type RecordedEvent, Recorder, TraceFull } from '../query/trace/output/recorder.js';
import { type TraceTextOptions, writeEvents } from '../query/trace/output/trace-json.js';
import { VariableNames } from '../query/trace/output/variable-names.js';
import { traceQuery } from '../query/trace/trace.js';
import { type ComparedAnswer, compareAnswers } from '../why/second-answer.js';
import type { KnownAnswers } from './awaited-answers.js';
import { watched } from './sliced-evaluation.js';

export interface TraceOptions extends Pick<EvaluationOptions, 'timeMs' | 'signal' | 'strictBuiltinErrors'> {
  readonly mode: ExplainMode;
  /** Results of the decision's non-deterministic built-ins: the trace has the same. */
  readonly known: KnownAnswers;
  /** Whether calls of `print` are shown: only if their output has a reader. */
  readonly prints: boolean;
  /** Whether a table of the trace shows values. */
  readonly values?: boolean | undefined;
  /** The trace is of a partial evaluation. */
  readonly partial?: ResidualOptions | undefined;
  /** The program's answer, to compare the trace with. */
  readonly decided?: (ComparedAnswer & { readonly asked: string; readonly as: AnswerKind }) | undefined;
  /** See `Tracer`. */
  readonly plugged?: OnPlug | undefined;
}

/** The document of a path, whether it is true, or whether a query has a solution. */
type AnswerKind = 'document' | 'truth' | 'solution';

/** `value` is that of a term that was false, and not undefined. */
type Failed = Pick<RecordedEvent, 'value' | 'remembered'>;

export interface Trace {
  readonly isEmpty: boolean;
  /** For programs: an array of events as JSON, in parts. */
  writeJson(options?: TraceTextOptions): Steps<readonly Uint8Array[]>;
  /** For people: lines. */
  toText(): Steps<readonly string[]>;
  /** The last failure in a stretch of source. */
  failed(span: Span): Failed | undefined;
  /** For the report of a failed test. */
  toTable(options: TableOptions): readonly string[];
}

/** Traces in slices, so that other work goes on. The documents must stay as they are meanwhile. */
export async function explainQuery(
  compiled: Compiled,
  query: CompiledQuery,
  documents: { readonly input: Value | undefined; readonly data: Value },
  context: EngineContext,
  options: TraceOptions,
): Promise<Trace> {
  const program = await programFor(compiled, [query.body]);
  const { partial, decided } = options;
  const record = new AnswerRecord(options.known);
  const signal = options.signal ?? AbortSignal.timeout(timerMs(options.timeMs || longestTimerMs));
  const compared = (explained: ComparedAnswer): void => {
    // Results that the decision did not note are other ones here.
    if (decided === undefined || partial !== undefined || record.nondeterministic.size > options.known.size) return;
    compareAnswers(decided.asked, decided, explained, context, 'other');
  };
  for (;;) {
    const recorder = new Recorder(options.mode, options.prints, options);
    const evaluation = new Evaluation(context, options, record);
    try {
      if (partial === undefined) {
        const steps = traceQuery(program, query.body, documents, evaluation, recorder);
        const solutions = await inSlices(watched(steps, evaluation.meter));
        compared({ value: decided && answerIn(solutions, decided.as) });
      } else {
        const steps = partialSteps(program, query, documents, evaluation, { ...partial, tracer: recorder });
        await inSlices(watched(steps, evaluation.meter));
      }
    } catch (error) {
      if (error instanceof Suspension) {
        await record.answer(error, signal);
        continue;
      }
      // The trace goes as far as its evaluation.
      if (!(error instanceof EvaluationError || error instanceof TraceFull)) throw error;
      if (error instanceof EvaluationError) compared({ value: undefined, error });
    }
    const { events } = recorder;
    const names = new VariableNames(compiled, query);
    return {
      isEmpty: events.length === 0,
      writeJson: (writing) => writeEvents(events, names, writing),
      toText: () => prettyTrace(events, names),
      failed: ({ source, start, end }) =>
        events.findLast(({ op, at }) => op === 'fail' && at.source === source && at.start >= start && at.end <= end),
      toTable: (options) => traceTable(events, names, options),
    };
  }
}

function answerIn([first]: readonly ReadonlyMap<string, Value>[], kind: AnswerKind): Value | undefined {
  if (first === undefined || kind === 'solution') return first && true;
  const value = first.get(pathVariable);
  return kind === 'document' ? value : value === true || undefined;
}
