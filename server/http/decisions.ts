/** Options and notes of the decisions that routes ask for. */

import { type DecideOptions, Metrics, type NdBuiltinCache, recordedAnswers } from '../../engine/index.js';
import type { PlainObject } from '../../values/index.js';
import type { AppContext, Settings } from '../control/app-context.js';
import { requestLogFields } from '../observability/request-log.js';
import type { PreparedDocument } from './prepared-decisions.js';
import type { Exchange } from './requests/exchange.js';

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

/** The metrics for the answer; undefined where it shows none. */
export function shownMetrics(exchange: Exchange, metrics: Metrics | undefined): PlainObject | undefined {
  return metrics !== undefined && showsMetrics(exchange) ? metrics.toJson() : undefined;
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
export function notesOfRequest(exchange: Exchange, context: AppContext): Notes {
  const answers = recordedAnswers(context.engine, context.plugins.decisionLog, showsLabels(exchange));
  return { metrics: metricsOf(exchange, context), answers };
}

/** The decision for a request's path, and the request's own options, if it has any. */
export interface RequestedDecision extends PreparedDocument {
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
): RequestedDecision {
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
export function showsLabels({ params, search }: Exchange): boolean {
  return search !== '' && params.on('rule_labels');
}
