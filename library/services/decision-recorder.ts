/** Follows decisions of an engine: logs them, and makes their spans. */
import { randomUUID } from 'node:crypto';
import type { Engine } from '../../engine/engine.js';
import type { DecideOptions } from '../../engine/evaluation/decide-options.js';
import { Metrics, timers } from '../../engine/evaluation/metrics.js';
import { NdBuiltinCache } from '../../engine/evaluation/nd-builtin-cache.js';
import type { ActiveBundle } from '../../engine/version.js';
import type { ExplainedOptions } from '../../engine/why/why-decision.js';
import type { Explanation } from '../../query/why/explanation.js';
import type { DecisionLogPlugin } from '../../services/decision-log/decision-log.js';
import type { DecisionRecord } from '../../services/decision-log/event.js';
import {
  errorJson,
  type LoggedQuestion,
  labelSearch,
  questionFields,
} from '../../services/decision-log/logged-question.js';
import { whySummary } from '../../services/decision-log/why-summary.js';
import type { Logger } from '../../services/plugin.js';
import type { Span, Tracing } from '../../services/tracing/tracing.js';
import { jsonCopy } from '../../values/json/deep-json.js';
import { jsonValue, placeOf } from '../../values/json/plain-json.js';
import type { PlainObject, Value } from '../../values/value.js';
import type { AsyncDecisionOptions, DecisionCaller } from '../decision-options.js';
import { EngineError } from '../errors/engine-error.js';
import type { AskedDecision, Recording } from './attachment.js';

interface RecorderParts {
  readonly engine: Engine;
  readonly logger: Logger;
  /** Undefined where decisions are not logged now. */
  readonly log: () => DecisionLogPlugin | undefined;
  readonly tracing: Tracing | undefined;
}

/** A longer explanation is left out of an event: it is made between other tasks. */
const whyMs = 50;

export class DecisionRecorder {
  readonly #parts: RecorderParts;

  constructor(parts: RecorderParts) {
    this.#parts = parts;
  }

  get engine(): Engine {
    return this.#parts.engine;
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

  #logOf({ log }: AsyncDecisionOptions): DecisionLogPlugin | undefined {
    return log === false ? undefined : this.#parts.log();
  }

  /** How a decision is explained for its event; undefined where it is not. */
  whyOptions({
    path,
    segments,
  }: AskedDecision): Pick<ExplainedOptions, 'depth' | 'whyTimeMs' | 'event' | 'maskDecision'> | undefined {
    const log = this.#parts.log();
    if (log?.wantsWhy !== true || segments === undefined) return undefined;
    return { depth: 0, whyTimeMs: whyMs, event: log.eventOf({ decisionId: '', path }), maskDecision: log.maskDecision };
  }
}

interface Followed {
  readonly asked: AskedDecision;
  readonly input: Value | undefined;
  readonly options: AsyncDecisionOptions;
  readonly span: Span | undefined;
}

class LoggedDecision implements Recording {
  readonly options: DecideOptions;
  /** Undefined where the decision is not logged. */
  readonly metrics: Metrics | undefined;
  readonly #parts: RecorderParts;
  readonly #log: DecisionLogPlugin | undefined;
  readonly #followed: Followed;
  readonly #answers: NdBuiltinCache | undefined;
  readonly #started = performance.now();
  readonly #caller: CallerFields;
  #isDone = false;

  constructor(parts: RecorderParts, log: DecisionLogPlugin | undefined, followed: Followed) {
    this.#parts = parts;
    this.#log = log;
    this.#followed = followed;
    const { options } = followed;
    this.#caller = log === undefined || !options.log ? {} : callerFields(options.log);
    this.metrics = log && new Metrics();
    const wantsAnswers = log !== undefined && (log.wantsNondeterministic || parts.engine.mayHaveRuleLabels);
    this.#answers = wantsAnswers ? new NdBuiltinCache() : undefined;
    this.options = log === undefined ? options : { ...options, metrics: this.metrics, ...this.#noting(options) };
  }

  #noting({ onNondeterministic: told }: AsyncDecisionOptions): Pick<DecideOptions, 'onNondeterministic'> {
    const note = this.#answers?.note;
    if (note === undefined || told === undefined) return note === undefined ? {} : { onNondeterministic: note };
    return {
      onNondeterministic: (...answer) => {
        note(...answer);
        told(...answer);
      },
    };
  }

  succeeded(
    value: Value | undefined,
    bundles: readonly ActiveBundle[],
    explanation?: Explanation,
    filter: Pick<LoggedQuestion, 'custom' | 'partial'> = {},
  ): string | undefined {
    const log = this.#log;
    const why = explanation !== undefined && log?.wantsWhy === true ? whySummary(explanation) : undefined;
    return this.#record({ result: value, bundles }, { ...filter, why }, true);
  }

  failed(error: unknown): void {
    this.#record({ error: errorJson(error), bundles: this.#parts.engine.bundles() }, {}, false);
  }

  /** A strict decision may fail after its event. */
  #record(outcome: Partial<DecisionRecord>, more: Partial<LoggedQuestion>, hasLabels: boolean): string | undefined {
    const { asked, input, options, span } = this.#followed;
    const id = options.decisionId ?? randomUUID();
    if (this.#isDone) return id;
    this.#isDone = true;
    if (options.batchDecisionId === undefined) span?.set('opa.decision_id', id);
    const log = this.#log;
    if (log === undefined) return undefined;
    this.metrics!.since(timers.sdkDecision, this.#started);
    const searches = hasLabels && this.#parts.engine.mayHaveRuleLabels;
    const question: LoggedQuestion = {
      ...asked,
      // The caller may change its input while labels are found.
      input: searches && input !== undefined ? jsonCopy(input) : input,
      metrics: this.metrics,
      ...more,
      batchDecisionId: options.batchDecisionId,
      answers: this.#answers,
    };
    const spanFields = span === undefined ? {} : { traceId: span.traceId, spanId: span.spanId };
    const record = { decisionId: id, ...questionFields(question), ...this.#caller, ...spanFields, ...outcome };
    void log.record(record, searches ? labelSearch(question, this.#parts, 0) : undefined);
    return id;
  }
}

type CallerFields = Pick<DecisionRecord, 'requestedBy' | 'headers' | 'traceId' | 'spanId' | 'custom'>;

/** Throws an EngineError for members that are no JSON. */
function callerFields({ requestedBy, headers, traceId, spanId, custom }: DecisionCaller): CallerFields {
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
