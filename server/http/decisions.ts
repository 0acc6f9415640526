/** Shared by the routes that decide: the options of an evaluation, and the decision log. */

import {
  type Answered,
  type AnswerNotes,
  type Asker,
  type AskerFields,
  Asking,
  type RuleLabels,
  recordedAnswers,
} from '../../engine/asking/asking.js';
import { evaluationErrorJson, type LoggedQuestion } from '../../engine/asking/logged-question.js';
import type { DecideOptions } from '../../engine/evaluation/decide-options.js';
import { Metrics } from '../../engine/evaluation/metrics.js';
import type { NdBuiltinCache } from '../../engine/evaluation/nd-builtin-cache.js';
import { EvaluationError } from '../../runtime/evaluation/evaluation-errors.js';
import type { Value } from '../../values/value.js';
import type { AppContext, Settings } from '../control/app-context.js';
import { requestLogFields } from '../observability/request-log.js';
import type { PreparedDocument } from './prepared-decisions.js';
import { bodyBytes } from './requests/body.js';
import type { Exchange } from './requests/exchange.js';
import { type ApiError, apiErrorOf } from './responses/api-error.js';

/** Built-ins that a client's query may not call: they send requests to other hosts. */
export const unsafeBuiltins: ReadonlySet<string> = new Set(['http.send']);

/** The metrics of a request; undefined where neither the answer nor a log shows them. */
export function metricsOf(exchange: Exchange, { plugins }: AppContext): Metrics | undefined {
  return showsMetrics(exchange) || plugins.decisionLog !== undefined ? new Metrics() : undefined;
}

/** Whether the answer shows the metrics. */
export function showsMetrics({ params, search }: Exchange): boolean {
  return search !== '' && (params.on('metrics') || params.on('instrument'));
}

/** Logs lines of `print`, with the place of the call and the request that it is made for. */
export function printsOf(exchange: Exchange, { logger }: AppContext): DecideOptions['onPrint'] {
  return (text, line) => logger.show(text, { ...requestLogFields(exchange), ...(line !== undefined && { line }) });
}

/** The options of decisions by default, for which no line of `print` is logged. */
export function plainOptions({ evaluationTimeMs }: Settings): DecideOptions {
  return { timeMs: evaluationTimeMs, timeIncludesPlanning: true, onPrint: () => true };
}

/** The metrics and results of built-ins that the decision of a request notes. */
export interface Notes {
  readonly metrics: Metrics | undefined;
  readonly answers: NdBuiltinCache | undefined;
}

/** Notes for a decision of the request, as far as its answer or a log shows them. */
export function notesOf(exchange: Exchange, context: AppContext): Notes {
  const answers = recordedAnswers(context.engine, context.plugins.decisionLog, showsLabels(exchange));
  return { metrics: metricsOf(exchange, context), answers };
}

/** The decision for a request's path, and the request's own options, if it has any. */
export interface AskedDecision extends PreparedDocument {
  readonly options: DecideOptions | undefined;
}

/**
 * The decision that a request asks for. Metrics tell whether it was asked for before by the same
 * method.
 * @param strict whether the endpoint knows `strict-builtin-errors`
 */
export function askedDecision(
  exchange: Exchange,
  context: AppContext,
  notes: Notes,
  strict: boolean,
  segmentsOf: () => readonly string[],
): AskedDecision {
  const { method, path, search, params, deadline } = exchange;
  const isLate = deadline.leftMs < context.settings.evaluationTimeMs;
  const isSilent = !context.logger.writes('info') && context.plugins.decisionLog === undefined;
  const isPlain = !isLate && notes.metrics === undefined && search === '' && isSilent;
  const name = strict && search !== '' && params.on('strict-builtin-errors') ? `${method} strict` : method;
  const document = context.decisions.at(name, path, segmentsOf);
  return { ...document, options: isPlain ? undefined : decideOptions(exchange, context, notes, strict) };
}

/** How a decision is evaluated, by the parameters of its request. */
export function decideOptions(
  exchange: Exchange,
  context: AppContext,
  { metrics, answers }: Partial<Notes>,
  strict: boolean,
): DecideOptions {
  const { params } = exchange;
  const strictBuiltinErrors = strict && params.on('strict-builtin-errors');
  return {
    metrics,
    timeMs: exchange.deadline.leftMs,
    timeIncludesPlanning: true,
    instrument: params.on('instrument'),
    strictBuiltinErrors,
    onPrint: printsOf(exchange, context),
    onNondeterministic: answers?.note,
  };
}

/** Whether the answer shows the labels of the rules that hold in its decision. */
function showsLabels({ params, search }: Exchange): boolean {
  return search !== '' && params.on('rule_labels');
}

/** Makes a decision with a span of its own, where the request is traced. */
export function tracedDecision<Result>(
  { span }: Exchange,
  path: string | undefined,
  decide: () => Promise<Result>,
): Promise<Result> {
  return span === undefined
    ? decide()
    : span.part('decision', path === undefined ? {} : { 'decision.path': path }, decide);
}

/** A request as the asker of a question. */
class Requester implements Asker {
  readonly #exchange: Exchange;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  get span(): Asker['span'] {
    return this.#exchange.span;
  }

  fields(): AskerFields {
    const { clientAddress, id, span } = this.#exchange;
    const headers = new Map([...this.#exchange.headers()].map(([name, values]) => [name.toLowerCase(), values]));
    return { requestedBy: clientAddress, requestId: id, headers, traceId: span?.traceId, spanId: span?.spanId };
  }

  bytes(): number {
    return bodyBytes(this.#exchange);
  }
}

/** A question of a request. */
export function askingOf(exchange: Exchange, context: AppContext, question: LoggedQuestion): Asking {
  return new Asking(context, context.plugins.decisionLog, new Requester(exchange), question);
}

/** The labels for the answer; undefined where it shows none. */
export function labelsOfAnswer(exchange: Exchange, asking: Asking): RuleLabels | undefined {
  return showsLabels(exchange) ? asking.labels() : undefined;
}

/**
 * Notes a decision's revision, logs it and returns its id; undefined where decisions are not
 * logged. It is called before the documents of the decision can change.
 */
export function logDecision(
  exchange: Exchange,
  asking: Asking,
  answered: Answered,
  notes?: AnswerNotes,
): string | undefined {
  exchange.saw(answered.revision);
  const id = asking.answered(answered, notes);
  awaitEvent(exchange, asking);
  return id;
}

/** Logs a decision that ended in an error, and throws the error. */
export function failDecision(exchange: Exchange, asking: Asking, thrown: unknown, notes?: AnswerNotes): never {
  const error = apiErrorOf(thrown);
  logFailure(exchange, asking, thrown, error, notes);
  throw error;
}

/** Logs a decision that ended in an error, and returns its id, like `logDecision`. */
export function logFailure(
  exchange: Exchange,
  asking: Asking,
  thrown: unknown,
  error: ApiError,
  notes?: AnswerNotes,
): string | undefined {
  const id = asking.failed(() => loggedError(error, thrown), notes);
  awaitEvent(exchange, asking);
  return id;
}

/** An answer waits until its event, which a decision may mask, is in a log that is shown. */
function awaitEvent(exchange: Exchange, { shown }: Asking): void {
  if (shown === undefined) return;
  const { logged } = exchange;
  exchange.logged = logged === undefined ? shown : logged.then(() => shown);
}

/** The error of the evaluation or the compiler, without the answer's envelope. */
function loggedError(error: ApiError, thrown: unknown): Value {
  if (thrown instanceof EvaluationError) return evaluationErrorJson(thrown);
  return error.errors.length > 0 ? error.errors : error.toJson();
}
