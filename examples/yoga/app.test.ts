import assert from 'node:assert/strict';
import test from 'node:test';
import { yoga } from './app.ts';

async function ask(user: string, query: string, variables = {}) {
  const headers = { 'content-type': 'application/json', 'x-user': user };
  const response = await yoga.fetch('http://host/graphql', { method: 'POST', headers, body: JSON.stringify({ query, variables }) });
  return {
    status: response.status,
    id: response.headers.get('x-decision-id'),
    ...((await response.json()) as { data?: object; errors?: [{ message: string; extensions: Record<string, unknown> }] }),
  };
}

const read = 'query ($id: ID!) { order(id: $id) { item } }';

test('orders behind a guard of GraphQL Yoga', async () => {
  assert.deepEqual((await ask('alice', read, { id: '1' })).data, { order: { item: 'tea' } });
  assert.deepEqual((await ask('bob', '{ orders { item } }')).data, { orders: [] });

  const { status, id, data, errors } = await ask('bob', read, { id: '1' });
  assert.deepEqual([status, data, errors?.[0].message], [403, undefined, 'only alice may read this order']);
  const { code, reasons, decision_id } = errors![0].extensions;
  assert.deepEqual([code, reasons, decision_id], ['FORBIDDEN', ['only alice may read this order'], id]);

  // Fragments and aliases do not hide a field.
  const hidden = 'query ($id: ID!) { ...F } fragment F on Query { orders: order(id: $id) { item } }';
  assert.equal((await ask('bob', hidden, { id: '1' })).status, 403);

  // The input cannot be made: an error, and no allow.
  const failed = await ask('alice', '{ order(id: "1") { item } }');
  assert.deepEqual([failed.status, failed.data], [500, undefined]);
});
