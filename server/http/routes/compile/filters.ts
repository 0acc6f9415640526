/** `/v1/compile/<path>`: data filters. */
import type { Filtered, FilterProblem } from '../../../../engine/index.js';
import { FilterError, filter, filterAnswer, filterFields, timers, withoutMaskRule } from '../../../../engine/index.js';
import type { PlainObject, Value } from '../../../../values/index.js';
import type { AppContext } from '../../../control/app-context.js';
import { decideOptions, notesOfRequest, shownMetrics } from '../../decisions.js';
import { RequestAsking } from '../../request-asking.js';
import type { Exchange } from '../../requests/exchange.js';
import { type FilterRequest, filterRequestOf } from '../../requests/filter-request.js';
import { segmentsAfter } from '../../requests/path.js';
import { type HttpAnswer, textAnswer } from '../../responses/answer.js';
import { ApiError } from '../../responses/api-error.js';
import { envelope } from '../../responses/envelope.js';

export async function compileFilters(exchange: Exchange, context: AppContext): Promise<HttpAnswer> {
  const { engine, settings } = context;
  const request = await filterRequestOf(exchange, settings);
  // A slash in a segment, even an escaped one, separates names.
  const path = segmentsAfter('/v1/compile', exchange.path).flatMap((segment) => segment.split('/'));
  const notes = notesOfRequest(exchange, context);
  const { metrics } = notes;
  const options = decideOptions(exchange, context, notes, false);
  const asking = new RequestAsking(exchange, context, { path: path.join('/'), input: request.input, ...notes });
  const answer = (found: Filtered): HttpAnswer => {
    checkMaskRule(found, request, context);
    const result = resultOf(found, request);
    metrics?.since(timers.handler, exchange.started);
    const { active: bundles, revision } = found.version;
    const custom = filterFields(request.unknowns, request.options, found);
    asking.answered({ value: result, bundles, revision }, { question: { partial: found.asked, custom } });
    const hints = found.hints.length > 0 ? (found.hints as unknown as Value) : undefined;
    const parts = { result, hints, metrics: shownMetrics(exchange, metrics) };
    return textAnswer(200, envelope(parts, exchange.params.on('pretty')), exchange.header('accept'));
  };
  try {
    return await filter(engine, { ...request, path }, options, answer, { caller: exchange });
  } catch (error) {
    const refused = error instanceof FilterError ? refusal(error) : error;
    return asking.fail(refused, { question: { custom: filterFields(request.unknowns, request.options) } });
  }
}

/** A client may name masks that only some policies have; an annotation is of the policy itself. */
function checkMaskRule({ missingMaskRule }: Filtered, { maskRule }: FilterRequest, { logger }: AppContext): void {
  if (missingMaskRule === undefined) return;
  const error = withoutMaskRule(missingMaskRule);
  if (maskRule === undefined) throw error;
  logger.warn(`The filter has no masks: ${error.message}.`);
}

function refusal({ problems }: FilterError): ApiError {
  return new ApiError(400, 'evaluation_error', 'error(s) occurred while evaluating query', problems.map(problemJson));
}

/** Where no rows are allowed: undefined, or no target of several. */
function resultOf(found: Filtered, { targets, isMultiple }: FilterRequest): PlainObject | undefined {
  const [first] = targets;
  if (!isMultiple && first !== undefined) return filterAnswer(found, first);
  const results = targets.flatMap((named) => {
    const { kind, dialect } = named.target;
    const answer = filterAnswer(found, named);
    return answer === undefined ? [] : [[kind === 'ucast' ? kind : dialect, answer] as const];
  });
  return Object.fromEntries(results);
}

function problemJson({ code, message, location, details }: FilterProblem): Value {
  return {
    code,
    message,
    ...(location !== undefined && { location: { ...location } }),
    ...(details !== undefined && { details: { details } }),
  };
}
