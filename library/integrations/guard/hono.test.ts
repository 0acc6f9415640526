import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { guard } from './hono.js';

test('a response whose headers cannot be changed, as that of fetch, gets the id of the decision', async () => {
  const app = new Hono();
  app.use(
    guard(
      () => true,
      () => ({}),
      { decisionId: () => 'd-1' },
    ),
  );
  app.get('/', () => fetch('data:text/plain,ok'));
  const response = await app.request('/');
  expect([response.status, response.headers.get('x-decision-id'), await response.text()]).toEqual([200, 'd-1', 'ok']);
});
