/** A server in front of others: a connection's first bytes tell which of them it is for. */
import { createServer, type Server, type Socket } from 'node:net';

/** So long a connection may say nothing. */
const silenceMs = 60_000;

/** Hands each connection on, or answers it with a text and ends it. */
export function sortingServer(choose: (first: Buffer) => Server | string): Server {
  return createServer({ keepAlive: true }, (socket: Socket) => {
    const drop = () => void socket.destroy();
    socket.on('error', drop);
    socket.setTimeout(silenceMs, drop);
    socket.once('data', (first) => {
      socket.setTimeout(0);
      socket.off('timeout', drop);
      socket.pause();
      const chosen = choose(first as Buffer);
      if (typeof chosen === 'string') {
        socket.end(chosen);
        return;
      }
      socket.unshift(first);
      chosen.emit('connection', socket);
      process.nextTick(() => socket.resume());
    });
  });
}
