import assert from 'node:assert/strict';
import test from 'node:test';
import { orders, userOf } from '../data.ts';
import { router } from './app.ts';

const as = (name: string) => router.createCaller({ user: userOf(name) });

test('orders behind a guard of tRPC', async () => {
  assert.equal((await as('alice').read('1')).item, 'tea');
  assert.equal((await as('sam').read('1')).item, 'tea');
  await assert.rejects(as('bob').read('1'), { name: 'TRPCError', code: 'FORBIDDEN', message: 'only alice may read this order' });
  const order = { id: '3', owner: 'alice', item: 'milk' };
  await assert.rejects(as('sam').create(order), { code: 'FORBIDDEN' });
  assert.equal(orders.has('3'), false);
  assert.deepEqual(await as('alice').create(order), order);
  // The input cannot be made: an error, and no allow.
  await assert.rejects(as('alice').read('9'), { code: 'INTERNAL_SERVER_ERROR' });
});
