/** Answers of routes: a status, a body, and where it is a redirect. */

import { toIndentedJson, toJson, type Value } from '../../../values/index.js';
import type { Exchange } from '../requests/exchange.js';
import type { ApiError } from './api-error.js';
import type { ChunkSource } from './chunks.js';

/** A status and a body, before they become a Response. */
export interface HttpAnswer {
  readonly status: number;
  readonly body: string | Uint8Array | ChunkSource | null;
  readonly contentType?: string;
  readonly location?: string;
  /** Others, by lower-case name. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The form of another API's answers. */
export interface AnswerForm {
  errorAnswer(error: ApiError): HttpAnswer;
  /** Brings any answer into the form, errors included. */
  complete(exchange: Exchange, answer: HttpAnswer): HttpAnswer;
}

export const jsonType = 'application/json';

/** A value as a body. Every body ends with a newline. */
export function jsonText(value: Value, pretty: boolean): string {
  return `${pretty ? toIndentedJson(value) : toJson(value)}\n`;
}

export function jsonAnswer(status: number, value: Value, pretty = false): HttpAnswer {
  return { status, body: jsonText(value, pretty), contentType: jsonType };
}

/** A body that is text already, of JSON if nothing else is said. */
export function textAnswer(status: number, body: string | Uint8Array, contentType = jsonType): HttpAnswer {
  return { status, body, contentType };
}

/** A decision's body, which may take time to be written. */
export function bodyAnswer(body: string | Promise<Uint8Array>): HttpAnswer | Promise<HttpAnswer> {
  return typeof body === 'string' ? textAnswer(200, body) : body.then((bytes) => textAnswer(200, bytes));
}

export const noContent: HttpAnswer = { status: 204, body: null };

/** Errors are always indented. */
export function errorAnswer(error: ApiError): HttpAnswer {
  const answer = jsonAnswer(error.status, error.toJson(), true);
  return error.retryAfterSeconds === undefined
    ? answer
    : { ...answer, headers: { 'retry-after': String(error.retryAfterSeconds) } };
}

export const notFound: HttpAnswer = textAnswer(404, '404 page not found\n', 'text/plain; charset=utf-8');
export const methodNotAllowed: HttpAnswer = textAnswer(405, 'Method Not Allowed\n', 'text/plain; charset=utf-8');
export const badRequest: HttpAnswer = textAnswer(400, '400 Bad Request', 'text/plain; charset=utf-8');

const redirectTexts = { 301: 'Moved Permanently', 307: 'Temporary Redirect' } as const;

/** A redirect to a path, with the page of Go's server. */
export function redirect({ method, search }: Exchange, path: string, status: 301 | 307): HttpAnswer {
  const location = path + search;
  const readable = location.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
  const body = method === 'GET' ? `<a href="${readable}">${redirectTexts[status]}</a>.\n\n` : null;
  return { status, body, location, ...(body !== null && { contentType: 'text/html; charset=utf-8' }) };
}
