/**
 * A request → a response: redirects, attempts, and the names and values of headers as they may be
 * sent.
 */
import { heapLimit } from '../../../memory.js';
import type { BuiltinContext } from '../../builtin-context.js';
import { BuiltinError } from '../../builtin-errors.js';
import { type HostNetwork, NetworkError, type NetworkResponse } from '../../host-network.js';
import { UrlError } from '../url/escape.js';
import { type GoUrl, parseUrl, urlText } from '../url/url.js';
import { ExchangeError, wrong } from './failure.js';
import { checkHost, type HttpRequest } from './parameters.js';

const userAgent = 'writ';
/** The most bytes of a response: an evaluation keeps its text and its document. */
const maxBodyBytes = () => Math.min(256 * 1024 * 1024, Math.floor(heapLimit() / 8));
const maxRedirects = 50;
const minRetryDelayMs = 100;
const maxRetryDelayMs = 60_000;

/** Sends a request, again after errors as often as `retries` says. Throws an ExchangeError. */
export async function exchange(
  request: HttpRequest,
  retries: number,
  context: BuiltinContext,
  network: HostNetwork,
  signal: AbortSignal,
): Promise<NetworkResponse> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await send(request, context, network, signal);
    } catch (error) {
      if (!(error instanceof ExchangeError) || attempt >= retries || signal.aborted) throw error;
      await pause(Math.min(minRetryDelayMs * 1.6 ** attempt, maxRetryDelayMs) * (0.8 + 0.4 * Math.random()), signal);
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done() {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done);
  });
}

async function send(
  request: HttpRequest,
  context: BuiltinContext,
  network: HostNetwork,
  signal: AbortSignal,
): Promise<NetworkResponse> {
  const deadline = request.timeoutMs > 0 ? performance.now() + request.timeoutMs : undefined;
  let { method, url, body } = request;
  let headers =
    request.headers.size === 0 ? new Map<string, string>() : new Map([['User-Agent', userAgent], ...request.headers]);
  if (headers.size === 0) headers.set('User-Agent', userAgent);
  for (let hop = 0; ; hop++) {
    const text = shownUrl(url);
    checkSendable(method, url, text, headers);
    if (deadline !== undefined && performance.now() >= deadline) throw timeout(method, text);
    let response: NetworkResponse;
    try {
      response = await network.request(
        {
          method,
          url: urlText({ ...url, fragment: '', rawFragment: '' }),
          headers: [...headers],
          body,
          tls: request.tls,
          socket: request.socket,
          timeoutMs: deadline === undefined ? 0 : deadline - performance.now(),
          maxBodyBytes: maxBodyBytes(),
        },
        signal,
      );
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error;
      // A response that breaks off is reported without the address, and is not requested again.
      if (error.inBody) throw wrong(error.timedOut ? bodyTimeout : error.message);
      throw error.timedOut ? timeout(method, text) : new ExchangeError(method, text, error.message);
    }
    const next = request.followRedirects ? redirectOf(method, url, response) : undefined;
    if (next === undefined) return response;
    try {
      checkHost(next.url, context);
    } catch (error) {
      if (error instanceof BuiltinError) throw new ExchangeError(next.method, shownUrl(next.url), error.message);
      throw error;
    }
    if (hop + 1 >= maxRedirects)
      throw new ExchangeError(next.method, shownUrl(next.url), `stopped after ${maxRedirects} redirects`);
    headers = headersAfter(headers, url, next.url);
    if (next.method !== method || !next.keepsBody) body = next.keepsBody ? body : undefined;
    ({ method, url } = next);
  }
}

const bodyTimeout = 'context deadline exceeded (Client.Timeout or context cancellation while reading body)';

function timeout(method: string, url: string): ExchangeError {
  return new ExchangeError(
    method,
    url,
    'context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
    true,
  );
}

/** Passwords are not shown. */
function shownUrl(url: GoUrl): string {
  const text = urlText(url);
  return url.user?.password === undefined ? text : text.replace(/^([^/]*\/\/[^:@/]*):[^@/]*@/, '$1:***@');
}

const fieldName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

function checkSendable(method: string, url: GoUrl, text: string, headers: ReadonlyMap<string, string>): void {
  if (url.scheme !== 'http' && url.scheme !== 'https') {
    throw new ExchangeError(method, text, `unsupported protocol scheme "${url.scheme}"`);
  }
  if (url.host === '') throw new ExchangeError(method, text, 'http: no Host in request URL');
  const port = /:(\d+)$/.exec(url.host)?.[1];
  if (port !== undefined && Number(port) > 65_535)
    throw new ExchangeError(method, text, `dial tcp: address ${port}: invalid port`);
  for (const [name, value] of headers) {
    if (!fieldName.test(name))
      throw new ExchangeError(method, text, `net/http: invalid header field name ${JSON.stringify(name)}`);
    if (/[\0-\x08\x0a-\x1f\x7f]/.test(value)) {
      throw new ExchangeError(method, text, `net/http: invalid header field value for ${JSON.stringify(name)}`);
    }
  }
}

interface Redirect {
  readonly method: string;
  readonly url: GoUrl;
  readonly keepsBody: boolean;
}

function redirectOf(method: string, from: GoUrl, response: NetworkResponse): Redirect | undefined {
  const { statusCode } = response;
  if (![301, 302, 303, 307, 308].includes(statusCode)) return undefined;
  const location = response.headers.find(([name]) => name.toLowerCase() === 'location')?.[1];
  if (location === undefined || location === '') return undefined;
  let url: GoUrl;
  try {
    parseUrl(location);
    url = parseUrl(new URL(location, urlText(from)).href);
  } catch (error) {
    if (!(error instanceof UrlError) && !(error instanceof TypeError)) throw error;
    throw new ExchangeError(
      method,
      shownUrl(from),
      `failed to parse Location header ${JSON.stringify(location)}: ${error.message}`,
    );
  }
  const keepsBody = statusCode === 307 || statusCode === 308;
  return { method: keepsBody || method === 'HEAD' ? method : 'GET', url, keepsBody };
}

const credentials = new Set([
  'Authorization',
  'Www-Authenticate',
  'Cookie',
  'Cookie2',
  'Proxy-Authorization',
  'Proxy-Authenticate',
]);

/** Credentials are not passed on to another host, nor the name of the first. */
function headersAfter(headers: ReadonlyMap<string, string>, from: GoUrl, to: GoUrl): Map<string, string> {
  const [before, after] = [hostName(from), hostName(to)];
  const sameSite = after === before || after.endsWith(`.${before}`);
  const kept = new Map(
    [...headers].filter(([name]) => (sameSite || !credentials.has(name)) && (name !== 'Host' || from.host === to.host)),
  );
  if (!(from.scheme === 'https' && to.scheme === 'http') && !headers.has('Referer')) {
    kept.set('Referer', urlText({ ...from, user: undefined, fragment: '', rawFragment: '' }));
  }
  return kept;
}

function hostName(url: GoUrl): string {
  return url.host.replace(/:\d*$/, '').toLowerCase();
}
