/** What the routes that decide have in common: options of an evaluation, and the decision log. */
import { Metrics } from '../runtime/engine/metrics.js';
import type { Decided, DecideOptions } from '../runtime/engine/policy-engine.js';
import type { PlainObject, Value } from '../runtime/values/value.js';
import { EvaluationError } from '../runtime/vm/errors.js';
import { apiErrorOf } from './api-error.js';
import type { Exchange } from './exchange.js';
import type { DecisionRecord } from './plugins/decision-log.js';
import type { Services } from './services.js';

/** The metrics of a request, undefined where nobody will see them. */
export function metricsOf(exchange: Exchange, { plugins }: Services): Metrics | undefined {
  return showsMetrics(exchange) || plugins.decisionLog !== undefined ? new Metrics() : undefined;
}

/** Whether the answer shows the metrics. */
export function showsMetrics({ params, search }: Exchange): boolean {
  return search !== '' && (params.on('metrics') || params.on('instrument'));
}

/** Options of requests without parameters, by method: most are such, and one object for all of them is made once. */
const plainOptions = new WeakMap<Services, Map<string, DecideOptions>>();

/** How a decision is evaluated, by the parameters of its request. `strict`: the endpoint knows `strict-builtin-errors`. */
export function decideOptions(exchange: Exchange, services: Services, metrics: Metrics | undefined, strict: boolean): DecideOptions {
  if (metrics !== undefined || exchange.search !== '' || services.plugins.decisionLog !== undefined)
    return optionsOf(exchange, services, metrics, strict);
  let byMethod = plainOptions.get(services);
  if (byMethod === undefined) plainOptions.set(services, (byMethod = new Map()));
  let options = byMethod.get(exchange.method);
  if (options === undefined) byMethod.set(exchange.method, (options = optionsOf(exchange, services, undefined, false)));
  return options;
}

function optionsOf(
  exchange: Exchange,
  { settings, logger, plugins }: Services,
  metrics: Metrics | undefined,
  strict: boolean,
): DecideOptions {
  const { params } = exchange;
  const strictBuiltinErrors = strict && params.on('strict-builtin-errors');
  return {
    metrics,
    timeMs: settings.evaluationTimeMs,
    instrument: params.on('instrument'),
    strictBuiltinErrors,
    cache: strictBuiltinErrors ? `${exchange.method} strict` : exchange.method,
    onPrint: (line) => logger.info(line),
    collectsNondeterministic: plugins.decisionLog?.wantsNondeterministic === true,
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

/** Logs a decision and answers its id, undefined where decisions are not logged. Called while the documents that it shows are as they were. */
export function logDecision(
  exchange: Exchange,
  services: Services,
  question: LoggedQuestion,
  decided: Pick<Decided, 'value' | 'bundles' | 'nondeterministic'>,
): string | undefined {
  const log = services.plugins.decisionLog;
  if (log === undefined) return undefined;
  const decisionId = log.newId();
  const { metrics, ...rest } = question;
  const { value, bundles, nondeterministic } = decided;
  void log.record({
    decisionId,
    ...rest,
    ...requestFields(exchange),
    result: value,
    bundles,
    nondeterministic,
    metrics: metrics?.toJson(),
  });
  return decisionId;
}

/** Logs a decision that ended in an error, and throws that on. */
export function failDecision(exchange: Exchange, services: Services, question: LoggedQuestion, thrown: unknown): never {
  const error = apiErrorOf(thrown);
  const log = services.plugins.decisionLog;
  if (log !== undefined) {
    const { metrics, ...rest } = question;
    // The evaluation's own error, not what the answer wraps it in.
    const logged = thrown instanceof EvaluationError ? (error.errors[0] as PlainObject) : error.toJson();
    const bundles = services.engine.bundles();
    void log.record({ decisionId: log.newId(), ...rest, ...requestFields(exchange), bundles, error: logged, metrics: metrics?.toJson() });
  }
  throw error;
}
