/** `/v1/query`: the solutions of an ad-hoc query. */
import { CompileErrors, parseQuery, printBody } from '../../../compiler/index.js';
import { type Decided, timers, withLabels } from '../../../engine/index.js';
import { isObject, type PlainObject, type Value } from '../../../values/index.js';
import type { AppContext, Settings } from '../../control/app-context.js';
import { decideOptions, type Notes, notesOfRequest, shownMetrics, unsafeBuiltins } from '../decisions.js';
import { explainerOf, type Shown } from '../explanations.js';
import { RequestAsking } from '../request-asking.js';
import { firstJsonOf } from '../requests/document.js';
import type { Exchange } from '../requests/exchange.js';
import { memberOf } from '../requests/input.js';
import { bodyAnswer, type HttpAnswer } from '../responses/answer.js';
import { complaintsOfQuery, invalidParameter, MalformedBody } from '../responses/api-error.js';
import { envelopeWith } from '../responses/envelope.js';
import { watchQuery } from '../watches/watched-query.js';

export async function getQuery(exchange: Exchange, context: AppContext): Promise<HttpAnswer> {
  const text = exchange.params.get('q');
  if (text === undefined) throw invalidParameter("missing parameter 'q'");
  return await answer(exchange, context, text, undefined, notesOfRequest(exchange, context));
}

export async function postQuery(exchange: Exchange, context: AppContext): Promise<HttpAnswer> {
  const { query, input } = await fieldsOf(exchange, context.settings);
  return await answer(exchange, context, query, input, notesOfRequest(exchange, context));
}

/** Reads JSON of any content type. Rejects with an ApiError. */
async function fieldsOf(
  exchange: Exchange,
  { limits }: Settings,
): Promise<{ readonly query: string; readonly input: Value | undefined }> {
  let body: Value;
  try {
    body = await firstJsonOf(exchange, limits);
  } catch (error) {
    if (!(error instanceof MalformedBody)) throw error;
    throw invalidParameter(`error(s) occurred while decoding request: ${error.message}`);
  }
  if (body === null) return { query: '', input: undefined };
  if (!isObject(body)) throw invalidParameter('error(s) occurred while decoding request: the body must be an object');
  const query = memberOf(body as PlainObject, 'query') ?? '';
  if (typeof query !== 'string')
    throw invalidParameter('error(s) occurred while decoding request: query must be a string');
  return { query, input: memberOf(body as PlainObject, 'input') };
}

async function answer(
  exchange: Exchange,
  context: AppContext,
  query: string,
  input: Value | undefined,
  notes: Notes,
): Promise<HttpAnswer> {
  // The reference ignores the parameter: a client that gives no value expects an answer that ends.
  if (exchange.params.get('watch')?.toLowerCase() === 'true') return await watchQuery(exchange, context, query, input);
  const { metrics } = notes;
  const asking = new RequestAsking(exchange, context, {
    query: context.plugins.decisionLog === undefined ? query : printed(query),
    input,
    ...notes,
  });
  const explainer = explainerOf(exchange, context, metrics);
  const options = explainer.noting({ ...decideOptions(exchange, context, notes, false), unsafeBuiltins });
  const use = (solutions: readonly PlainObject[], { bundles, revision, hold }: Omit<Decided, 'value'>) => {
    if (exchange.method === 'POST') metrics?.since(timers.handler, exchange.started);
    const result = solutions.length === 0 ? undefined : solutions;
    const labels = asking.labelsOfAnswer;
    asking.answered({ value: result ?? null, bundles, revision, hold }, { labels });
    const respondWith = ({ value, json }: Shown, ruleLabels?: readonly PlainObject[]) => {
      const parts = { explanation: value, metrics: shownMetrics(exchange, metrics), result, rule_labels: ruleLabels };
      const writing = { pretty: exchange.params.on('pretty'), hold, exchange };
      return bodyAnswer(envelopeWith('explanation', json, parts, writing));
    };
    const respond = (explanation: Shown = {}) =>
      labels === undefined
        ? respondWith(explanation)
        : withLabels(labels, hold, (found) => respondWith(explanation, found));
    const program = { asked: 'a query', as: 'solution' as const, value: result && true };
    return explainer.explained({ query }, input, hold, respond, program);
  };
  const fail = (thrown: unknown) => {
    if (!(thrown instanceof CompileErrors)) return asking.fail(thrown);
    // A text that is no query is not logged as a decision.
    const complaints = complaintsOfQuery(thrown);
    if (thrown.diagnostics.every(({ code }) => code === 'rego_parse_error')) throw complaints;
    return asking.fail(complaints);
  };
  return await asking.within(undefined, () => context.engine.query(query, input, options, use, exchange), fail);
}

/** Longer queries are logged as they were written: parsing takes one step. */
const longestPrinted = 4096;

/** A query in the canonical layout, for the log. */
function printed(query: string): string {
  if (query.length > longestPrinted) return query;
  try {
    return printBody(parseQuery(query));
  } catch {
    return query;
  }
}
