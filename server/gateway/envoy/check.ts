/** One check: from the request's bytes to the answer's, with its event in the decision log. */
import { randomUUID } from 'node:crypto';
import { CompileErrors } from '../../../compiler/index.js';
import type { Caller, Decided, DecisionLog, Engine, Explanation, LoggedQuestion } from '../../../engine/index.js';
import { type Asker, Asking, ask, Metrics, Prepared, recordedAnswers, timers } from '../../../engine/index.js';
import { EvaluationError } from '../../../runtime/index.js';
import { isObject, type PlainObject, parseJson, toJson, type Value } from '../../../values/index.js';
import type { PluginLogger } from '../../services/plugin.js';
import type { TraceSpan } from '../../services/tracing/tracing.js';
import { GrpcError, grpcCodes } from '../grpc/grpc-status.js';
import { DecodeError } from '../protobuf/decode.js';
import { type ApiVersion, decodeCheck, type InputOptions, type InputVersion, inputOf } from './check-input.js';
import type { CheckMetrics } from './check-metrics.js';
import { allowing, parseFailure, ResultError, responseOf } from './check-result.js';
import { decisionQuery, decisionVariable, queryProblem } from './decision-query.js';
import type { EnvoyConfig } from './envoy-config.js';
import { CheckRequestError } from './request-error.js';

/** The parts of a process that checks use. */
export interface CheckHost {
  readonly engine: Engine;
  readonly logger: Pick<PluginLogger, 'show' | 'error'>;
  /** Undefined where decisions are not logged. */
  readonly decisionLog: DecisionLog | undefined;
  /** Milliseconds that a decision may take; 0 is no limit. */
  readonly timeMs: number;
}

/** The client of a check. */
export interface CheckCaller extends Caller {
  /** The start, as `performance.now()` counts. */
  readonly started: number;
  /** Milliseconds until the client's deadline; infinite without one. */
  readonly leftMs: number;
  readonly isLate: boolean;
  readonly isCancelled: boolean;
}

/** An error after the input is known, with its code for metrics. */
class CheckFailure extends Error {
  readonly reason: string;

