/** `GET` and `POST /v1/data`: decisions in their envelope. */

import type { Decided } from '../../../engine/evaluation/decide-options.js';
import { type Metrics, timers } from '../../../engine/evaluation/metrics.js';
import { missingName, missingText } from '../../../engine/paths/missing-path.js';
import type { LoggedQuestion } from '../../../services/decision-log/logged-question.js';
import type { PlainObject, Value } from '../../../values/value.js';
import type { AppContext } from '../../control/app-context.js';
import {
  askedDecision,
  failDecision,
  labelsOfAnswer,
  logDecision,
  metricsOf,
  tracedDecision,
  withLabels,
} from '../decisions.js';
import { documentTag, isKnown, notModified } from '../etags.js';
import { passGate } from '../pass-gate.js';
import type { Exchange } from '../requests/exchange.js';
import { type Envelope, envelopeOf, inputOfParameter } from '../requests/input.js';
import { misspeltIn } from '../requests/misspelt-parameter.js';
import { documentSegments } from '../requests/path.js';
import { type Answer, textAnswer } from '../responses/answer.js';
import { decisionBody } from '../responses/decision-body.js';
import { Explainer, type Shown } from '../traces.js';
import { watchDocument } from '../watches/watched-document.js';
import { decideWithWhy, whyRequest } from '../why.js';

const noInput = { code: 'api_usage_warning', message: "'input' key missing from the request" };

/**
 * The warning for an undefined answer where a name of its path is like that of a rule. Names are
 * told to nobody where clients need permission.
 */
function misspelt({ engine, settings }: AppContext, path: readonly string[]): Value | undefined {
  const missing = settings.authorization === 'off' ? missingName(engine, path, 'rules') : undefined;
  return missing?.meant === undefined ? undefined : { code: 'api_usage_warning', message: missingText(missing) };
}

const inputIsText = {
  code: 'api_usage_warning',
  message: "'input' is a string that holds JSON: send the document itself",
};

/** The warning for an input that was serialized twice, where nothing or `false` came of it. */
function textInput(value: Value | undefined, input: Value | undefined): Value | undefined {
  const isText = typeof input === 'string' && /^\s*[{[]/.test(input);
  return isText && (value === undefined || value === false) ? inputIsText : undefined;
}

/** The warning for a query parameter that is ignored, though it is like one that is not. */
function misspeltParameter({ search, params }: Exchange): Value | undefined {
  const message = search === '' ? undefined : misspeltIn(params);
  return message === undefined ? undefined : { code: 'api_usage_warning', message };
}

export async function getData(exchange: Exchange, context: AppContext): Promise<Answer> {
  const metrics = metricsOf(exchange, context);
  const parsing = performance.now();
  const input = await inputOfParameter(exchange);
  metrics?.since(timers.inputParse, parsing);
  return await decide(exchange, context, { input, metadata: undefined }, metrics, undefined);
}

export async function postData(exchange: Exchange, context: AppContext): Promise<Answer> {
  const metrics = metricsOf(exchange, context);
  const parsing = metrics === undefined ? 0 : performance.now();
  const isLogged = context.plugins.decisionLog !== undefined;
  const envelope = await envelopeOf(exchange, context.settings, isLogged);
  metrics?.since(timers.inputParse, parsing);
  return await decide(exchange, context, envelope, metrics, envelope.input === undefined ? noInput : undefined);
}

/**
 * The tag of a base document that is read as it is. What rules say depends on more than the
 * documents.
 */
function tagOf(exchange: Exchange, { engine }: AppContext, path: readonly string[], { value, hold }: Decided) {
  if (exchange.method !== 'GET' || exchange.search !== '' || value === undefined || !engine.isBase(path))
    return undefined;
  const tag = documentTag(value);
  if (typeof tag === 'string') return tag;
  const held = hold();
  return tag.finally(() => held.release());
}

async function tagged(
  exchange: Exchange,
  tag: string | Promise<string>,
  body: string | Promise<Uint8Array>,
): Promise<Answer> {
  // Both are being made of the same documents.
  const [etag, text] = await Promise.all([tag, body]);
  return isKnown(exchange, etag) ? notModified(etag) : { ...textAnswer(200, text), headers: { etag } };
}

async function decide(
  exchange: Exchange,
  context: AppContext,
  { input, metadata }: Envelope,
  metrics: Metrics | undefined,
  warning: Value | undefined,
): Promise<Answer> {
  if (exchange.search !== '' && exchange.params.on('watch'))
    return await watchDocument(exchange, context, input, warning);
  const segmentsOf = () => documentSegments('/v1/data', exchange.path);
  if (context.gate !== undefined) await passGate(exchange, context, segmentsOf(), input);
  const explainer = exchange.search === '' ? undefined : Explainer.of(exchange, context, metrics);
  const asked = askedDecision(exchange, context, metrics, true, segmentsOf);
  const custom = metadata && { incoming_metadata: metadata };
  const question: LoggedQuestion = { path: asked.text, segments: asked.path, input, metrics, custom };
  const why = whyRequest(exchange, context);
  const answer = (decided: Decided, logged = question, reasons?: Value) => {
    metrics?.since(timers.handler, exchange.started);
    const labels = labelsOfAnswer(exchange, context, logged);
    const id = logDecision(exchange, context, logged, decided, { labels });
    const respondWith = (explanation: Shown, ruleLabels?: readonly PlainObject[]) => {
      const unanswered = () => (decided.value === undefined ? misspelt(context, asked.path) : undefined);
      const warned = warning ?? misspeltParameter(exchange) ?? unanswered() ?? textInput(decided.value, input);
      const tag = tagOf(exchange, context, asked.path, decided);
      const body = decisionBody(exchange, decided, { metrics, warning: warned, id, explanation, ruleLabels });
      if (tag !== undefined) return tagged(exchange, tag, body);
      return typeof body === 'string' ? textAnswer(200, body) : body.then((bytes) => textAnswer(200, bytes));
    };
    const respond = (explanation: Shown = { value: reasons }) =>
      labels === undefined
        ? respondWith(explanation)
        : withLabels(labels, decided.hold, (found) => respondWith(explanation, found));
    const isExplained = explainer !== undefined && (decided.value !== undefined || explainer.mode === 'full');
    const program = { asked: asked.text, as: 'document' as const, value: decided.value };
    return isExplained ? explainer.explained({ path: asked.path }, input, decided.hold, respond, program) : respond();
  };
  const options = explainer === undefined ? asked.options : explainer.noting(asked.options!);
  if (why !== undefined)
    return await tracedDecision(exchange, asked.text, () =>
      decideWithWhy(exchange, context, { why, asked, question }, answer),
    );
  try {
    return await tracedDecision(exchange, asked.text, () => asked.decision.decide(input, answer, exchange, options));
  } catch (error) {
    return failDecision(exchange, context, question, error);
  }
}
