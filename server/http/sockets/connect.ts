/** Answers `CONNECT`, with which clients ask a proxy for a connection. */
import type { ServerApp } from '../app.js';
import type { RequestListener } from './refusals.js';

/**
 * The app answers with an error, as every server that is no proxy does. Node takes its parser off
 * the connection, so it ends with the answer.
 */
export function connectHandler(app: ServerApp): RequestListener {
  return (incoming, response) => {
    const { socket } = incoming;
    socket.on('error', () => socket.destroy());
    response.assignSocket(socket);
    response.shouldKeepAlive = false;
    response.on('finish', () => socket.destroySoon());
    // A Request can have neither this method nor its target: the app reads both from the message.
    void app.fetch(new Request('http://localhost/'), { incoming }).then(async (answer) => {
      const body = await answer.text();
      const headers = { ...Object.fromEntries(answer.headers), 'content-length': Buffer.byteLength(body) };
      response.writeHead(answer.status, headers).end(body);
    });
  };
}
