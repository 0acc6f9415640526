/** The HTTP client of one service: its URL, headers, TLS settings, time limit and credentials. */
import { STATUS_CODES } from 'node:http';
import { buildInfo } from '../../../engine/build-info.js';
import { NetworkError, type NetworkRequest, type NetworkResponse, type TlsOptions } from '../../../runtime/builtins/host-network.js';
import type { ServiceConfig } from './config.js';
import type { Credentials, CredentialsContext } from './credentials/credentials.js';
import { type Headers, ServiceError, type ServiceRequest, type ServiceResponse, shownUrl, type UnsignedRequest } from './request.js';

const maxRedirects = 10;
const defaultMaxBodyBytes = 64 * 1024 * 1024;
/** A body that stands still for longer than this is broken. */
const bodySilenceMs = 60_000;

export class ServiceClient {
  readonly config: ServiceConfig;
  readonly #context: CredentialsContext;
  readonly #credentials: Credentials;

  constructor(config: ServiceConfig, context: CredentialsContext) {
    this.config = config;
    this.#context = context;
    this.#credentials = config.credentials?.(context) ?? {};
  }

  /**
   * Sends a request and reads the response, whatever its status. Redirects are followed. Rejects
   * with a ServiceError, or with the signal's reason once the signal is aborted.
   * @example await client.request({ path: 'logs', method: 'POST', body, signal })
   */
  async request(request: ServiceRequest): Promise<ServiceResponse> {
    const signal = request.signal ?? new AbortController().signal;
    let next = this.#unsigned(request);
    const { host } = next.url;
    for (let redirects = 0; ; redirects++) {
      signal.throwIfAborted();
      const response = await this.#send(next, request, next.url.host === host, signal);
      const target = redirected(next, response);
      if (target === undefined) return response;
      if (redirects === maxRedirects) throw new ServiceError(`${nameOf(next)}: stopped after ${maxRedirects} redirects`);
      next = target;
    }
  }

  /** As `request`, but rejects with a ServiceError for a status other than of success. */
  async requestOk(request: ServiceRequest): Promise<ServiceResponse> {
    const response = await this.request(request);
    if (response.status < 200 || response.status > 299) throw refusal(response.status);
    return response;
  }

  #unsigned({ method = 'GET', path, headers = {}, body }: ServiceRequest): UnsignedRequest {
    const all = new Map([['user-agent', `writ/${buildInfo.version}`]]);
    for (const [name, value] of [...Object.entries(this.config.headers), ...Object.entries(headers)]) all.set(name.toLowerCase(), value);
    return { method, url: this.#url(path), headers: all, body: typeof body === 'string' ? Buffer.from(body) : body };
  }

  #url(path: string): URL {
    const { url } = this.config;
    try {
      return new URL(/^https?:\/\//.test(path) ? path : `${url.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`);
    } catch {
      throw new ServiceError(`the URL of service ${JSON.stringify(this.config.name)} is not valid`);
    }
  }

  async #send(unsigned: UnsignedRequest, request: ServiceRequest, isOwnHost: boolean, signal: AbortSignal): Promise<ServiceResponse> {
    const proofs = isOwnHost ? ((await this.#credentials.headers?.(unsigned, signal)) ?? {}) : {};
    const headers = [...unsigned.headers, ...Object.entries(proofs)];
    const { method, url, body } = unsigned;
    const sent: NetworkRequest = {
      method,
      url: url.href,
      headers,
      body,
      tls: url.protocol === 'https:' ? this.#tls(isOwnHost) : undefined,
      socket: undefined,
      timeoutMs: 0,
      headerTimeoutMs: request.headerTimeoutMs ?? this.config.headerTimeoutMs,
      bodySilenceMs,
      maxBodyBytes: request.maxBodyBytes ?? defaultMaxBodyBytes,
    };
    let response: NetworkResponse;
    try {
      response = await this.#context.network.request(sent, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof NetworkError)) throw error;
      throw new ServiceError(`${nameOf(unsigned)}: ${error.message}`);
    }
    if (response.statusCode === 401 || response.statusCode === 403) this.#credentials.refused?.();
    return { status: response.statusCode, headers: headersByName(response), body: response.body };
  }

  /** Files of certificates are read for each request, so that a new file counts. */
  #tls(isOwnHost: boolean): TlsOptions {
    const { authorityFile, needsSystemAuthorities, allowsInsecure } = this.config.tls;
    return {
      authorities: authorityFile === undefined ? undefined : [this.#authorities(authorityFile)],
      systemAuthorities: needsSystemAuthorities,
      clientCertificates: isOwnHost ? (this.#credentials.certificates?.() ?? []) : [],
      insecureSkipVerify: allowsInsecure,
      serverName: undefined,
    };
  }

  #authorities(file: string): string {
    const pem = this.#context.readFile(file);
    if (!this.#context.network.hasCertificates(pem)) throw new ServiceError(`${file} has no certificates`);
    return pem;
  }
}

/** The error of a response whose status is none of success. */
function refusal(status: number): ServiceError {
  return new ServiceError(`server replied with ${STATUS_CODES[status] ?? `status ${status}`}`, status);
}

function nameOf({ method, url }: UnsignedRequest): string {
  return `request failed: ${method} ${JSON.stringify(shownUrl(url))}`;
}

function headersByName({ headers }: NetworkResponse): Headers {
  const byName = new Map<string, string>();
  for (const [name, value] of headers) {
    const before = byName.get(name.toLowerCase());
    byName.set(name.toLowerCase(), before === undefined ? value : `${before}, ${value}`);
  }
  return byName;
}

/** The request that a redirect asks for; undefined where a response is none. */
function redirected(request: UnsignedRequest, { status, headers }: ServiceResponse): UnsignedRequest | undefined {
  const location = headers.get('location');
  const keepsMethod = status === 307 || status === 308;
  if (location === undefined || !(keepsMethod || (status >= 301 && status <= 303))) return undefined;
  if (!URL.canParse(location, request.url)) throw new ServiceError(`${nameOf(request)}: the redirect has no valid location`);
  const url = new URL(location, request.url);
  if (url.protocol !== 'https:' && url.protocol !== request.url.protocol) {
    throw new ServiceError(`${nameOf(request)}: the redirect leads to ${url.protocol}`);
  }
  // Headers of the configuration may be secrets as well, so another host gets none of them.
  const kept = url.host === request.url.host ? request.headers : new Map([...request.headers].filter(([name]) => harmless.has(name)));
  if (keepsMethod || request.method === 'GET' || request.method === 'HEAD') return { ...request, url, headers: kept };
  return { method: 'GET', url, headers: kept, body: undefined };
}

const harmless: ReadonlySet<string> = new Set(['user-agent', 'accept', 'if-none-match', 'prefer', 'content-type', 'content-encoding']);
