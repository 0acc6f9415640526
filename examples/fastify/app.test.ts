import test from 'node:test';
import { checkOrders } from '../check-orders.ts';
import { app } from './app.ts';

test('orders behind a guard of Fastify', async () => {
  await checkOrders(await app.listen({ host: '127.0.0.1', port: 0 }));
  await app.close();
});
