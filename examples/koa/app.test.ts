import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import test from 'node:test';
import { checkOrders } from '../check-orders.ts';
import { app } from './app.ts';

test('orders behind a guard of Koa', async () => {
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  await checkOrders(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { creates: false });
  server.close();
});
