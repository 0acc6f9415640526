import { expect, test } from 'vitest';
import { Engine } from '../index.js';

const policy = 'package authz\n\nallow if input.record.owner == input.user\n\ndefault level := 1\n\nlevel := 2 if input.record.open';

test('what is left of a query is text', async () => {
  const engine = await Engine.open({ policies: { 'authz.rego': policy } });
  const options = { unknowns: ['input.record'], input: { user: 'alice' } };
  expect(await engine.partial('data.authz.allow', options)).toEqual({ queries: ['"alice" = input.record.owner'], modules: [] });
  expect(await engine.partial('data.authz.level > 1', options)).toEqual({
    queries: ['data.partial.authz.level > 1'],
    modules: ['package partial.authz\n\ndefault level := 1\n\nlevel := 2 if input.record.open\n'],
  });
  expect(await engine.partial('1 < 0')).toEqual({ queries: [], modules: [] });
  expect(await engine.partial('1 > 0')).toEqual({ queries: [''], modules: [] });
});
