/** Shared by the routes that decide: the options of an evaluation, and the decision log. */

import type { Decided, DecideOptions } from '../../engine/evaluation/decide-options.js';
import { Metrics } from '../../engine/evaluation/metrics.js';
import { NdBuiltinCache } from '../../engine/evaluation/nd-builtin-cache.js';
import { EvaluationError } from '../../runtime/evaluation/evaluation-errors.js';
import type { DecisionLogPlugin, LabelSearch } from '../../services/decision-log/decision-log.js';
import type { DecisionRecord } from '../../services/decision-log/event.js';
import {
  evaluationErrorJson,
  type LoggedQuestion,
  labelSearch,
  questionFields,
} from '../../services/decision-log/logged-question.js';
import type { PlainObject, Value } from '../../values/value.js';
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
  metrics: Metrics | undefined,
  strict: boolean,
  segmentsOf: () => readonly string[],
): AskedDecision {
  const { method, path, search, params, deadline } = exchange;
  const isLate = deadline.leftMs < context.settings.evaluationTimeMs;
  const isSilent = !context.logger.writes('info') && context.plugins.decisionLog === undefined;
  const isPlain = !isLate && metrics === undefined && search === '' && isSilent;
  const name = strict && search !== '' && params.on('strict-builtin-errors') ? `${method} strict` : method;
  const document = context.decisions.at(name, path, segmentsOf);
  return { ...document, options: isPlain ? undefined : decideOptions(exchange, context, metrics, strict) };
}

/** How a decision is evaluated, by the parameters of its request. */
export function decideOptions(
  exchange: Exchange,
  context: AppContext,
  metrics: Metrics | undefined,
  strict: boolean,
): DecideOptions {
  const { params } = exchange;
  const strictBuiltinErrors = strict && params.on('strict-builtin-errors');
  if (notesAnswers(exchange, context)) exchange.answers = new NdBuiltinCache();
  return {
    metrics,
    timeMs: exchange.deadline.leftMs,
    timeIncludesPlanning: true,
    instrument: params.on('instrument'),
    strictBuiltinErrors,
    onPrint: printsOf(exchange, context),
    onNondeterministic: exchange.answers?.note,
  };
}

