/** What every app answers over HTTP. */
import assert from 'node:assert/strict';

export async function checkOrders(base: string, { creates = true } = {}): Promise<void> {
  const read = (id: string, user: string) => fetch(`${base}/orders/${id}`, { headers: { 'x-user': user } });

  for (const user of ['alice', 'sam']) {
    const allowed = await read('1', user);
    assert.equal(allowed.status, 200, user);
    assert.deepEqual(await allowed.json(), { id: '1', owner: 'alice', item: 'tea' });
  }

  const denied = await read('1', 'bob');
  assert.equal(denied.status, 403);
  const body = (await denied.json()) as Record<string, unknown>;
  assert.deepEqual([body.error, body.reasons], ['Forbidden', ['only alice may read this order']]);
  assert.equal(body.decision_id, denied.headers.get('x-decision-id'));

  // The input cannot be made: an error, and no allow.
  assert.equal((await read('9', 'alice')).status, 500);

  if (!creates) return;
  const create = (owner: string, user: string) =>
    fetch(`${base}/orders`, {
      method: 'POST',
      headers: { 'x-user': user, 'content-type': 'application/json' },
      body: JSON.stringify({ id: '3', owner, item: 'milk' }),
    });
  const refused = await create('alice', 'sam');
  assert.equal(refused.status, 403);
  assert.deepEqual(((await refused.json()) as Record<string, unknown>).reasons, ['only alice may create this order']);
  assert.equal((await read('3', 'alice')).status, 500);
  assert.equal((await create('alice', 'alice')).status, 201);
  assert.equal((await read('3', 'alice')).status, 200);
}
