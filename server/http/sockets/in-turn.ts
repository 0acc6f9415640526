/** Requests of one connection are handled in turn, as Go's server does. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { RequestListener } from './refusals.js';

/**
 * A handler that calls the given one for a request once the answers to the earlier requests of its
 * connection have been sent. A request sees what earlier ones wrote, and a client that sends
 * requests and reads no answers is read no further.
 */
export function inTurn(handler: RequestListener): RequestListener {
  const turns = new WeakMap<Socket, Turns>();
  return (incoming, response) => {
    const { socket } = incoming;
    let ofSocket = turns.get(socket);
    if (ofSocket === undefined) turns.set(socket, (ofSocket = new Turns(socket, handler)));
    ofSocket.add(incoming, response);
  };
}

/** The requests of one connection. */
class Turns {
  readonly #socket: Socket;
  readonly #handler: RequestListener;
  #isBusy = false;
  readonly #waiting: (readonly [IncomingMessage, ServerResponse])[] = [];

  constructor(socket: Socket, handler: RequestListener) {
    this.#socket = socket;
    this.#handler = handler;
  }

  add(incoming: IncomingMessage, response: ServerResponse): void {
    if (!this.#isBusy) {
      this.#handle(incoming, response);
      return;
    }
    this.#waiting.push([incoming, response]);
    // The parser asks for more at the end of each request, so the pause begins behind its bytes.
    process.nextTick(this.#pause);
  }

  #handle(incoming: IncomingMessage, response: ServerResponse): void {
    this.#isBusy = true;
    response.on('close', this.#next);
    this.#handler(incoming, response);
  }

  readonly #pause = (): void => {
    if (this.#waiting.length > 0) this.#socket.pause();
  };

  readonly #next = (): void => {
    this.#isBusy = false;
    const next = this.#waiting.shift();
    if (next === undefined || this.#socket.destroyed) return;
    if (this.#waiting.length === 0) this.#socket.resume();
    this.#handle(...next);
  };
}
