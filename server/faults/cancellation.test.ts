import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { testServer } from '../../test/harness/server/app.js';
import { listen } from '../http/sockets/listen.js';

test.each([
  ['a decision', '/v1/data/p/x', '{"input": 1}'],
  ['a webhook', '/v0/data/p/x', '1'],
  ['the default decision', '/', '1'],
  ['a query', '/v1/query', '{"query": "x := data.p.x"}'],
])('%s that waits for another server waits no longer than its client', async (_title, path, body) => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const rego = `x := http.send({"method": "get", "url": "http://127.0.0.1:${port}/", "timeout": "60s"})`;
  const policies = { 'p.rego': `package p\n\n${rego}\n`, 'main.rego': 'package system\n\nmain := data.p.x\n' };
  const { app } = await testServer({ policies });
  const listener = await listen(app, '127.0.0.1:0');
  try {
    const client = new AbortController();
    const asked = once(other, 'request');
    const answer = fetch(listener.url + path, { method: 'POST', body, signal: client.signal });
    const [waiting] = await asked;
    const gone = once(waiting.socket, 'close');
    client.abort();
    await expect(answer).rejects.toThrow();
    await gone;
  } finally {
    await listener.close(0);
    other.closeAllConnections();
    other.close();
  }
});
