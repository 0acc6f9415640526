/** HTTP and name look-up of Node, behind the interface for built-ins. */
import { lookup } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import * as http from 'node:http';
import * as https from 'node:https';
import * as tls from 'node:tls';
import { createGunzip } from 'node:zlib';
import { timerMs } from '../../timers.js';
import type { HostNetwork, NetworkRequest, NetworkResponse, TlsOptions } from '../host-network.js';
import { NetworkError } from '../host-network.js';
import { ipText, parseIp } from '../lib/ip/ip-text.js';
import { certificatesIn, keyPairProblem } from './certificates.js';
import { networkReason } from './network-errors.js';
import { proxyFor } from './proxy.js';
import { systemProblem } from './system-errors.js';

const maxTlsAgents = 32;
const connectionsPerHost = 64;
const idleMs = 30_000;

/** The least that connections with TLS must have; Node decides the rest. */
export interface TlsFloor {
  readonly minVersion?: 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3';
  /** Suites of TLS up to 1.2, by OpenSSL's names. */
  readonly ciphers?: string;
}

interface NetworkOptions {
  /** Whether connections with TLS settings of their own are kept open too. */
  readonly keepsTls?: boolean;
  readonly floor?: TlsFloor | undefined;
}

/** A client with its own connections; `close` ends them. */
export function nodeNetwork({ keepsTls = false, floor }: NetworkOptions = {}): HostNetwork {
  const agents = new Map<string, http.Agent>();

  /**
   * Requests with the same TLS settings share connections. Without `keepsTls`, only connections
   * without special settings are kept open.
   */
  function agentOf(request: NetworkRequest, secure: boolean): http.Agent {
    const proxy = request.socket === undefined ? proxyFor(new URL(request.url), process.env) : undefined;
    const key = JSON.stringify([secure, request.tls, request.socket, proxy]);
    const known = agents.get(key);
    if (known !== undefined) {
      agents.delete(key);
      agents.set(key, known);
      return known;
    }
    const keepAlive = (keepsTls || request.tls === undefined) && request.socket === undefined;
    const options = {
      keepAlive,
      maxSockets: connectionsPerHost,
      timeout: idleMs,
      // Older releases than Node 22.21 and 24.5 ignore it.
      ...(proxy !== undefined && { proxyEnv: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy } }),
      ...floor,
      ...tlsSettings(request.tls),
    };
    const agent = secure ? new https.Agent(options) : new http.Agent(options);
    agents.set(key, agent);
    for (const [oldest, unused] of agents) {
      if (agents.size <= maxTlsAgents) break;
      agents.delete(oldest);
      // Running requests keep their sockets; an agent that is no longer used drops only idle ones.
      if (Object.keys(unused.sockets).length === 0) unused.destroy();
    }
    return agent;
  }

  return {
    async request(request, signal) {
      const secure = request.url.startsWith('https:');
      const started = performance.now();
      for (let timeoutMs = request.timeoutMs; ; timeoutMs = leftOf(request, started)) {
        try {
          return await exchange({ ...request, timeoutMs }, agentOf(request, secure), secure, signal);
        } catch (error) {
          if (!(error instanceof EndedConnection) || !mayRepeat(request)) throw error;
        }
      }
    },
    lookup: lookUp,
    readFile(path) {
      try {
        return readFileSync(path, 'utf8');
      } catch (error) {
        throw new Error(`open ${path}: ${systemProblem(error)}`);
      }
    },
    environment: (name) => process.env[name],
    checkKeyPair: keyPairProblem,
    hasCertificates: (pem) => certificatesIn(pem).length > 0,
    async close() {
      for (const agent of agents.values()) agent.destroy();
      agents.clear();
    },
  };
}

/** A server ended a connection that was kept open before it read the request, or while it did. */
class EndedConnection extends NetworkError {}

const idempotentMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** Whether a request has no other effect if it is sent twice, by the rules of clients in Go. */
function mayRepeat({ method, headers, repeats }: NetworkRequest): boolean {
  return (
    repeats === true ||
    idempotentMethods.has(method) ||
    headers.some(([name]) => /^(?:x-)?idempotency-key$/i.test(name))
  );
}

