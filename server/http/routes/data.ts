/** `GET` and `POST /v1/data`: decisions in their envelope. */

import type { Decided } from '../../../engine/evaluation/caller.js';
import { type Metrics, timers } from '../../../engine/evaluation/metrics.js';
import { JsonError, toJson } from '../../../runtime/values/json/json.js';
import type { Value } from '../../../runtime/values/value.js';
import type { AppContext } from '../../control/app-context.js';
import { askedDecision, failDecision, type LoggedQuestion, logDecision, metricsOf, showsMetrics } from '../decisions.js';
import { Explainer, type Shown } from '../explanations.js';
import type { Exchange } from '../requests/exchange.js';
import { inputOfEnvelope, inputOfParameter } from '../requests/input.js';
import { documentSegments } from '../requests/path.js';
import { refuseUnsupported } from '../requests/unsupported.js';
import { type Answer, textAnswer } from '../responses/answer.js';
import { envelopeOf, envelopeWith } from '../responses/envelope.js';
import { provenance } from '../responses/provenance.js';
import { decideWithWhy, whyRequest } from '../why.js';

const noInput = { code: 'api_usage_warning', message: "'input' key missing from the request" };

export async function getData(exchange: Exchange, context: AppContext): Promise<Answer> {
  const metrics = metricsOf(exchange, context);
  const parsing = performance.now();
  const input = await inputOfParameter(exchange);
  metrics?.since(timers.inputParse, parsing);
  return await decide(exchange, context, input, metrics, undefined);
}

export async function postData(exchange: Exchange, context: AppContext): Promise<Answer> {
  const metrics = metricsOf(exchange, context);
  const parsing = metrics === undefined ? 0 : performance.now();
  const input = await inputOfEnvelope(exchange, context.settings);
  metrics?.since(timers.inputParse, parsing);
  return await decide(exchange, context, input, metrics, input === undefined ? noInput : undefined);
}

async function decide(
  exchange: Exchange,
  context: AppContext,
  input: Value | undefined,
  metrics: Metrics | undefined,
  warning: Value | undefined,
): Promise<Answer> {
  if (exchange.search !== '') refuseUnsupported(exchange);
  const explainer = exchange.search === '' ? undefined : Explainer.of(exchange, context, metrics);
  const asked = askedDecision(exchange, context, metrics, true, () => documentSegments('/v1/data', exchange.path));
  const question: LoggedQuestion = { path: asked.text, input, metrics };
  const why = whyRequest(exchange, context);
  const answer = (decided: Decided, logged = question, reasons?: Value) => {
    metrics?.since(timers.handler, exchange.started);
    const id = logDecision(exchange, context, logged, decided);
    const respond = (explanation: Shown = { value: reasons }) => {
      const body = bodyOf(exchange, decided, { metrics, warning, id, explanation });
      return typeof body === 'string' ? textAnswer(200, body) : body.then((bytes) => textAnswer(200, bytes));
    };
    const isExplained = explainer !== undefined && (decided.value !== undefined || explainer.mode === 'full');
    return isExplained ? explainer.explained({ path: asked.path }, input, decided.hold, respond) : respond();
  };
  const options = explainer === undefined ? asked.options : explainer.noting(asked.options!);
  if (why !== undefined) return await decideWithWhy(exchange, context, why, asked, question, answer);
  try {
    return await asked.decision.decide(input, answer, exchange, options);
  } catch (error) {
    return failDecision(exchange, context, question, error);
  }
}

/** What stands beside a result. */
interface Beside {
  readonly metrics: Metrics | undefined;
  readonly warning: Value | undefined;
  readonly id: string | undefined;
  readonly explanation: Shown;
}

function bodyOf(
  exchange: Exchange,
  { value, bundles, hold }: Decided,
  { metrics, warning, id, explanation }: Beside,
): string | Promise<Uint8Array> {
  // Most answers have no member but the result.
  if (exchange.search === '' && warning === undefined && id === undefined) return resultText(value, exchange, hold);
  const { params } = exchange;
  const pretty = params.on('pretty');
  const shown = showsMetrics(exchange) ? metrics : undefined;
  const wantsProvenance = params.on('provenance');
  return envelopeWith(
    'explanation',
    explanation.json,
    {
      decision_id: id,
      provenance: wantsProvenance ? provenance(bundles) : undefined,
      explanation: explanation.value,
      metrics: shown?.toJson(),
      result: value,
      warning,
    },
    { pretty, hold, exchange },
  );
}

/** Most answers have fewer values. */
const fewValues = 1000;

function resultText(value: Value | undefined, exchange: Exchange, hold: Decided['hold']): string | Promise<Uint8Array> {
  if (value === undefined) return '{}\n';
  try {
    return `{"result":${toJson(value, fewValues)}}\n`;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return envelopeOf({ result: value }, { pretty: false, hold, exchange });
  }
}
