/** `/v1/compile`: the residual of a query with unknown parts of the input or of the data. */
import { CompileErrors, parseModule } from '../../../../compiler/index.js';
import { type PartialResult, partialDocument, timers } from '../../../../engine/index.js';
import type { AppContext } from '../../../control/app-context.js';
import { decideOptions, metricsOf, shownMetrics, unsafeBuiltins } from '../../decisions.js';
import { explainerOf, type Shown } from '../../explanations.js';
import { RequestAsking } from '../../request-asking.js';
import { compileRequestOf } from '../../requests/compile-request.js';
import type { Exchange } from '../../requests/exchange.js';
import { bodyAnswer, type HttpAnswer } from '../../responses/answer.js';
import { type ApiError, invalidParameter, moduleErrors, queryErrors } from '../../responses/api-error.js';
import { envelopeWith } from '../../responses/envelope.js';

export async function postCompile(exchange: Exchange, context: AppContext): Promise<HttpAnswer> {
  const metrics = metricsOf(exchange, context);
  const { asked, input } = await compileRequestOf(exchange, context.settings);
  const asking = new RequestAsking(exchange, context, { input, metrics, partial: asked });
  const explainer = explainerOf(exchange, context, metrics);
  const options = explainer.noting({ ...decideOptions(exchange, context, { metrics }, false), unsafeBuiltins });
  const use = (result: PartialResult) => {
    metrics?.since(timers.handler, exchange.started);
    const hold = () => context.engine.store.hold();
    const respond = ({ value, json }: Shown = {}) => {
      const parts = { explanation: value, metrics: shownMetrics(exchange, metrics), result: partialDocument(result) };
      return bodyAnswer(
        envelopeWith('explanation', json, parts, { pretty: exchange.params.on('pretty'), hold, exchange }),
      );
    };
    return explainer.explained({ partial: asked }, input, hold, respond);
  };
  try {
    return await asking.residual(asked, options, use);
  } catch (error) {
    if (!(error instanceof CompileErrors)) throw error;
    throw complaintsOf(error, asked.query as string);
  }
}

/** The errors of a query that is no query, or does not compile. */
export function complaintsOf(error: CompileErrors, query: string): ApiError {
  if (error.diagnostics.every(({ name }) => name === 'emptyQuery'))
    return invalidParameter("missing required 'query' value");
  if (!error.diagnostics.every(({ code }) => code === 'rego_parse_error')) return moduleErrors(error);
  const isTooLong = error.diagnostics.some(({ name }) => name === 'statementTooLong');
  const statement = isTooLong ? undefined : statementOf(query);
  if (statement === undefined) return queryErrors(error);
  return invalidParameter(`error(s) occurred while parsing query: expected body but got *ast.${statement}`);
}

/** Longer texts that are no query are not parsed again. */
const longestStatement = 4096;

/** The kind of a statement of a module that stands in the place of a query. */
function statementOf(text: string): 'Package' | 'Import' | 'Rule' | undefined {
  const [word] = /^\s*(?:package|import)\b/.exec(text) ?? [];
  if (word !== undefined) return word.trim() === 'package' ? 'Package' : 'Import';
  if (text.length > longestStatement) return undefined;
  try {
    return parseModule('', `package a\n${text}`).rules.length > 0 ? 'Rule' : undefined;
  } catch {
    return undefined;
  }
}
