/** `/v1/query`: the solutions of an ad-hoc query. */
import { printBody } from '../../../compiler/ast/print.js';
import { CompileErrors } from '../../../compiler/diagnostics/diagnostics.js';
import { parseQuery } from '../../../compiler/syntax/query.js';
import { withLabels } from '../../../engine/asking/asking.js';
import { timers } from '../../../engine/evaluation/metrics.js';
import { isObject, type PlainObject, type Value } from '../../../values/value.js';
import type { AppContext, Settings } from '../../control/app-context.js';
import {
  askingOf,
  decideOptions,
  failDecision,
  labelsOfAnswer,
  logDecision,
  type Notes,
  notesOf,
  showsMetrics,
  tracedDecision,
  unsafeBuiltins,
} from '../decisions.js';
import { firstJsonOf } from '../requests/document.js';
import type { Exchange } from '../requests/exchange.js';
import { memberOf } from '../requests/input.js';
import { type Answer, textAnswer } from '../responses/answer.js';
import { complaintsOfQuery, invalidParameter, MalformedBody } from '../responses/api-error.js';
import { envelopeWith } from '../responses/envelope.js';
import { Explainer, type Shown } from '../traces.js';
import { watchQuery } from '../watches/watched-query.js';

export async function getQuery(exchange: Exchange, context: AppContext): Promise<Answer> {
  const text = exchange.params.get('q');
  if (text === undefined) throw invalidParameter("missing parameter 'q'");
  return await answer(exchange, context, text, undefined, notesOf(exchange, context));
}

export async function postQuery(exchange: Exchange, context: AppContext): Promise<Answer> {
  const { query, input } = await fieldsOf(exchange, context.settings);
  return await answer(exchange, context, query, input, notesOf(exchange, context));
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
): Promise<Answer> {
  // The reference ignores the parameter: a client that gives no value expects an answer that ends.
  if (exchange.params.get('watch')?.toLowerCase() === 'true') return await watchQuery(exchange, context, query, input);
  const { metrics } = notes;
  const asking = askingOf(exchange, context, {
    query: context.plugins.decisionLog === undefined ? query : printed(query),
    input,
    ...notes,
  });
  const explainer = Explainer.of(exchange, context, metrics);
  const plain = { ...decideOptions(exchange, context, notes, false), unsafeBuiltins };
  const options = explainer === undefined ? plain : explainer.noting(plain);
  const { engine } = context;
  try {
    return await tracedDecision(exchange, undefined, () =>
      engine.query(
        query,
        input,
        options,
        (solutions, { bundles, revision, hold }) => {
          if (exchange.method === 'POST') metrics?.since(timers.handler, exchange.started);
          const result = solutions.length === 0 ? undefined : solutions;
          const labels = labelsOfAnswer(exchange, asking);
          logDecision(exchange, asking, { value: result ?? null, bundles, revision }, { labels });
          const respondWith = (explanation: Shown, ruleLabels?: readonly PlainObject[]) => {
            const shown = showsMetrics(exchange) ? metrics?.toJson() : undefined;
            const parts = { explanation: explanation.value, metrics: shown, result, rule_labels: ruleLabels };
            const body = envelopeWith('explanation', explanation.json, parts, {
              pretty: exchange.params.on('pretty'),
              hold,
              exchange,
            });
            return typeof body === 'string' ? textAnswer(200, body) : body.then((bytes) => textAnswer(200, bytes));
          };
          const respond = (explanation: Shown = {}) =>
            labels === undefined
              ? respondWith(explanation)
              : withLabels(labels, hold, (found) => respondWith(explanation, found));
          const program = { asked: 'a query', as: 'solution' as const, value: result && true };
          return explainer === undefined ? respond() : explainer.explained({ query }, input, hold, respond, program);
        },
        exchange,
      ),
    );
  } catch (error) {
    if (!(error instanceof CompileErrors)) return failDecision(exchange, asking, error);
    // A text that is no query is not logged as a decision.
    const complaints = complaintsOfQuery(error);
    if (error.diagnostics.every(({ code }) => code === 'rego_parse_error')) throw complaints;
    return failDecision(exchange, asking, complaints);
  }
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
