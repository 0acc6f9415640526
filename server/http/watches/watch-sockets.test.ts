/** Watches over sockets of this process: clients that leave, and clients that do not read. */
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { type TestServer, testServer } from '../../../test/harness/server/app.js';
import { type ListenOptions, listen } from '../sockets/listen.js';

interface Listening extends TestServer {
  readonly port: number;
  /** Writes the document `data.x`. */
  write(value: string | number): Promise<void>;
  /** Resolves once there are so many watches. */
  hasWatches(count: number): Promise<void>;
}

async function listening(options: ListenOptions = {}): Promise<Listening> {
  const server = await testServer({ data: { x: 0 } });
  const listener = await listen(server.app, '127.0.0.1:0', options);
  onTestFinished(() => listener.close(0));
  const watches = await server.context.engine.watches();
  return {
    ...server,
    port: Number(new URL(listener.url).port),
    write: async (value) => void (await server.context.engine.commit({ data: [{ op: 'write', path: ['x'], value }] })),
    hasWatches: async (count) => {
      while (watches.size !== count) await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

/** A function that resolves with all that a stream has received once that has a text. */
function receiving(stream: Readable): (part: string) => Promise<string> {
  let text = '';
  stream.on('data', (chunk: string) => {
    text += chunk;
  });
  return async (part) => {
    while (!text.includes(part)) await once(stream, 'data');
    return text;
  };
}

/** A connection that watches `data.x`, and what it receives. */
async function watching(port: number): Promise<{ readonly socket: Socket; received(part: string): Promise<string> }> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  socket.write('GET /v1/data/x?watch HTTP/1.1\r\nHost: writ\r\n\r\n');
  const received = receiving(socket);
  await received('{"result":0}');
  return { socket, received };
}

test('a watch is one chunked response, and ends when its client leaves', async () => {
  const server = await listening();
  const { socket, received } = await watching(server.port);
  await server.write(1);
  expect(await received('{"result":1}')).toMatch(
    /^HTTP\/1\.1 200 OK\r\ncontent-type: application\/json\r\n(?:.*\r\n)*Transfer-Encoding: chunked\r\n\r\nd\r\n\{"result":0\}\n\r\nd\r\n\{"result":1\}\n\r\n$/,
  );
  await server.hasWatches(1);
  socket.destroy();
  await server.hasWatches(0);
});

test('a watch over HTTP/2 goes on after other requests of its connection, and ends with its stream', async () => {
  const server = await listening({ h2c: true });
  const session = connectHttp2(`http://127.0.0.1:${server.port}`);
  onTestFinished(() => session.destroy());
  const stream = session.request({ ':path': '/v1/data/x?watch', ':method': 'POST' }).setEncoding('utf8');
  stream.end('{"input": 1}');
  const received = receiving(stream);
  await received('{"result":0}\n');
  await server.write(1);
  await received('{"result":1}\n');
  await once(session.request({ ':path': '/health' }).resume(), 'end');
  await server.write(2);
  expect(await received('2}\n')).toBe('{"result":0}\n{"result":1}\n{"result":2}\n');
  stream.close();
  await server.hasWatches(0);
});

test('a client that does not read gets the last document once it reads', async () => {
  const server = await listening();
  const { socket, received } = await watching(server.port);
  socket.pause();
  const long = 'x'.repeat(2 ** 20);
  const count = 60;
  for (let i = 0; i < count; i++) await server.write(`${i} ${long}`);
  await server.write('the last');
  socket.resume();
  const text = await received('the last');
  // The server keeps no more than the system takes and one chunk.
  expect(text.length).toBeLessThan((count / 2) * long.length);
  socket.destroy();
  await server.hasWatches(0);
});

test('the end of all watches ends their responses', async () => {
  const server = await listening();
  const { received } = await watching(server.port);
  server.context.engine.endWatches();
  expect(await received('\r\n0\r\n\r\n')).toContain('{"result":0}');
  await server.hasWatches(0);
});
