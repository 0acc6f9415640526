/** Requests to a server of decisions: bounded in time, size and number. */
import { responseBody } from '../../../../values/index.js';
import { GuardError } from './guard-error.js';
import { RemoteError } from './remote-error.js';

export interface ConnectionOptions {
  /** The address of the server, such as `http://localhost:8181`. In a page it may be relative. */
  readonly url: string | URL;
  /** The bearer token, or a function that is asked for it before each request. */
  readonly token?: string | (() => string | PromiseLike<string>) | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The time for a decision, all tries together. Default: 5000. */
  readonly timeoutMs?: number | undefined;
  /**
   * How often a request is repeated after a failed connection or the statuses 429, 502, 503 and
   * 504. Default: 2.
   */
  readonly retries?: number | undefined;
  /** Sends the requests. Default: `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

interface Answered {
  readonly status: number;
  /** The document of the body; undefined if it is none. */
  readonly body: unknown;
}

export interface RemoteConnection {
  readonly origin: string;
  /** Rejects with a RemoteError if there is no answer. */
  post(path: string, body: unknown): Promise<Answered>;
}

/** The bytes of a response that are read. */
const maxResponse = 16 * 1024 * 1024;

const passing = new Set([429, 502, 503, 504]);

/** Throws a GuardError for options that are wrong. */
export function connect(options: ConnectionOptions): RemoteConnection {
  const { timeoutMs = 5000, retries = 2 } = options;
  const base = baseOf(options.url);
  if (!(timeoutMs > 0 && timeoutMs <= 2 ** 31 - 1))
    throw new GuardError('invalid_option', 'timeoutMs must be a number of milliseconds');
  if (!Number.isInteger(retries) || retries < 0 || retries > 10)
    throw new GuardError('invalid_option', 'retries must be from 0 to 10');
  return {
    origin: base.origin,
    async post(path, body) {
      const text = JSON.stringify(body);
      const signal = AbortSignal.timeout(Math.ceil(timeoutMs));
      const late = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
      for (let tried = 0; ; tried++) {
        const last = tried >= retries;
        // The token, and a `fetch` of the options, may not end with the signal.
        const asked = Promise.race([postOnce(new URL(path, base), text, options, signal), late]);
        const answered = await asked.catch((error: unknown) => failed(error, base, signal));
        if (
          answered instanceof RemoteError
            ? last || answered.code !== 'remote_unreachable'
            : last || !passing.has(answered.status)
        ) {
          if (answered instanceof RemoteError) throw answered;
          return answered;
        }
        await pause(50 * 2 ** tried * (0.5 + Math.random()), signal);
      }
    },
  };
}

function baseOf(url: string | URL): URL {
  const page = (globalThis as { readonly location?: { readonly href?: string } }).location?.href;
  const base = URL.canParse(url, page) ? new URL(url, page) : undefined;
  if (base === undefined || !/^https?:$/.test(base.protocol))
    throw new GuardError('invalid_option', 'the url of a server must begin with http:// or https://');
  if (base.username !== '' || base.password !== '')
    throw new GuardError('invalid_option', 'the url of a server holds a password: give it as a token or a header');
  if (!base.pathname.endsWith('/')) base.pathname += '/';
  return base;
}

async function postOnce(url: URL, body: string, options: ConnectionOptions, signal: AbortSignal): Promise<Answered> {
  const { token, headers, fetch: send = fetch } = options;
  const bearer = typeof token === 'function' ? await token() : token;
  const response = await send(url, {
    method: 'POST',
    // A redirect could lead the input and the token elsewhere: its status is no decision.
    // Cloudflare's workers do not know `error`.
    redirect: 'manual',
    headers: {
      'content-type': 'application/json',
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      ...headers,
    },
    body,
    signal,
  });
  const bytes = await responseBody(
    response,
    maxResponse,
    () => new RemoteError('remote_response', `${url.origin} answered more than ${maxResponse} bytes`),
  );
  return { status: response.status, body: documentOf(new TextDecoder().decode(bytes)) };
}

function documentOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function failed(error: unknown, { origin }: URL, signal: AbortSignal): RemoteError {
  if (error instanceof RemoteError) return error;
  if (signal.aborted) return new RemoteError('remote_timeout', `${origin} did not decide in time`, { cause: error });
  return new RemoteError('remote_unreachable', `${origin} cannot be reached`, { cause: error });
}

/** Ends early with the time for the decision: the next try fails then. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
