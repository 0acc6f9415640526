/** One request and what is known of it, before and beside Hono's view of it. */
import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { Caller } from '../../../engine/evaluation/caller.js';
import type { NdBuiltinCache } from '../../../engine/evaluation/nd-builtin-cache.js';
import type { Value } from '../../../runtime/values/value.js';
import { Deadline } from './deadline.js';
import { RequestMemory } from './memory.js';
import { noParams, Params } from './params.js';

/** What @hono/node-server hands to an app; absent where a test calls the app itself. */
export interface NodeBindings {
  readonly incoming?: IncomingMessage;
}

export class Exchange implements Caller {
  readonly request: Request;
  readonly method: string;
  /** As it was sent, without the query. */
  readonly path: string;
  /** Counts requests since the start. */
  readonly id: number;
  /** A reading of `performance.now()`. */
  readonly started: number;
  readonly deadline: Deadline;
  readonly wantsJson = true;
  /** The name of the matched route in `/metrics`. */
  label = 'catchall';
  readonly incoming: IncomingMessage | undefined;
  readonly #query: string;
  #params: Params | undefined;
  #memory: RequestMemory | undefined;
  /** What built-ins answered that may answer otherwise next time, where a log wants it. */
  answers: NdBuiltinCache | undefined;
  /** The body where somebody has read it before the route does. */
  body: Promise<Uint8Array> | undefined;
  /** What is in the body where somebody has parsed it before the route does. */
  document: { readonly value: Value | undefined } | undefined;
  /** The answer's body as it is sent. */
  sent: string | Uint8Array | null = null;

  /** @param limitMs milliseconds in which it is answered; 0 is no limit */
  constructor(request: Request, { incoming }: NodeBindings, id: number, limitMs: number) {
    this.request = request;
    this.incoming = incoming;
    this.id = id;
    this.started = performance.now();
    this.deadline = new Deadline(limitMs);
    // Hono's request has no TRACE, and its URL has been normalised.
    this.method = incoming?.method ?? request.method;
    const target = targetOf(incoming?.url ?? request.url);
    const mark = target.indexOf('?');
    this.path = mark < 0 ? target : target.slice(0, mark);
    this.#query = mark < 0 ? '' : target.slice(mark + 1);
  }

  /** With its question mark, empty where there is none. */
  get search(): string {
    return this.#query === '' ? '' : `?${this.#query}`;
  }

  get params(): Params {
    return (this.#params ??= this.#query === '' ? noParams : new Params(this.#query));
  }

  /** Aborted when the client goes away. */
  get signal(): AbortSignal {
    return this.request.signal;
  }

  get take(): RequestMemory['take'] {
    return this.memory.take;
  }

  /** What it takes beyond what every request does; given back when it is answered. */
  get memory(): RequestMemory {
    return (this.#memory ??= new RequestMemory());
  }

  /** Gives back what it took. */
  release(): void {
    this.#memory?.release();
  }

  header(name: string): string | undefined {
    if (this.incoming === undefined) return this.request.headers.get(name) ?? undefined;
    const value = this.incoming.headers[name];
    return value === undefined ? undefined : asUtf8(typeof value === 'string' ? value : value.join(', '));
  }

  /** All headers under the names that Go gives them, each with its values in order. */
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
      for (let i = 0; i < rawHeaders.length; i += 2) {
        // HTTP/2 has the request line among the headers.
        if (!rawHeaders[i]!.startsWith(':')) add(rawHeaders[i]!, asUtf8(rawHeaders[i + 1]!));
      }
    }
    found.delete('Host');
    return found;
  }

  /** The client's address. */
  get client(): string {
    return this.incoming?.socket.remoteAddress ?? '';
  }

  /** Address and port of the client. */
  get clientAddress(): string {
    const socket = this.incoming?.socket;
    if (socket?.remoteAddress === undefined) return '';
    const { remoteAddress, remotePort } = socket;
    return remoteAddress.includes(':') ? `[${remoteAddress}]:${remotePort}` : `${remoteAddress}:${remotePort}`;
  }

  /** The socket where it is one of TLS. */
  get tls(): TLSSocket | undefined {
    const socket = this.incoming?.socket as TLSSocket | undefined;
    return socket?.encrypted === true ? socket : undefined;
  }
}

/** `/v1/data?x` of a path or of a whole address. */
function targetOf(url: string): string {
  if (url.startsWith('/')) return url;
  const rest = /^[a-z]+:\/\/[^/?#]*([^#]*)/i.exec(url)?.[1] ?? '/';
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** The text of a header's bytes, of which Node makes a character each. */
function asUtf8(value: string): string {
  return /^[\u0000-\u007f]*$/.test(value) ? value : Buffer.from(value, 'latin1').toString('utf8');
}

/** `X-One` for `x-one`. */
function canonicalName(name: string): string {
  return name.toLowerCase().replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
}