function leftOf({ timeoutMs }: NetworkRequest, started: number): number {
  return timeoutMs > 0 ? Math.max(1, timeoutMs - (performance.now() - started)) : 0;
}

function tlsSettings(options: TlsOptions | undefined): object {
  if (options === undefined) return {};
  const { authorities, systemAuthorities, clientCertificates, insecureSkipVerify, serverName } = options;
  const own = authorities?.flatMap(certificatesIn) ?? [];
  const system = systemAuthorities || authorities === undefined ? systemCertificates() : [];
  return {
    ca: [...system, ...own],
    cert: clientCertificates.map(({ certificate }) => certificate),
    key: clientCertificates.map(({ key }) => key),
    rejectUnauthorized: !insecureSkipVerify,
    ...(serverName === undefined ? {} : { servername: serverName }),
  };
}

/** The certificates that the system trusts; Node's own list if this release cannot read them. */
function systemCertificates(): readonly string[] {
  const { getCACertificates } = tls as { getCACertificates?: (type: string) => string[] };
  if (getCACertificates === undefined) return tls.rootCertificates;
  const found = getCACertificates('system');
  return found.length > 0 ? found : tls.rootCertificates;
}

function exchange(
  request: NetworkRequest,
  agent: http.Agent,
  secure: boolean,
  signal: AbortSignal,
): Promise<NetworkResponse> {
  const url = new URL(request.url);
  return new Promise((resolve, reject) => {
    const options: http.RequestOptions = {
      method: request.method,
      agent,
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port,
      path: url.pathname + url.search,
      headers: headersOf(request, url),
      setHost: false,
      signal,
      ...(request.socket === undefined ? {} : { socketPath: request.socket }),
    };
    const expired = () => fail(new NetworkError('timed out', true, begun));
    const timer = request.timeoutMs > 0 ? setTimeout(expired, timerMs(request.timeoutMs)) : undefined;
    let silence = limited(request.headerTimeoutMs);
    let sent: http.ClientRequest | undefined;
    let begun = false;
    let bytesBefore = 0;
    function limited(limitMs: number | undefined) {
      return limitMs === undefined ? undefined : setTimeout(expired, timerMs(limitMs));
    }
    function end() {
      clearTimeout(timer);
      clearTimeout(silence);
    }
    function fail(error: Error) {
      end();
      sent?.destroy();
      if (error instanceof NetworkError) return reject(error);
      const isSilent = !begun && sent?.reusedSocket === true && sent.socket?.bytesRead === bytesBefore;
      const isEnded = isSilent && /^(?:ECONNRESET|EPIPE)$/.test((error as NodeJS.ErrnoException).code ?? '');
      reject(new (isEnded ? EndedConnection : NetworkError)(networkReason(error, request), false));
    }
    try {
      sent = (secure ? https : http).request(options);
    } catch (error) {
      fail(error as Error);
      return;
    }
    sent.on('socket', ({ bytesRead }) => {
      bytesBefore = bytesRead;
    });
    // After the response has begun, its stream reports errors.
    sent.on('error', (error) => {
      if (!begun) fail(error);
    });
    sent.on('response', (message: http.IncomingMessage) => {
      begun = true;
      clearTimeout(silence);
      silence = limited(request.bodySilenceMs);
      message.on('data', () => silence?.refresh());
      if (request.onBody !== undefined) countBody(message, request.onBody);
      collect(message, request, (answer) => {
        if (answer instanceof Error) return fail(answer);
        end();
        // Some servers end the connection behind their answer. A turn of the event loop sees it,
        // so that the next request takes another connection.
        setImmediate(() => setImmediate(resolve, answer));
      });
    });
    sent.end(request.body);
  });
}

// Headers that the request determines itself; the caller's values are ignored.
const ownHeaders: ReadonlySet<string> = new Set(['host', 'content-length', 'transfer-encoding', 'trailer']);

