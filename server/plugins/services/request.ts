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

  constructor(message: string, status?: number) {
    super(message);
    this.name = 'ServiceError';
    this.status = status;
  }
}

/** The error of a response whose status is none of success. */
export function refusal(status: number): ServiceError {
  return new ServiceError(`server replied with ${STATUS_CODES[status] ?? `status ${status}`}`, status);
}

/** A URL for messages: user, password and query may be secrets. */
export function shownUrl(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}`;
}
