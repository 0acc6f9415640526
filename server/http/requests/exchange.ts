/** One request, with the parts of it that Hono's request does not have. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { Caller } from '../../../engine/index.js';
import type { Value } from '../../../values/index.js';
import type { TraceSpan } from '../../services/tracing/tracing.js';
import { Deadline } from './deadline.js';
import { noParams, Params } from './params.js';
import { RequestMemory } from './request-memory.js';

/** The bindings of @hono/node-server. A test that calls the app itself has none. */
export interface NodeBindings {
  readonly incoming?: IncomingMessage;
  readonly outgoing?: ServerResponse;
  /** The URL as it was sent and the body, of a request that a worker passes on. */
  readonly forwarded?: { readonly target: string; readonly body: Uint8Array; readonly author: string | undefined };
}

export class Exchange implements Caller {
  readonly request: Request;
  readonly method: string;
  /** The path as it was sent, without the query. */
  readonly path: string;
  /** The number of the request since the start. */
  readonly id: number;
  /** The start of the request, as `performance.now()` counts. */
  readonly started: number;
  readonly deadline: Deadline;
  /** The client's name, where the process that passed the request on knows it. */
  readonly author: string | undefined;
  readonly wantsJson = true;
  /** The name of the matched route in `/metrics`. */
  label = 'catchall';
  readonly incoming: IncomingMessage | undefined;
  /** Undefined where the app's caller sends the response. */
  readonly outgoing: ServerResponse | undefined;
  readonly #query: string;
  #params: Params | undefined;
  #memory: RequestMemory | undefined;
  /** The body, once it is read. */
  body: Promise<Uint8Array> | undefined;
  /** The body's document, once the authorization has parsed it. */
  document: { readonly value: Value | undefined } | undefined;
  /** Undefined where requests are not traced. */
  span: TraceSpan | undefined;
  /** Resolves when the decisions of the request are in the log that is shown beside the answer. */
  logged: Promise<unknown> | undefined;
  /** The revision of the log of writes that the answer is of: the lowest of its decisions. */
  revision: number;
  #hasSeen = false;
  /** The answer's body as it is sent. */
  sent: string | Uint8Array | null = null;

  /**
   * @param limitMs milliseconds in which it is answered; 0 is no limit
   * @param revision of the engine when it arrived
   */
  constructor(
    request: Request,
    { incoming, outgoing, forwarded }: NodeBindings,
    id: number,
    limitMs: number,
    revision: number,
  ) {
    this.revision = revision;
    this.request = request;
    this.incoming = incoming;
    this.outgoing = outgoing;
    this.id = id;
    this.author = forwarded?.author;
    this.started = performance.now();
    this.deadline = new Deadline(limitMs);
    // A Request cannot have the method TRACE, and its URL is normalized.
    this.method = incoming?.method ?? request.method;
    const target = targetOf(incoming?.url ?? forwarded?.target ?? request.url);
    this.body = forwarded && Promise.resolve(forwarded.body);
    const mark = target.indexOf('?');
    this.path = mark < 0 ? target : target.slice(0, mark);
    this.#query = mark < 0 ? '' : target.slice(mark + 1);
  }

  /** Notes the revision of a decision, a read or a write. */
  saw(revision: number): void {
    this.revision = this.#hasSeen ? Math.min(this.revision, revision) : revision;
    this.#hasSeen = true;
  }

  /** The query with its question mark; empty without a query. */
  get search(): string {
    return this.#query === '' ? '' : `?${this.#query}`;
  }

  get params(): Params {
    return (this.#params ??= this.#query === '' ? noParams : new Params(this.#query));
  }

  /** Aborted when the client closes the connection. */
  get signal(): AbortSignal {
    return this.request.signal;
  }

  get take(): RequestMemory['take'] {
    return this.memory.take;
  }

  /** The counted memory of a large request, until it is answered. */
  get memory(): RequestMemory {
    return (this.#memory ??= new RequestMemory());
  }

  /** Gives the counted memory back. */
  release(): void {
    this.#memory?.release();
  }

  header(name: string): string | undefined {
    if (this.incoming === undefined) return this.request.headers.get(name) ?? undefined;
    const value = this.incoming.headers[name];
    return value === undefined ? undefined : asUtf8(typeof value === 'string' ? value : value.join(', '));
  }

  /** All headers by Go's canonical names, each with its values in order. */
  headers(): ReadonlyMap<string, readonly string[]> {
    const found = new Map<string, string[]>();
    const add = (name: string, value: string) => {
      const canonical = canonicalName(name);
      const values = found.get(canonical);
      if (values === undefined) found.set(canonical, [value]);
      else values.push(value);
    };
    if (this.incoming === undefined) for (const [name, value] of this.request.headers) add(name, value);
    else {
      const { rawHeaders } = this.incoming;
      for (const [i, name] of rawHeaders.entries()) {
        // Names and values in turn. In HTTP/2 the parts of the request line are headers.
        if (i % 2 === 0 && !name.startsWith(':')) add(name, asUtf8(rawHeaders[i + 1] ?? ''));
      }
    }
    found.delete('Host');
    return found;
  }

  /** The client's address. */
  get client(): string {
    return addressOf(this.incoming) ?? '';
  }

  /** Address and port of the client. */
  get clientAddress(): string {
    const address = addressOf(this.incoming);
    if (address === undefined) return '';
    const { remotePort } = this.incoming!.socket;
    return address.includes(':') ? `[${address}]:${remotePort}` : `${address}:${remotePort}`;
  }

  /** The socket of a TLS connection; undefined for any other. */
  get tls(): TLSSocket | undefined {
    const socket = this.incoming?.socket as TLSSocket | undefined;
    return socket?.encrypted === true ? socket : undefined;
  }
}

/** An address of IPv4 as it is, also where the socket is of both families. */
function addressOf(incoming: IncomingMessage | undefined): string | undefined {
  return incoming?.socket.remoteAddress?.replace(/^::ffff:(?=\d+\.)/, '');
}

/** The path and query of a URL or of a path: `/v1/data?x`. */
function targetOf(url: string): string {
  if (url.startsWith('/')) return url;
  const rest = /^[a-z]+:\/\/[^/?#]*([^#]*)/i.exec(url)?.[1] ?? '/';
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** Decodes a header: Node makes one character of each of its bytes. */
function asUtf8(value: string): string {
  return /^[\u0000-\u007f]*$/.test(value) ? value : Buffer.from(value, 'latin1').toString('utf8');
}

/** `X-One` for `x-one`. */
function canonicalName(name: string): string {
  return name.toLowerCase().replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
}
