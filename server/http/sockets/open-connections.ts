/** Counts the connections of a server. */
import type { Server, Socket } from 'node:net';

/**
 * The open connections of a server: Node's count leaves out those that another process accepts and
 * passes on.
 */
export class OpenConnections {
  #count = 0;
  #whenNone: (() => void) | undefined;

  constructor(accepts: Server) {
    accepts.on('connection', (socket: Socket) => {
      this.#count++;
      socket.once('close', () => {
        this.#count--;
        if (this.#count === 0) this.#whenNone?.();
      });
    });
  }

  /** Resolves once there are none. */
  async none(): Promise<void> {
    if (this.#count === 0) return;
    await new Promise<void>((resolve) => {
      this.#whenNone = resolve;
    });
  }
}
