/** `GET` and `POST /v1/data`: decisions in their envelope. */

import type { Decided, DecideOptions, Explanation } from '../../../engine/index.js';
import { missingName, missingText, timers, withLabels } from '../../../engine/index.js';
import type { PlainObject, Value } from '../../../values/index.js';
import type { AppContext } from '../../control/app-context.js';
import { askedDecision, type Notes, notesOfRequest, type RequestedDecision } from '../decisions.js';
import { documentTag, isKnown, notModified } from '../etags.js';
import type { Explainer, Shown, WhyRequest } from '../explanations.js';
import { explainerOf, shownExplanation, whyRequest } from '../explanations.js';
import { passGate } from '../pass-gate.js';
import { RequestAsking } from '../request-asking.js';
import type { Exchange } from '../requests/exchange.js';
import { type Envelope, inputEnvelope, inputOfParameter } from '../requests/input.js';
import { misspeltIn } from '../requests/misspelt-parameter.js';
import { documentSegments } from '../requests/path.js';
import { bodyAnswer, type HttpAnswer, textAnswer } from '../responses/answer.js';
import { decisionBody } from '../responses/envelope.js';
import { watchDocument } from '../watches/watched-document.js';

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

/** The input of a request, and the warning about it. */
interface Asked extends Envelope {
  readonly warning: Value | undefined;
}

export async function getData(exchange: Exchange, context: AppContext): Promise<HttpAnswer> {
  const notes = notesOfRequest(exchange, context);
  const parsing = performance.now();
  const input = await inputOfParameter(exchange);
  notes.metrics?.since(timers.inputParse, parsing);
  return await decide(exchange, context, { input, metadata: undefined, warning: undefined }, notes);
}

export async function postData(exchange: Exchange, context: AppContext): Promise<HttpAnswer> {
  const notes = notesOfRequest(exchange, context);
  const { metrics } = notes;
  const parsing = metrics === undefined ? 0 : performance.now();
  const isLogged = context.plugins.decisionLog !== undefined;
  const envelope = await inputEnvelope(exchange, context.settings, isLogged);
  metrics?.since(timers.inputParse, parsing);
  const warning = envelope.input === undefined ? noInput : undefined;
  return await decide(exchange, context, { ...envelope, warning }, notes);
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
): Promise<HttpAnswer> {
  // Both are being made of the same documents.
  const [etag, text] = await Promise.all([tag, body]);
  return isKnown(exchange, etag) ? notModified(etag) : { ...textAnswer(200, text), headers: { etag } };
}

async function decide(exchange: Exchange, context: AppContext, asked: Asked, notes: Notes): Promise<HttpAnswer> {
  const { input, metadata, warning } = asked;
  if (exchange.search !== '' && exchange.params.on('watch'))
    return await watchDocument(exchange, context, input, warning);
  const segmentsOf = () => documentSegments('/v1/data', exchange.path);
  if (context.gate !== undefined) await passGate(exchange, context, segmentsOf(), input);
  const document = askedDecision(exchange, context, notes, true, segmentsOf);
  const custom = metadata && { incoming_metadata: metadata };
  const asking = RequestAsking.about(exchange, context, document, { input, ...notes, custom });
  const request = new DataRequest(exchange, context, document, asking, warning);
  return await asking.document(document, request, (decided, explanation) => request.answer(decided, explanation));
}

/** A request for a document whose answer is in an envelope. */
class DataRequest {
  readonly options: DecideOptions | undefined;
  readonly why: WhyRequest | undefined;
  readonly #exchange: Exchange;
  readonly #context: AppContext;
  readonly #document: RequestedDecision;
  readonly #asking: RequestAsking;
  readonly #warning: Value | undefined;
  readonly #explainer: Explainer;

  constructor(
    exchange: Exchange,
    context: AppContext,
    document: RequestedDecision,
    asking: RequestAsking,
    warning: Value | undefined,
  ) {
    this.#exchange = exchange;
    this.#context = context;
    this.#document = document;
    this.#asking = asking;
    this.#warning = warning;
    this.why = whyRequest(exchange);
    this.#explainer = explainerOf(exchange, context, asking.question.metrics);
    this.options = this.#explainer.noting(document.options);
  }

  get shownInErrors(): ((explanation: Explanation) => Value) | undefined {
    return this.why && ((explanation) => shownExplanation(this.#exchange, explanation));
  }

  /** Logs the decision, then answers. */
  answer(decided: Decided, explanation: Explanation | undefined): HttpAnswer | Promise<HttpAnswer> {
    const { metrics, input } = this.#asking.question;
    metrics?.since(timers.handler, this.#exchange.started);
    const { value, hold } = decided;
    const labels = this.#asking.labelsOfAnswer;
    const id = this.#asking.answered(decided, { explanation, labels });
    const reasons = explanation === undefined ? undefined : this.shownInErrors?.(explanation);
    const respond = (shown: Shown = { value: reasons }) =>
      labels === undefined
        ? this.#respond(decided, id, shown)
        : withLabels(labels, hold, (found) => this.#respond(decided, id, shown, found));
    const { path, text } = this.#document;
    return this.#explainer.explained({ path }, input, hold, respond, { asked: text, as: 'document', value });
  }

  #respond(
    decided: Decided,
    id: string | undefined,
    explanation: Shown,
    ruleLabels?: readonly PlainObject[],
  ): HttpAnswer | Promise<HttpAnswer> {
    const exchange = this.#exchange;
    const { metrics } = this.#asking.question;
    const tag = tagOf(exchange, this.#context, this.#document.path, decided);
    const warning = this.#warningOf(decided);
    const body = decisionBody(exchange, decided, { metrics, warning, id, explanation, ruleLabels });
    return tag === undefined ? bodyAnswer(body) : tagged(exchange, tag, body);
  }

  #warningOf({ value }: Decided): Value | undefined {
    const unanswered = () => (value === undefined ? misspelt(this.#context, this.#document.path) : undefined);
    const { input } = this.#asking.question;
    return this.#warning ?? misspeltParameter(this.#exchange) ?? unanswered() ?? textInput(value, input);
  }
}
