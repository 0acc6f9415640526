/** Follows decisions of an engine: logs them, and makes their spans. */
import { randomUUID } from 'node:crypto';
import type {
  ActiveBundle,
  AskerFields,
  DecideOptions,
  DecisionLog,
  Engine,
  ExplainedOptions,
  Explanation,
  LoggedQuestion,
} from '../../engine/index.js';
import { Asking, errorJson, Metrics, recordedAnswers, timers } from '../../engine/index.js';
import type { PluginLogger, TraceSpan, Tracing } from '../../server/index.js';
import { jsonCopy, jsonValue, type PlainObject, placeOf, type Value } from '../../values/index.js';
import type { AsyncDecisionOptions, DecisionCaller } from '../decision-options.js';
import { EngineError } from '../errors/engine-error.js';
import type { AskedDecision, Follower } from '../follow.js';

interface RecorderParts {
  readonly engine: Engine;
  readonly logger: PluginLogger;
  /** Undefined where decisions are not logged now. */
  readonly log: () => DecisionLog | undefined;
  readonly tracing: Tracing | undefined;
}

export class DecisionRecorder {
  readonly #parts: RecorderParts;

  constructor(parts: RecorderParts) {
    this.#parts = parts;
  }

  /** See `Attachment`. */
  follow<Result>(
    asked: AskedDecision,
    input: Value | undefined,
    options: AsyncDecisionOptions,
    decide: (recording: LoggedDecision | undefined) => Result,
  ): Result {
    const { tracing } = this.#parts;
    if (tracing === undefined) return decide(this.begin(asked, input, options));
    const attributes = asked.path === undefined ? {} : { 'decision.path': asked.path };
    return tracing.work('decision', attributes, (span) => {
      return decide(new LoggedDecision(this.#parts, this.#logOf(options), { asked, input, options, span }));
    });
  }

  /** See `Attachment`. */
  begin(asked: AskedDecision, input: Value | undefined, options: AsyncDecisionOptions): LoggedDecision | undefined {
    const log = this.#logOf(options);
    return log && new LoggedDecision(this.#parts, log, { asked, input, options, span: undefined });
  }

  #logOf({ log }: AsyncDecisionOptions): DecisionLog | undefined {
    return log === false ? undefined : this.#parts.log();
  }
}

interface Followed {
  readonly asked: AskedDecision;
  readonly input: Value | undefined;
  readonly options: AsyncDecisionOptions;
  readonly span: TraceSpan | undefined;
}

class LoggedDecision implements Follower {
  readonly options: DecideOptions;
  readonly #engine: Engine;
  readonly #asking: Asking;
  readonly #id: string;
  /** Undefined where the decision is not logged. */
  readonly #log: DecisionLog | undefined;
  readonly #started = performance.now();
  #isDone = false;

  constructor({ engine, logger }: RecorderParts, log: DecisionLog | undefined, followed: Followed) {
    const { asked, input, options, span } = followed;
    this.#engine = engine;
    this.#log = log;
    this.#id = options.decisionId ?? randomUUID();
    const caller = log === undefined || !options.log ? {} : callerFields(options.log);
    const spanFields = span === undefined ? {} : { traceId: span.traceId, spanId: span.spanId };
    const asker = { span, fields: () => ({ ...caller, ...spanFields }), bytes: () => 0 };
    const notes = { metrics: log && new Metrics(), answers: log && recordedAnswers(engine, log) };
    const question = { ...asked, input, ...notes, batchDecisionId: options.batchDecisionId };
    this.#asking = new Asking({ engine, logger }, log, asker, question, this.#id);
    this.options = log === undefined ? options : this.#asking.noting(options);
  }

  get metrics(): Metrics | undefined {
    return this.#asking.question.metrics;
  }

  explaining(): ExplainedOptions | undefined {
    return this.#asking.explainingEvent();
  }

  succeeded(
    value: Value | undefined,
    bundles: readonly ActiveBundle[],
    explanation?: Explanation,
    filter: Pick<LoggedQuestion, 'custom' | 'partial'> = {},
  ): string | undefined {
    const { input } = this.#asking.question;
    // The caller may change its input while labels are found.
    const isKept = this.#log !== undefined && this.#engine.mayHaveRuleLabels && input !== undefined;
    const question = isKept ? { ...filter, input: jsonCopy(input) } : filter;
    const { revision } = this.#engine.version;
    return this.#ended(() => this.#asking.answered({ value, bundles, revision }, { explanation, question }));
  }

  failed(error: unknown): void {
    this.#ended(() => this.#asking.failed(() => errorJson(error)));
  }

  /** A strict decision may fail after its event. */
  #ended(log: () => string | undefined): string | undefined {
    if (this.#isDone) return this.#id;
    this.#isDone = true;
    this.metrics?.since(timers.sdkDecision, this.#started);
    return log();
  }
}

/** Throws an EngineError for members that are no JSON. */
function callerFields({ requestedBy, headers, traceId, spanId, custom }: DecisionCaller): AskerFields {
  const named = Object.entries(headers ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [[name.toLowerCase(), typeof value === 'string' ? [value] : value] as const],
  );
  const refused = ({ path, problem }: { readonly path: readonly (string | number)[]; readonly problem: string }) =>
    new EngineError('invalid_option', `${placeOf('log.custom', path)} ${problem}`);
  return {
    requestedBy,
    traceId,
    spanId,
    ...(headers !== undefined && { headers: new Map(named) }),
    ...(custom !== undefined && { custom: jsonValue(custom, refused) as PlainObject }),
  };
}