/** Whether results of non-deterministic built-ins are wanted: for the log, or for labels. */
export function notesAnswers(exchange: Exchange, { plugins: { decisionLog }, engine }: AppContext): boolean {
  if (decisionLog?.wantsNondeterministic === true) return true;
  return engine.mayHaveRuleLabels && (decisionLog !== undefined || showsLabels(exchange));
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

type RequestFields = Pick<DecisionRecord, 'requestedBy' | 'requestId' | 'headers' | 'traceId' | 'spanId'>;

/** The fields of a log event that describe the request. */
export function requestFields(exchange: Exchange): RequestFields {
  const headers = new Map([...exchange.headers()].map(([name, values]) => [name.toLowerCase(), values]));
  const { span } = exchange;
  return {
    requestedBy: exchange.clientAddress,
    requestId: exchange.id,
    headers,
    traceId: span?.traceId,
    spanId: span?.spanId,
  };
}

/**
 * Notes a decision's revision, logs it and returns its id; undefined where decisions are not
 * logged. It is called before the documents of the decision can change.
 */
export function logDecision(
  exchange: Exchange,
  context: AppContext,
  question: LoggedQuestion,
  { value, bundles, revision }: Omit<Decided, 'hold'>,
  { error, labels }: LoggedAnswer = {},
): string | undefined {
  exchange.saw(revision);
  const log = context.plugins.decisionLog;
  if (log === undefined) return undefined;
  const decisionId = newDecisionId(log, exchange, question);
  const fields = {
    decisionId,
    ...fieldsOf(exchange, question),
    result: value,
    error: error?.toJson(),
    bundles,
    revision,
  };
  const search = labelsOf(exchange, context, question);
  const known = labels && search && { ...search, find: (use: FindUse) => labels.then(use) };
  noteRecord(exchange, log, log.record(fields, known ?? search));
  return decisionId;
}

interface LoggedAnswer {
  /** The answer, where it is an error although the evaluation succeeded. */
  readonly error?: ApiError | undefined;
  readonly labels?: LabelsOfAnswer | undefined;
}

/** The labels that an answer shows. Never rejects. */
type LabelsOfAnswer = Promise<readonly PlainObject[] | undefined>;

type FindUse = Parameters<LabelSearch['find']>[0];

/**
 * The labels for the answer; undefined where it shows none. Called before the documents of the
 * decision can change.
 */
export function labelsOfAnswer(
  exchange: Exchange,
  context: AppContext,
  question: LoggedQuestion,
): LabelsOfAnswer | undefined {
  if (!showsLabels(exchange) || !context.engine.mayHaveRuleLabels) return undefined;
  const search = labelsOf(exchange, context, question);
  return (
    search &&
    new Promise((resolve) => void search.find(async (labels) => resolve(labels?.length === 0 ? undefined : labels)))
  );
}

/** Answers once the labels are known. The documents do not change until then. */
export async function withLabels<T>(
  labels: LabelsOfAnswer | undefined,
  hold: Decided['hold'],
  respond: (labels: readonly PlainObject[] | undefined) => T | Promise<T>,
): Promise<T> {
  const held = hold();
  try {
    return await respond(await labels);
  } finally {
    held.release();
  }
}

/** Logs a decision that ended in an error, and throws the error. */
export function failDecision(
  exchange: Exchange,
  context: AppContext,
  question: LoggedQuestion,
  thrown: unknown,
): never {
  const error = apiErrorOf(thrown);
  logFailure(exchange, context, question, thrown, error);
  throw error;
}

/** Logs a decision that ended in an error, and returns its id, like `logDecision`. */
export function logFailure(
  exchange: Exchange,
  { plugins, engine }: AppContext,
  question: LoggedQuestion,
  thrown: unknown,
  error: ApiError,
): string | undefined {
  const log = plugins.decisionLog;
  if (log === undefined) return undefined;
  const decisionId = newDecisionId(log, exchange, question);
  const { active, revision } = engine.version;
  const fields = {
    decisionId,
    ...fieldsOf(exchange, question),
    bundles: active,
    revision,
    error: loggedError(error, thrown),
  };
  noteRecord(exchange, log, log.record(fields));
  return decisionId;
}

/** An answer waits until its event, which a decision may mask, is in a log that is shown. */
function noteRecord(exchange: Exchange, log: DecisionLogPlugin, recorded: Promise<void>): void {
  if (!log.isShown) return;
  const { logged } = exchange;
  exchange.logged = logged === undefined ? recorded : logged.then(() => recorded);
}

/** The span of a request has the id of its decision, under the reference's name. */
function newDecisionId(log: DecisionLogPlugin, { span }: Exchange, { batchDecisionId }: LoggedQuestion): string {
  const id = log.newId();
  if (batchDecisionId === undefined) span?.set('opa.decision_id', id);
  return id;
}

function labelsOf(exchange: Exchange, context: AppContext, question: LoggedQuestion): LabelSearch | undefined {
  if (!context.engine.mayHaveRuleLabels) return undefined;
  return labelSearch(noted(exchange, question), context, bodyBytes(exchange));
}

/** A question without recorded results of its own has those of its request. */
function noted({ answers }: Exchange, question: LoggedQuestion): LoggedQuestion {
  return question.answers === undefined ? { ...question, answers } : question;
}

function fieldsOf(exchange: Exchange, question: LoggedQuestion): Omit<DecisionRecord, 'decisionId'> {
  return { ...questionFields(noted(exchange, question)), ...requestFields(exchange) };
}

/** The error of the evaluation or the compiler, without the answer's envelope. */
function loggedError(error: ApiError, thrown: unknown): Value {
  if (thrown instanceof EvaluationError) return evaluationErrorJson(thrown);
  return error.errors.length > 0 ? error.errors : error.toJson();
}
