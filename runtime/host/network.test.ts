import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { NetworkRequest } from '../builtins/host-network.js';
import { nodeNetwork } from './network.js';

/** A server that breaks each connection off at its second request. */
async function onceServer() {
  const used = new WeakSet<Socket>();
  const methods: string[] = [];
  const server = createServer(({ socket, method }, response) => {
    methods.push(method!);
    if (used.has(socket)) socket.destroy();
    else response.end('answer');
    used.add(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const network = nodeNetwork();
  onTestFinished(async () => {
    await network.close();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const ask = async (method: string, headers: NetworkRequest['headers'] = []) => {
    const request = { method, url, headers, body: undefined, tls: undefined, socket: undefined, timeoutMs: 10_000, maxBodyBytes: 1000 };
    const { body } = await network.request(request, new AbortController().signal);
    return Buffer.from(body).toString();
  };
  return { methods, ask };
}

test.each<readonly [string, NetworkRequest['headers']]>([
  ['GET', []],
  ['OPTIONS', []],
  ['POST', [['Idempotency-Key', '1']]],
])('a %s that meets a connection which the server has ended is sent on another one', async (method, headers) => {
  const { ask, methods } = await onceServer();
  for (let i = 0; i < 3; i++) expect(await ask(method, headers)).toBe('answer');
  expect(methods).toHaveLength(5);
});

test('a request that may have an effect is not sent again', async () => {
  const { ask, methods } = await onceServer();
  expect(await ask('POST')).toBe('answer');
  await expect(ask('POST')).rejects.toThrow('EOF');
  expect(methods).toHaveLength(2);
});
