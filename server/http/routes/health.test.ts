import { expect, test } from 'vitest';
import { testServer } from '../../../test/harness/server/app.js';

const policies = {
  h: 'package system.health\nok["a b"] := true\nconflict := true if input.plugin_state\nconflict := false if input.plugin_state',
};

test('rules are named as the language writes them', async () => {
  const { ask } = await testServer({ policies });
  expect((await ask('GET', '/health/ok/a%20b')).status).toBe(200);
  const { status, text } = await ask('GET', '/health/ok/a%2Fb/0');
  expect([status, JSON.parse(text)]).toEqual([500, { error: 'health check (data.system.health.ok["a/b"][0]) was undefined' }]);
});

test('an evaluation that fails says why', async () => {
  const { ask } = await testServer({ policies });
  const { status, text } = await ask('GET', '/health/conflict');
  expect([status, JSON.parse(text)]).toEqual([
    500,
    { error: 'h:4: eval_conflict_error: complete rules must not produce multiple outputs' },
  ]);
});

test('a name that no query can have is a parameter that is wrong', async () => {
  const { ask } = await testServer({ policies });
  const { status, text } = await ask('GET', '/health/a%22b');
  expect([status, JSON.parse(text)]).toEqual([400, { code: 'invalid_parameter', message: `invalid path: invalid ref term 'a"b'` }]);
});
