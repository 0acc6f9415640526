import { expect, test } from 'vitest';
import { createApp } from '../../server/http/app.js';
import { testServer } from '../../test/harness/server/app.js';
import type { HeldRequest, HoldFilter } from './host.js';
import { HoldingGate } from './request-holder.js';

const policies = { p: 'package p\n\nallow if input.user == "alice"\n\nuser := input.user\n' };

async function serve(config = {}) {
  const { context } = await testServer({ policies, config });
  const gate = new HoldingGate(context.engine, () => Promise.reject(new Error('not asked for')));
  const app = createApp({ ...context, gate });
  const ask = async (path: string, user: string) => {
    const isV1 = path.startsWith('/v1');
    const body = JSON.stringify(isV1 ? { input: { user } } : { user });
    return await (await app.fetch(new Request(`http://localhost${path}`, { method: 'POST', body }))).text();
  };
  const hold = async (path?: string, condition?: string) => {
    const held: HeldRequest[] = [];
    const filter: HoldFilter = { path, condition };
    const stop = await gate.hold(filter, (request) => held.push(request));
    return { held, stop };
  };
  return { ask, hold };
}

/** Waits for other tasks a few times: a request that is not held is answered meanwhile. */
const turns = async () => {
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
};

test('one request that fits is held, others go on', async () => {
  const { ask, hold } = await serve();
  const { held, stop } = await hold('p/user', 'input.user == "bob"');
  const first = ask('/v1/data/p/user', 'bob');
  await turns();
  expect(held.map(({ name }) => name)).toEqual(['POST p/user']);
  // The same path again, another input, another path.
  expect(JSON.parse(await ask('/v1/data/p/user', 'bob'))).toMatchObject({ result: 'bob' });
  expect(JSON.parse(await ask('/v1/data/p/user', 'alice'))).toMatchObject({ result: 'alice' });
  expect(JSON.parse(await ask('/v1/data/p/allow', 'alice'))).toMatchObject({ result: true });
  held[0]!.release();
  expect(JSON.parse(await first)).toMatchObject({ result: 'bob' });
  const second = ask('/v1/data/p/user', 'bob');
  await turns();
  expect(held).toHaveLength(2);
  stop();
  expect(JSON.parse(await second)).toMatchObject({ result: 'bob' });
  await ask('/v1/data/p/user', 'bob');
  expect(held).toHaveLength(2);
});

test.each([
  [undefined, '/v1/data/p/user', true],
  ['data.p', '/v1/data/p/user', true],
  ['p', '/v0/data/p/user', true],
  ['p/user', '/v1/data/p', false],
  ['p/us', '/v1/data/p/user', false],
])('whether a client that waits for %s holds %s: %j', async (path, asked, isHeld) => {
  const { ask, hold } = await serve();
  const { held, stop } = await hold(path);
  const answer = ask(asked, 'bob');
  await turns();
  expect(held).toHaveLength(isHeld ? 1 : 0);
  stop();
  await answer;
});

test('while a request is held its time limit does not pass', async () => {
  const { ask, hold } = await serve({ server: { decision_timeout_seconds: 0.1 } });
  const { held } = await hold();
  const answer = ask('/v1/data/p/user', 'bob');
  await turns();
  await new Promise((resolve) => setTimeout(resolve, 200));
  held[0]!.release();
  expect(JSON.parse(await answer)).toMatchObject({ result: 'bob' });
});

test('two clients hold a request each', async () => {
  const { ask, hold } = await serve();
  const clients = [await hold('p'), await hold('p')];
  const answers = [ask('/v1/data/p/user', 'a'), ask('/v1/data/p/user', 'b'), ask('/v1/data/p/user', 'c')];
  expect(JSON.parse(await answers[2]!)).toMatchObject({ result: 'c' });
  expect(clients.map(({ held }) => held.length)).toEqual([1, 1]);
  for (const { stop } of clients) stop();
  await Promise.all(answers);
});

test.each(['input.user ==', 'http.send({"method": "get", "url": "http://localhost"})', 'nosuch(1)'])(
  'the condition %s is refused',
  async (condition) => {
    const { hold } = await serve();
    await expect(hold('p', condition)).rejects.toThrow(/cannot be used/);
  },
);

test('a condition that fails for an input does not hold it', async () => {
  const { ask, hold } = await serve();
  const { held } = await hold('p', 'input.user > 1; input.user.x.y');
  expect(JSON.parse(await ask('/v1/data/p/user', 'bob'))).toMatchObject({ result: 'bob' });
  expect(held).toEqual([]);
});
