/** A server in front of others: the first bytes of a connection choose one of them. */
import { createServer, type Server, type Socket } from 'node:net';

/** The longest time until the first bytes of a connection. */
const silenceMs = 60_000;

/** A server that accepts connections for others, and a function that ends these connections. */
interface SortingServer {
  readonly accepts: Server;
  readonly end: () => void;
}

/** Passes each connection to the chosen server, or answers it with the chosen text and ends it. */
export function sortingServer(choose: (first: Buffer) => Server | string): SortingServer {
  // Node's server of HTTPS has no list of connections in their handshake.
  const open = new Set<Socket>();
  const accepts = createServer({ keepAlive: true }, (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    const drop = () => void socket.destroy();
    socket.on('error', drop);
    socket.setTimeout(silenceMs, drop);
    socket.once('data', (first) => {
      const chosen = choose(first as Buffer);
      if (typeof chosen === 'string') {
        // Later data is read and dropped: unread data would hide the end of the connection.
        socket.end(chosen);
        return;
      }
      socket.setTimeout(0);
      socket.off('timeout', drop);
      socket.pause();
      socket.unshift(first);
      chosen.emit('connection', socket);
      process.nextTick(() => socket.resume());
    });
  });
  const end = () => {
    for (const socket of open) socket.destroy();
  };
  return { accepts, end };
}