  constructor(reason: string, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** A check that goes on. */
interface Check {
  readonly version: InputVersion;
  readonly caller: CheckCaller;
  readonly id: string;
  readonly asking: Asking;
}

/** Makes an answer of a CheckResponse in JSON form. */
type Encode<Answer> = (response: PlainObject, version: InputVersion) => Answer;

/** The settings by which a check asks for a decision. */
type CheckSettings = Pick<EnvoyConfig, 'decision' | 'dryRun'>;

export class Checker<Answer> {
  readonly #host: CheckHost;
  readonly #config: CheckSettings;
  readonly #encode: Encode<Answer>;
  readonly #inputs: InputOptions;
  readonly #metrics: CheckMetrics | undefined;
  /** The question, with the path or query as the configuration has it. */
  readonly #shown: Partial<LoggedQuestion>;
  readonly #asked: { readonly path: readonly string[] } | { readonly query: string };
  #prepared: Prepared | undefined;

  /** Throws CompileErrors for a query that cannot be parsed. */
  constructor(
    host: CheckHost,
    config: CheckSettings,
    inputs: InputOptions,
    metrics: CheckMetrics | undefined,
    encode: Encode<Answer>,
  ) {
    this.#encode = encode;
    this.#host = host;
    this.#config = config;
    this.#inputs = inputs;
    this.#metrics = metrics;
    const { decision } = config;
    if ('path' in decision) {
      const segments = decision.path.split('/').filter((part) => part !== '');
      this.#asked = { path: segments };
      this.#shown = { path: decision.path, segments };
    } else {
      const query = decisionQuery(decision.query);
      this.#asked = { query };
      this.#shown = { query: decision.query, evaluated: query };
    }
  }

  /** Rejects with a GrpcError where there is no answer. */
  async check(version: ApiVersion, bytes: Uint8Array, caller: CheckCaller, span?: TraceSpan): Promise<Answer> {
    return await this.decide(version, decoded(version, bytes), bytes.length, caller, span);
  }

  /**
   * Answers a check whose message is decoded.
   * @param bytes about the bytes of the request
   */
  async decide(
    version: InputVersion,
    message: PlainObject,
    bytes: number,
    caller: CheckCaller,
    span?: TraceSpan,
  ): Promise<Answer> {
    const { decisionLog: log, engine } = this.#host;
    const id = log?.newId() ?? randomUUID();
    span?.set('opa.decision_id', id);
    const asker: Asker = {
      span,
      fields: () => ({ traceId: span?.traceId, spanId: span?.spanId }),
      bytes: () => bytes,
      keepsInput: true,
    };
    const metrics = log && new Metrics();
    const question = { ...this.#shown, input: undefined, metrics, answers: recordedAnswers(engine, log) };
    const asking = new Asking(this.#host, log, asker, question, id);
    const answer = await this.#answer({ version, caller, id, asking }, message);
    await asking.shown;
    return answer;
  }

  async #answer(check: Check, message: PlainObject): Promise<Answer> {
    let input: PlainObject;
    try {
      input = inputOf(check.version, message, this.#inputs);
    } catch (error) {
      if (error instanceof CheckRequestError) return this.#unparsed(check, error);
      throw error;
    }
    try {
      return await this.#decide(check, input);
    } catch (error) {
      throw await this.#failed(check, input, error);
    }
  }

  /** A request that cannot be parsed is denied, unless nothing is. */
  #unparsed(check: Check, { message }: CheckRequestError): Answer {
    this.#metrics?.fail('request_parse_error');
    check.asking.question.metrics?.since(timers.handler, check.caller.started);
    this.#log(() => check.asking.failed(() => message, { question: { input: null } }));
    const denied = parseFailure(message);
    return this.#encoded(check, this.#config.dryRun ? { ...allowing(denied), ...idOf(check) } : denied);
  }

  async #decide(check: Check, input: PlainObject): Promise<Answer> {
    const { caller, asking } = check;
    const { metrics } = asking.question;
    if (caller.isLate)
      throw new CheckFailure('check_request_timeout', 'check request timed out before query execution');
    if (caller.isCancelled)
      throw new CheckFailure('check_request_cancelled', 'check request cancelled before query execution');
    const { logger, timeMs } = this.#host;
    const leftMs = Math.min(caller.leftMs, timeMs === 0 ? Number.POSITIVE_INFINITY : timeMs);
    const evaluating = performance.now();
    this.#prepared ??= new Prepared(this.#host.engine.versions, this.#host.engine.evaluator, this.#asked);
    try {
      const options = asking.noting({
        timeMs: leftMs === Number.POSITIVE_INFINITY ? 0 : Math.max(1, leftMs),
        timeIncludesPlanning: true,
        onPrint: (text, line) => logger.show(text, { 'decision-id': check.id, ...(line !== undefined && { line }) }),
      });
      const use = (decided: Decided, explanation?: Explanation) => this.#use(check, input, decided, explanation);
      const document = { engine: this.#host.engine, prepared: this.#prepared };
      return await ask(document, { ...asking.question, input }, use, {
        caller,
        options,
        why: asking.explainingEvent(leftMs),
      });
    } catch (error) {
      // The timer is that of evaluations, and this one has ended without a value.
      if (!(error instanceof CheckFailure)) metrics?.since(timers.queryEval, evaluating);
      throw error;
    }
  }

  /** Called while the documents are those of the decision. */
  #use(
    check: Check,
    input: PlainObject,
    { value, bundles, revision, hold }: Decided,
    explanation?: Explanation,
  ): Answer {
    const { asking } = check;
    const decision = jsonOf(this.#decisionOf(value));
    let response = responseOf(decision);
    if (this.#config.dryRun) response = allowing(response);
    const { dynamicMetadata } = response as { readonly dynamicMetadata?: PlainObject };
    const answer = this.#encoded(check, {
      ...response,
      dynamicMetadata: { ...dynamicMetadata, decision_id: check.id },
    });
    asking.question.metrics?.since(timers.handler, check.caller.started);
    const decided = { value: decision, bundles, revision, hold };
    this.#log(() => asking.answered(decided, { explanation, question: { input } }));
    this.#metrics?.observe((performance.now() - check.caller.started) / 1000);
    return answer;
  }

  /** The value of the path, or of the one solution of the query. */
  #decisionOf(value: Value | undefined): Value {
    if (value === undefined) throw new CheckFailure('envoyauth_eval_error', 'undefined decision');
    if ('path' in this.#asked) return value;
    const solutions = value as readonly PlainObject[];
    if (solutions.length > 1) throw new CheckFailure('envoyauth_eval_error', 'multiple evaluation results');
    return solutions[0]![decisionVariable]!;
  }

  async #failed(check: Check, input: PlainObject, error: unknown): Promise<GrpcError> {
    if (error instanceof GrpcError) return error;
    const { reason, message } = failureOf(error, check.caller, this.#shown.query);
    this.#metrics?.fail(reason);
    check.asking.question.metrics?.since(timers.handler, check.caller.started);
    this.#log(() => check.asking.failed(() => message, { question: { input } }));
    await check.asking.shown;
    return new GrpcError(check.caller.isLate ? grpcCodes.deadlineExceeded : grpcCodes.unknown, message);
  }

  #encoded({ version }: Check, response: PlainObject): Answer {
    return this.#encode(response, version);
  }

  /** Throws a GrpcError where the event cannot be made. */
  #log(log: () => unknown): void {
    try {
      log();
    } catch (error) {
      this.#metrics?.fail('unknown_log_error');
      throw new GrpcError(grpcCodes.unknown, `logging the decision failed: ${(error as Error).message}`);
    }
  }
}

/** Throws a GrpcError. */
function decoded(version: ApiVersion, bytes: Uint8Array): PlainObject {
  try {
    return decodeCheck(version, bytes);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new GrpcError(grpcCodes.internal, `grpc: error unmarshalling request: ${error.message}`);
  }
}

function idOf({ id }: Check): PlainObject {
  return { dynamicMetadata: { decision_id: id } };
}

/**
 * A copy as JSON has it, which shares nothing with documents. Throws a JsonError for a value that
 * is too large.
 */
function jsonOf(value: Value): Value {
  return isObject(value) || (typeof value === 'object' && value !== null) ? parseJson(toJson(value)) : value;
}

const deadlineReached = 'eval_cancel_error: context deadline reached during query execution';

function failureOf(
  error: unknown,
  caller: CheckCaller,
  query: string | undefined,
): { readonly reason: string; readonly message: string } {
  if (error instanceof CheckFailure) return error;
  if (error instanceof ResultError) return { reason: 'envoyauth_result_error', message: error.message };
  if (error instanceof EvaluationError) {
    const isLate = error.code === 'eval_cancel_error' && caller.isLate;
    return { reason: error.code, message: isLate ? deadlineReached : error.message };
  }
  if (error instanceof CompileErrors && query !== undefined)
    return { reason: 'envoyauth_eval_error', message: queryProblem(error, query) };
  return { reason: 'envoyauth_eval_error', message: error instanceof Error ? error.message : String(error) };
}
