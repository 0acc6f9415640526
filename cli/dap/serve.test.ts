import { connect } from 'node:net';
import { DebugClient } from '@vscode/debugadapter-testsupport';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type DebugListener, debugAddress, isLoopback, listenForClients } from './serve.js';

let listener: DebugListener;
const faults: string[] = [];

beforeEach(async () => {
  faults.length = 0;
  const host = { launch: () => Promise.reject(new Error('nothing to launch')) };
  listener = await listenForClients(debugAddress('0'), host, (reason) => faults.push(reason));
});

afterEach(() => listener.close());

test('each client that connects has a session of its own', async () => {
  const clients = [1, 2, 3].map(() => new DebugClient('', '', 'rego'));
  await Promise.all(clients.map((client) => client.start(listener.address.port)));
  const bodies = await Promise.all(clients.map((client) => client.initializeRequest()));
  expect(bodies.map(({ body }) => body?.supportsStepBack)).toEqual([true, true, true]);
  await clients[0]!.disconnectRequest();
  expect(await clients[1]!.threadsRequest()).toMatchObject({ success: true });
  await Promise.all(clients.slice(1).map((client) => client.stop()));
});

test('a page in a browser cannot send a message: the connection is closed without an answer', async () => {
  const socket = connect(listener.address.port, '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}');
  const received: Buffer[] = [];
  socket.on('data', (chunk) => received.push(chunk));
  await new Promise((resolve) => socket.on('end', resolve));
  socket.destroy();
  expect(received).toEqual([]);
  expect(faults).toEqual([expect.stringContaining('no header')]);
});

test.each([
  ['4712', '127.0.0.1', 4712],
  [':4712', '127.0.0.1', 4712],
  ['localhost:1', 'localhost', 1],
  ['[::1]:4712', '::1', 4712],
  ['0.0.0.0:4712', '0.0.0.0', 4712],
])('%s is an address', (text, host, port) => {
  expect(debugAddress(text)).toEqual({ host, port });
});

test.each(['', 'localhost', 'a:b', '1:2:3', '127.0.0.1:65536', '::1:4712'])('%j is no address', (text) => {
  expect(() => debugAddress(text)).toThrow(/is no address/);
});

test.each([
  ['127.0.0.1', true],
  ['127.1.2.3', true],
  ['::1', true],
  ['localhost', true],
  ['0.0.0.0', false],
  ['::', false],
  ['127.0.0.1.example.com', false],
  ['10.0.0.1', false],
])('whether only this machine reaches %s: %j', (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});
