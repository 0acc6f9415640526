/** Requests of one connection are handled in turn, as Go's server does. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Handler } from './refusals.js';

/**
 * A handler that calls the given one for a request once the answers to the earlier requests of its
 * connection have been sent. A request sees what earlier ones wrote, and a client that sends
 * requests and reads no answers is read no further.
 */
export function inTurn(handler: Handler): Handler {
  // The requests of each connection that has one in hand. They are called in their order.
  const waiting = new WeakMap<Socket, (() => void)[]>();

  const handle = (socket: Socket, incoming: IncomingMessage, response: ServerResponse) => {
    response.once('close', () => next(socket));
    handler(incoming, response);
  };

  const next = (socket: Socket) => {
    const queue = waiting.get(socket)!;
    const first = queue.shift();
    if (first === undefined) waiting.delete(socket);
    else if (!socket.destroyed) {
      if (queue.length === 0) socket.resume();
      first();
    }
  };

  return (incoming, response) => {
    const { socket } = incoming;
    const queue = waiting.get(socket);
    if (queue === undefined) {
      waiting.set(socket, []);
      handle(socket, incoming, response);
      return;
    }
    queue.push(() => handle(socket, incoming, response));
    // The parser asks for more at the end of each request, so the pause begins behind its bytes.
    process.nextTick(() => {
      if (queue.length > 0) socket.pause();
    });
  };
}
