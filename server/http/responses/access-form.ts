/** The form of all answers of the AuthZEN API: errors are texts, and the request's id returns. */
import type { Exchange } from '../requests/exchange.js';
import { type AnswerForm, type HttpAnswer, textAnswer } from './answer.js';
import type { ApiError } from './api-error.js';

const plainText = 'text/plain; charset=utf-8';

export const accessForm: AnswerForm = {
  errorAnswer: (error) => ({ ...textAnswer(error.status, `${accessErrorText(error)}\n`, plainText), ...retry(error) }),
  complete: (exchange, answer) => {
    const id = requestId(exchange);
    if (id === undefined) return answer;
    // With a text Node writes headers as UTF-8, with bytes as they are.
    const body = typeof answer.body === 'string' && /[\u0080-\u00ff]/.test(id) ? Buffer.from(answer.body) : answer.body;
    return { ...answer, body, headers: { ...answer.headers, 'x-request-id': id } };
  },
};

/** One line: the message, and those of the errors below it. */
export function accessErrorText({ message, errors }: ApiError): string {
  const details = errors
    .map((error) => (error as { readonly message?: unknown } | null)?.message)
    .filter((text) => typeof text === 'string');
  return [message, ...details].join(': ').replaceAll(/\s*\n\s*/g, ' ');
}

function retry({ retryAfterSeconds }: ApiError): Pick<HttpAnswer, 'headers'> {
  return retryAfterSeconds === undefined ? {} : { headers: { 'retry-after': String(retryAfterSeconds) } };
}

/** The id as it was sent: Node makes one character of each byte. */
function requestId({ incoming, request }: Exchange): string | undefined {
  if (incoming === undefined) return request.headers.get('x-request-id') ?? undefined;
  const value = incoming.headers['x-request-id'];
  return typeof value === 'string' ? value : value?.join(', ');
}
