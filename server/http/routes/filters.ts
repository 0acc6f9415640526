/** `/v1/compile/<path>`: data filters. */
import { timers } from '../../../engine/evaluation/metrics.js';
import { type Filtered, filter } from '../../../engine/filters/filter.js';
import { FilterError, type FilterProblem } from '../../../query/filters/filter-error.js';
import { sqlParts, sqlText } from '../../../query/filters/sql/write.js';
import { ucastOf } from '../../../query/filters/ucast.js';
import type { PlainObject, Value } from '../../../values/value.js';
import type { AppContext } from '../../control/app-context.js';
import { decideOptions, metricsOf, showsMetrics } from '../decisions.js';
import type { Exchange } from '../requests/exchange.js';
import { type FilterRequest, filterRequestOf } from '../requests/filter-request.js';
import { segmentsAfter } from '../requests/path.js';
import { type Answer, textAnswer } from '../responses/answer.js';
import { ApiError } from '../responses/api-error.js';
import { envelope } from '../responses/envelope.js';

export async function compileFilters(exchange: Exchange, context: AppContext): Promise<Answer> {
  const { engine, settings } = context;
  const request = await filterRequestOf(exchange, settings);
  // A slash in a segment, even an escaped one, separates names.
  const path = segmentsAfter('/v1/compile', exchange.path).flatMap((segment) => segment.split('/'));
  const metrics = showsMetrics(exchange) ? metricsOf(exchange, context) : undefined;
  const options = decideOptions(exchange, context, metrics, false);
  try {
    const answer = (found: Filtered): Answer => {
      const result = resultOf(found, request);
      metrics?.since(timers.handler, exchange.started);
      const hints = found.hints.length > 0 ? (found.hints as unknown as Value) : undefined;
      const body = envelope({ result, hints, metrics: metrics?.toJson() }, exchange.params.on('pretty'));
      return textAnswer(200, body, exchange.header('accept'));
    };
    return await filter(engine, { ...request, path }, options, answer, { caller: exchange });
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    throw new ApiError(400, 'evaluation_error', 'error(s) occurred while evaluating query', error.problems.map(problemJson));
  }
}

/** Where no rows are allowed: undefined, or no target of several. */
function resultOf({ condition, masks }: Filtered, { targets, isMultiple }: FilterRequest): PlainObject | undefined {
  if (condition.type === 'constant' && !condition.holds) return isMultiple ? {} : undefined;
  const results = targets.map((named): readonly [string, PlainObject] => {
    const { kind, dialect } = named.target;
    const isAlways = condition.type === 'constant';
    const query = kind === 'ucast' ? ucastOf(condition, named) : isAlways ? '' : `WHERE ${sqlText(sqlParts(condition, named))}`;
    return [kind === 'ucast' ? kind : dialect, { query, ...(masks !== undefined && { masks }) }];
  });
  return isMultiple ? Object.fromEntries(results) : results[0]![1];
}

function problemJson({ code, message, location, details }: FilterProblem): Value {
  return {
    code,
    message,
    ...(location !== undefined && { location: { ...location } }),
    ...(details !== undefined && { details: { details } }),
  };
}
