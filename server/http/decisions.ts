/** What the routes that decide have in common: options of an evaluation, and the decision log. */

import { Metrics } from '../../engine/evaluation/metrics.js';
import { NdBuiltinCache } from '../../engine/evaluation/nd-builtin-cache.js';
import type { Decided, DecideOptions } from '../../engine/policy-engine.js';
import { EvaluationError } from '../../runtime/evaluation/errors.js';
import type { Value } from '../../runtime/values/value.js';
import type { AppContext } from '../control/app-context.js';
import type { DecisionRecord } from '../plugins/decision-log/decision-log.js';
import { type ApiError, apiErrorOf } from './api-error.js';
import type { Exchange } from './exchange.js';

/** The metrics of a request, undefined where nobody will see them. */
export function metricsOf(exchange: Exchange, { plugins }: AppContext): Metrics | undefined {
  return showsMetrics(exchange) || plugins.decisionLog !== undefined ? new Metrics() : undefined;
}

/** Whether the answer shows the metrics. */
export function showsMetrics({ params, search }: Exchange): boolean {
  return search !== '' && (params.on('metrics') || params.on('instrument'));
}

/** Options of requests without parameters, by method: most are such, and one object for all of them is made once. */
const plainOptions = new WeakMap<AppContext, Map<string, DecideOptions>>();

/** How a decision is evaluated, by the parameters of its request. `strict`: the endpoint knows `strict-builtin-errors`. */
export function decideOptions(exchange: Exchange, context: AppContext, metrics: Metrics | undefined, strict: boolean): DecideOptions {
  const isLate = exchange.deadline.leftMs < context.settings.evaluationTimeMs;
  if (isLate || metrics !== undefined || exchange.search !== '' || context.plugins.decisionLog !== undefined)
    return optionsOf(exchange, context, metrics, strict);
  let byMethod = plainOptions.get(context);
  if (byMethod === undefined) plainOptions.set(context, (byMethod = new Map()));
  let options = byMethod.get(exchange.method);
  if (options === undefined) byMethod.set(exchange.method, (options = optionsOf(exchange, context, undefined, false)));
  return options;
}

function optionsOf(exchange: Exchange, { logger, plugins }: AppContext, metrics: Metrics | undefined, strict: boolean): DecideOptions {
  const { params } = exchange;
  const strictBuiltinErrors = strict && params.on('strict-builtin-errors');
  if (plugins.decisionLog?.wantsNondeterministic === true) exchange.answers = new NdBuiltinCache();
  return {
    metrics,
    timeMs: exchange.deadline.leftMs,
    instrument: params.on('instrument'),
    strictBuiltinErrors,
    cache: strictBuiltinErrors ? `${exchange.method} strict` : exchange.method,
    onPrint: (line) => logger.info(line),
    onNondeterministic: exchange.answers?.note,
  };
}

/** What a log tells of a decision's request. */
function requestFields(exchange: Exchange): Pick<DecisionRecord, 'requestedBy' | 'requestId' | 'headers'> {
  const headers = new Map([...exchange.headers()].map(([name, values]) => [name.toLowerCase(), values]));
  return { requestedBy: exchange.clientAddress, requestId: exchange.id, headers };
}

export interface LoggedQuestion {
  readonly path?: string;
  readonly query?: string;
  readonly input: Value | undefined;
  readonly metrics: Metrics | undefined;
}

/**
 * Logs a decision and answers its id, undefined where decisions are not logged. Called while the documents that it shows are as they were.
 * @param error where the answer is one although nothing failed
 */
export function logDecision(
  exchange: Exchange,
  context: AppContext,
  question: LoggedQuestion,
  { value, bundles }: Pick<Decided, 'value' | 'bundles'>,
  error?: ApiError,
): string | undefined {
  const log = context.plugins.decisionLog;
  if (log === undefined) return undefined;
  const decisionId = log.newId();
  const { metrics, ...rest } = question;
  void log.record({
    decisionId,
    ...rest,
    ...requestFields(exchange),
    result: value,
    error: error?.toJson(),
    bundles,
    nondeterministic: exchange.answers?.toJson(),
    metrics: metrics?.toJson(),
  });
  return decisionId;
}

/** Logs a decision that ended in an error, and throws that on. */
export function failDecision(exchange: Exchange, context: AppContext, question: LoggedQuestion, thrown: unknown): never {
  const error = apiErrorOf(thrown);
  const log = context.plugins.decisionLog;
  if (log !== undefined) {
    const { metrics, ...rest } = question;
    void log.record({
      decisionId: log.newId(),
      ...rest,
      ...requestFields(exchange),
      bundles: context.engine.bundles(),
      error: loggedError(error, thrown),
      nondeterministic: exchange.answers?.toJson(),
      metrics: metrics?.toJson(),
    });
  }
  throw error;
}

/** What the evaluation or the compiler said, not what the answer wraps it in. */
function loggedError(error: ApiError, thrown: unknown): Value {
  if (thrown instanceof EvaluationError) return error.errors[0]!;
  return error.errors.length > 0 ? error.errors : error.toJson();
}
