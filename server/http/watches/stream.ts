/** A watch as a stream of JSON values, one for each notification. */
import type { Notification, Watch } from '../../../engine/index.js';
import type { AppContext } from '../../control/app-context.js';
import { authorize } from '../middleware/authorize.js';
import { Exchange } from '../requests/exchange.js';
import { type HttpAnswer, jsonText, jsonType } from '../responses/answer.js';
import { ApiError, apiErrorOf } from '../responses/api-error.js';
import type { ChunkSink, ChunkSource } from '../responses/chunks.js';

/** An answer of a watch. */
export interface WatchedAnswer {
  /** The result as JSON: the same result is sent once. */
  readonly result: string | Uint8Array;
  /** The notification, for all clients whose watches share an evaluation. */
  readonly body: Uint8Array;
}

type Next = Notification<WatchedAnswer>;

const encoder = new TextEncoder();

export function bytesOf(body: string | Uint8Array): Uint8Array {
  return typeof body === 'string' ? encoder.encode(body) : body;
}

export function isSameAnswer(one: WatchedAnswer, other: WatchedAnswer): boolean {
  if (typeof one.result === 'string' || typeof other.result === 'string') return one.result === other.result;
  return Buffer.compare(one.result, other.result) === 0;
}

/** The same request with time and memory of its own, for one notification. */
export function renewed(exchange: Exchange, { settings, engine }: AppContext): Exchange {
  const { request, incoming, id, body, document } = exchange;
  const again = new Exchange(
    request,
    incoming === undefined ? {} : { incoming },
    id,
    settings.evaluationTimeMs,
    engine.version.revision,
  );
  again.body = body;
  again.document = document;
  return again;
}

/**
 * The answer that goes on until the client ends it. The authorization policy is asked before each
 * notification. Nothing is evaluated that the client does not read.
 * @param invalidError the error of a first evaluation that ended the watch
 */
export async function streamed(
  watch: Watch<WatchedAnswer>,
  exchange: Exchange,
  context: AppContext,
  invalidError: (error: unknown) => unknown,
): Promise<HttpAnswer> {
  const first = await watch.next();
  if (first !== undefined && 'error' in first && first.isLast) throw invalidError(first.error);
  return { status: 200, body: new NotificationSource(watch, exchange, context, first), contentType: jsonType };
}

/** Waits for the next notification without a promise: see `Watch.ask`. */
class NotificationSource implements ChunkSource {
  readonly #watch: Watch<WatchedAnswer>;
  readonly #exchange: Exchange;
  readonly #context: AppContext;
  #first: Next | undefined;
  #sink!: ChunkSink;
  #isClosed = false;

  constructor(watch: Watch<WatchedAnswer>, exchange: Exchange, context: AppContext, first: Next | undefined) {
    this.#watch = watch;
    this.#exchange = exchange;
    this.#context = context;
    this.#first = first;
  }

  next(sink: ChunkSink): void {
    this.#sink = sink;
    const first = this.#first;
    this.#first = undefined;
    if (first === undefined) this.#watch.ask(this.#notified);
    else this.#send(first);
  }

  cancel(): void {
    this.#isClosed = true;
    this.#watch.end();
  }

  readonly #notified = (next: Next | undefined): void => {
    if (next === undefined) this.#close();
    else if (this.#context.settings.authorization === 'off') this.#send(next);
    else
      void denial(this.#exchange, this.#context).then((denied) => this.#send(denied === undefined ? next : { denied }));
  };

  #send(next: Next | { readonly denied: ApiError }): void {
    // The client may have ended it meanwhile.
    if (this.#isClosed) return;
    if ('answer' in next) {
      this.#sink.send(next.answer.body);
      return;
    }
    const isLast = 'denied' in next || next.isLast;
    const error = 'denied' in next ? next.denied : next.isLast ? invalidated(next.error) : apiErrorOf(next.error);
    this.#sink.send(encoder.encode(jsonText({ error: error.toJson() }, this.#exchange.params.on('pretty'))));
    if (isLast) this.#close();
  }

  #close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#watch.end();
    this.#sink.end();
  }
}

/** The error where the policy no longer allows the request. */
async function denial(exchange: Exchange, context: AppContext): Promise<ApiError | undefined> {
  const asked = renewed(exchange, context);
  try {
    await authorize(asked, context);
    return undefined;
  } catch (error) {
    return apiErrorOf(error);
  } finally {
    asked.release();
  }
}

function invalidated(error: unknown): ApiError {
  const { status, code, message, errors } = apiErrorOf(error);
  return new ApiError(status, code, `watch invalidated: ${message}`, errors);
}
