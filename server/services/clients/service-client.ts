/** The HTTP client of one service: its URL, headers, TLS settings, time limit and credentials. */
import { buildInfo } from '../../../engine/index.js';
import type { Credentials } from './credentials/credentials.js';
import { refusal, ServiceError, type ServiceRequest, type ServiceResponse, type UnsignedRequest } from './request.js';
import type { NamedService } from './services-config.js';
import { requestName, type Transport } from './transport.js';

const maxRedirects = 10;

export class ServiceClient {
  readonly config: NamedService;
  readonly #transport: Transport;
  readonly #credentials: Credentials;

  constructor(config: NamedService, transport: Transport) {
    this.config = config;
    this.#transport = transport;
    this.#credentials = config.credentials?.({ transport, env: process.env }) ?? {};
  }

  /**
   * Sends a request and reads the response, of any status. Redirects are followed. Rejects
   * with a ServiceError that names the service, or with the signal's reason once the signal is
   * aborted.
   * @example await client.request({ path: 'logs', method: 'POST', body, signal })
   */
  async request(request: ServiceRequest): Promise<ServiceResponse> {
    try {
      return await this.#request(request);
    } catch (error) {
      // A status would be that of a service of tokens: this one has not answered.
      if (error instanceof ServiceError)
        throw new ServiceError(`service ${JSON.stringify(this.config.name)}: ${error.message}`);
      throw error;
    }
  }

  async #request(request: ServiceRequest): Promise<ServiceResponse> {
    const signal = request.signal ?? new AbortController().signal;
    let next = this.#unsigned(request);
    const { hostname } = next.url;
    let hasTrust = true;
    for (let redirects = 0; ; redirects++) {
      // Another host may choose where the next redirect leads, so trust does not come back.
      hasTrust &&= next.url.hostname === hostname;
      const response = await this.#send(next, request, hasTrust, signal);
      const target = redirected(next, response);
      if (target === undefined) return response;
      if (redirects === maxRedirects)
        throw new ServiceError(`${requestName(next)}: stopped after ${maxRedirects} redirects`);
      next = target;
    }
  }

  /** As `request`, but rejects with a ServiceError for a status other than of success. */
  async requestOk(request: ServiceRequest): Promise<ServiceResponse> {
    const response = await this.request(request);
    if (response.status < 200 || response.status > 299) throw refusal(response);
    return response;
  }

  #unsigned({ method = 'GET', path, headers = {}, body }: ServiceRequest): UnsignedRequest {
    const all = new Map([['user-agent', `writ/${buildInfo.version}`]]);
    for (const [name, value] of [...Object.entries(this.config.headers), ...Object.entries(headers)])
      all.set(name.toLowerCase(), value);
    return { method, url: this.#url(path), headers: all, body: typeof body === 'string' ? Buffer.from(body) : body };
  }

  #url(path: string): URL {
    const { url } = this.config;
    try {
      return new URL(/^https?:\/\//.test(path) ? path : `${url.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`);
    } catch {
      throw new ServiceError('its URL is not valid');
    }
  }

  async #send(
    unsigned: UnsignedRequest,
    request: ServiceRequest,
    hasTrust: boolean,
    signal: AbortSignal,
  ): Promise<ServiceResponse> {
    signal.throwIfAborted();
    const credentials = hasTrust ? this.#credentials : {};
    // A request may have another proof, such as a token of a registry.
    const asks = !unsigned.headers.has('authorization');
    const proofs = (asks && (await unlessAborted(credentials.headers?.(unsigned), signal))) || {};
    const headers = new Map([...unsigned.headers, ...Object.entries(proofs)]);
    const { headerTimeoutMs, maxBodyBytes } = request;
    const certificates = credentials.certificates?.() ?? [];
    // Uploads may arrive twice: events have ids, and the last status counts.
    const options = { certificates, headerTimeoutMs, maxBodyBytes, signal, repeats: true };
    const response = await this.#transport.send({ ...unsigned, headers }, options);
    if (response.status === 401 || response.status === 403) credentials.refused?.();
    return response;
  }
}

/** Tokens are fetched for all requests that wait for one, so none of them aborts it. */
async function unlessAborted<T>(promise: Promise<T> | undefined, signal: AbortSignal): Promise<T | undefined> {
  if (promise === undefined) return undefined;
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** The request that a redirect asks for; undefined where a response is none. */
function redirected(request: UnsignedRequest, { status, headers }: ServiceResponse): UnsignedRequest | undefined {
  const location = headers.get('location');
  const keepsMethod = status === 307 || status === 308;
  if (location === undefined || !(keepsMethod || (status >= 301 && status <= 303))) return undefined;
  if (!URL.canParse(location, request.url))
    throw new ServiceError(`${requestName(request)}: the redirect has no valid location`);
  const url = new URL(location, request.url);
  if (url.protocol !== 'https:' && url.protocol !== request.url.protocol) {
    throw new ServiceError(`${requestName(request)}: the redirect leads to ${url.protocol}`);
  }
  // Headers of the configuration may be secrets as well, so another host gets none of them. Ports
  // are of the same host, such as those of HTTP and HTTPS.
  const isSameHost = url.hostname === request.url.hostname;
  const kept = isSameHost
    ? request.headers
    : new Map([...request.headers].filter(([name]) => harmlessHeaders.has(name)));
  if (keepsMethod || request.method === 'GET' || request.method === 'HEAD') return { ...request, url, headers: kept };
  return { method: 'GET', url, headers: kept, body: undefined };
}

const harmlessHeaders: ReadonlySet<string> = new Set([
  'user-agent',
  'accept',
  'if-none-match',
  'prefer',
  'content-type',
  'content-encoding',
]);
