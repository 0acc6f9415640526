/** Bodies that go on: chunks are sent when they come, until the client or the server ends them. */
import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';

/** Takes the chunks of a body. */
export interface ChunkSink {
  /** Sends a chunk, and asks for the next once the client has room for it. */
  send(chunk: Uint8Array): void;
  end(): void;
}

export interface ChunkSource {
  /** Gives the next chunk, now or later, or ends the body. */
  next(sink: ChunkSink): void;
  /** The client is gone, or has all. */
  cancel(): void;
}

/**
 * Sends a body by the response of Node, and returns the mark of a response that is sent. Thousands
 * of bodies wait: a stream of the platform would keep a promise for each chunk until the next one,
 * and the collector copies these.
 */
export function sendChunks(
  source: ChunkSource,
  outgoing: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
): Response {
  outgoing.on('close', () => source.cancel());
  // A write that fails ends the connection too.
  outgoing.on('error', () => undefined);
  if (isGone(outgoing)) source.cancel();
  else {
    outgoing.writeHead(status, headers);
    source.next(new ResponseSink(source, outgoing));
  }
  // The listener knows the mark by its headers, which it reads of a response of the platform alone:
  // reading the body makes this one of those.
  void RESPONSE_ALREADY_SENT.body;
  return RESPONSE_ALREADY_SENT;
}

/** Whether its end is over: nothing would report it again. A response of HTTP/2 has a stream. */
function isGone(outgoing: ServerResponse & { readonly stream?: Writable }): boolean {
  return outgoing.destroyed || outgoing.stream?.destroyed === true;
}

class ResponseSink implements ChunkSink {
  readonly #source: ChunkSource;
  readonly #outgoing: ServerResponse;

  constructor(source: ChunkSource, outgoing: ServerResponse) {
    this.#source = source;
    this.#outgoing = outgoing;
  }

  send(chunk: Uint8Array): void {
    if (this.#outgoing.write(chunk)) this.#next();
    else this.#outgoing.once('drain', this.#next);
  }

  end(): void {
    this.#outgoing.end();
  }

  readonly #next = (): void => this.#source.next(this);
}

/** The same body as a stream, for callers without a response of Node. */
export function chunkStream(source: ChunkSource): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull: (controller) => {
      source.next({ send: (chunk) => controller.enqueue(chunk), end: () => controller.close() });
    },
    cancel: () => source.cancel(),
  });
}
