import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import test from 'node:test';
import { serve } from '@hono/node-server';
import { checkOrders } from '../check-orders.ts';
import { app } from './app.ts';

test('orders behind a guard of Hono', async () => {
  const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  await checkOrders(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  server.close();
});
