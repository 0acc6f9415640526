/** Requests to services and their responses. */
import { STATUS_CODES } from 'node:http';

/** Names of headers are lower-case. */
export type Headers = ReadonlyMap<string, string>;

/** A request to a service. */
export interface ServiceRequest {
  /** `GET` by default. */
  readonly method?: string;
  /** A path below the URL of the service, or an absolute URL. It may have a query. */
  readonly path: string;
  readonly headers?: { readonly [name: string]: string };
  readonly body?: Uint8Array | string;
  readonly signal?: AbortSignal | undefined;
  /** The longest wait for a response, instead of `response_header_timeout_seconds`. */
  readonly headerTimeoutMs?: number;
  /** A longer body is an error; 64 MiB by default. */
  readonly maxBodyBytes?: number;
}

export interface ServiceResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** A request before credentials were added. */
export interface UnsignedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: Uint8Array | undefined;
}

/** A failed exchange with a service. Messages have no secrets: no query, no password, no body. */
export class ServiceError extends Error {
  readonly code = 'service_error';
  /** Undefined where there was no response. */
  readonly status: number | undefined;
  /** Milliseconds for which the service wants no other request. */
  readonly retryAfterMs: number;

  constructor(message: string, status?: number, retryAfterMs = 0) {
    super(message);
    this.name = 'ServiceError';
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The error of a response whose status is none of success. */
export function refusal({ status, headers }: Pick<ServiceResponse, 'status' | 'headers'>): ServiceError {
  const text = STATUS_CODES[status] ?? `status ${status}`;
  return new ServiceError(`server replied with ${text}`, status, retryAfter(headers.get('retry-after') ?? ''));
}

/** A service that asks for a longer pause is asked again after this time. */
const longestRetryAfterMs = 3_600_000;

/** The pause that the header `Retry-After` asks for, in seconds or by a date. */
function retryAfter(text: string): number {
  const wanted = /^\d+$/.test(text) ? 1000 * Number(text) : Date.parse(text) - Date.now();
  return wanted > 0 ? Math.min(longestRetryAfterMs, wanted) : 0;
}

/** A URL for messages: user, password and query may be secrets. */
export function shownUrl(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}`;
}
