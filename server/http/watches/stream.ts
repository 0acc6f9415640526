/** A watch as a stream of JSON values, one for each notification. */
import type { Watch } from '../../../engine/watches/watch.js';
import type { AppContext } from '../../control/app-context.js';
import { authorize } from '../middleware/authorize.js';
import { Exchange } from '../requests/exchange.js';
import { type Answer, json, jsonText } from '../responses/answer.js';
import { ApiError, apiErrorOf } from '../responses/api-error.js';

/** An answer of a watch. */
export interface WatchedAnswer {
  /** The result as JSON: the same result is sent once. */
  readonly result: string | Uint8Array;
  /** The notification. */
  readonly body: string | Uint8Array;
}

export function isSameAnswer(one: WatchedAnswer, other: WatchedAnswer): boolean {
  if (typeof one.result === 'string' || typeof other.result === 'string') return one.result === other.result;
  return Buffer.compare(one.result, other.result) === 0;
}

/** The same request with time and memory of its own, for one notification. */
export function renewed(exchange: Exchange, { settings }: AppContext): Exchange {
  const { request, incoming, id, body, document } = exchange;
  const again = new Exchange(request, incoming === undefined ? {} : { incoming }, id, settings.evaluationTimeMs);
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
): Promise<Answer> {
  const encoder = new TextEncoder();
  const pretty = exchange.params.on('pretty');
  const first = await watch.next();
  if (first !== undefined && 'error' in first && first.isLast) throw invalidError(first.error);
  let pending: typeof first | undefined = first;
  const nextText = async (): Promise<{ readonly text: string | Uint8Array; readonly isLast: boolean } | undefined> => {
    const next = pending ?? (await watch.next());
    if (next === undefined) return undefined;
    const denied = pending === undefined ? await denial(exchange, context) : undefined;
    pending = undefined;
    if (denied !== undefined) return { text: errorText(denied, pretty), isLast: true };
    if ('answer' in next) return { text: next.answer.body, isLast: false };
    return { text: errorText(next.isLast ? invalidated(next.error) : apiErrorOf(next.error), pretty), isLast: next.isLast };
  };
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await nextText();
      if (next !== undefined) controller.enqueue(typeof next.text === 'string' ? encoder.encode(next.text) : next.text);
      if (next !== undefined && !next.isLast) return;
      watch.end();
      controller.close();
    },
    cancel: () => watch.end(),
  });
  exchange.signal.addEventListener('abort', () => watch.end(), { once: true });
  return { status: 200, body, contentType: json };
}

/** The error where the policy no longer allows the request. */
async function denial(exchange: Exchange, context: AppContext): Promise<ApiError | undefined> {
  if (context.settings.authorization === 'off') return undefined;
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

function errorText(error: ApiError, pretty: boolean): string {
  return jsonText({ error: error.toJson() }, pretty);
}