/** Headers in the order of the reference's platform. */
function headersOf(request: NetworkRequest, url: URL): Record<string, string> {
  const given = new Map(request.headers.map(([name, value]) => [name.toLowerCase(), [name, value] as const]));
  const headers: Record<string, string> = Object.create(null);
  headers.Host = octets(given.get('host')?.[1] ?? url.host);
  const length = request.body?.length ?? 0;
  if (length > 0 || ['POST', 'PUT', 'PATCH'].includes(request.method)) headers['Content-Length'] = String(length);
  if (url.username !== '' && !given.has('authorization')) {
    const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    given.set('authorization', ['Authorization', `Basic ${Buffer.from(credentials).toString('base64')}`]);
  }
  for (const [key, [name, value]] of [...given].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (!ownHeaders.has(key)) headers[name] = octets(value);
  }
  if (!given.has('accept-encoding') && !given.has('range') && request.method !== 'HEAD')
    headers['Accept-Encoding'] = 'gzip';
  return headers;
}

/** Node represents each byte of a header as one character; the reference uses UTF-8. */
function octets(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

function textOf(characters: string): string {
  return Buffer.from(characters, 'latin1').toString('utf8');
}

/** Tells how much of a body has arrived. */
function countBody(message: http.IncomingMessage, onBody: NonNullable<NetworkRequest['onBody']>): void {
  const length = message.headers['content-length'];
  let received = 0;
  message.on('data', (chunk: Uint8Array) =>
    onBody((received += chunk.length), length === undefined ? undefined : Number(length)),
  );
}

/** Reads a body to its end, and inflates it unless the caller asked for the encoding. */
function collect(
  message: http.IncomingMessage,
  request: NetworkRequest,
  done: (answer: Error | NetworkResponse) => void,
): void {
  const asked = request.headers.some(([name]) => name.toLowerCase() === 'accept-encoding');
  const inflates = !asked && message.headers['content-encoding']?.toLowerCase() === 'gzip';
  const body = inflates ? message.pipe(createGunzip()) : message;
  const chunks: Uint8Array[] = [];
  let size = 0;
  body.on('data', (chunk: Uint8Array) => {
    size += chunk.length;
    if (size > request.maxBodyBytes) {
      message.destroy();
      done(new NetworkError(`response body is larger than ${request.maxBodyBytes} bytes`, false, true));
    } else chunks.push(chunk);
  });
  const broken = (error: Error) =>
    done(new NetworkError(networkReason(error).replace(/^EOF$/, 'unexpected EOF'), false, true));
  body.on('error', broken);
  if (inflates) message.on('error', broken);
  body.on('end', () => {
    if (!message.complete) {
      done(new NetworkError('unexpected EOF', false, true));
      return;
    }
    const dropped = new Set(inflates ? ['content-encoding', 'content-length'] : [])
      .add('transfer-encoding')
      .add('trailer');
    const headers: [string, string][] = [];
    // Names and values in turn.
    for (const [i, name] of message.rawHeaders.entries()) {
      if (i % 2 === 0 && !dropped.has(name.toLowerCase()))
        headers.push([name, textOf(message.rawHeaders[i + 1] ?? '')]);
    }
    done({
      statusCode: message.statusCode ?? 0,
      statusText: textOf(message.statusMessage ?? ''),
      headers,
      body: Buffer.concat(chunks),
    });
  });
}

async function lookUp(name: string, signal: AbortSignal): Promise<readonly string[]> {
  const own = parseIp(name);
  if (own !== undefined) return [ipText(own)];
  if (name === '' || /[\s/]/.test(name)) throw new NetworkError(`lookup ${name}: no such host`, false);
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new NetworkError(`lookup ${name}: operation was canceled`, false)), {
      once: true,
    });
  });
  try {
    const found = await Promise.race([lookup(name, { all: true, verbatim: true }), aborted]);
    return found.map(({ address }) => {
      const ip = parseIp(address);
      return ip === undefined ? address : ipText(ip);
    });
  } catch (error) {
    if (error instanceof NetworkError) throw error;
    throw new NetworkError(`lookup ${name}: ${networkReason(error as NodeJS.ErrnoException)}`, false);
  }
}
