/** A bundle with a plan and without policies, seen by clients. */
import { expect, test } from 'vitest';
import { compile } from '../../compiler/compile.js';
import { type Bundle, emptyBundle } from '../../engine/bundle/bundle.js';
import { emptyManifest } from '../../engine/bundle/manifest.js';
import { type TestServer, testServer } from '../../test/harness/server/app.js';

const policies = {
  'authz.rego': `package authz

allow if input.user in data.authz.admins

roles[name] := ["admin", data.extra.role] if some name in data.authz.admins
`,
};

async function served(roots: readonly string[] = ['authz']): Promise<TestServer> {
  const server = await testServer({ data: { extra: { role: 'staff' } } });
  const policy = JSON.parse(JSON.stringify(compile({ policies, entrypoints: ['authz/allow', 'authz/roles'] })));
  const bundle: Bundle = {
    ...emptyBundle,
    manifest: { ...emptyManifest, revision: 'r1', roots },
    data: roots.length === 0 ? {} : { authz: { admins: ['ann'] } },
    plans: [{ path: '/plan.json', url: '/plan.json', bundlePath: '/plan.json', policy }],
  };
  await server.context.engine.commit({ bundles: new Map([['main', bundle]]) });
  return server;
}

const ann = '{"input": {"user": "ann"}}';
const roles = { ann: ['admin', 'staff'] };

test.each<[string, string, string, unknown]>([
  ['an entrypoint', '/v1/data/authz/allow', ann, { result: true }],
  ['one that is undefined', '/v1/data/authz/allow', '{"input": {"user": "bob"}}', {}],
  ['below an entrypoint', '/v1/data/authz/roles/ann/1', ann, { result: 'staff' }],
  ['below what it answers', '/v1/data/authz/roles/bob', ann, {}],
  ['above entrypoints', '/v1/data/authz', ann, { result: { admins: ['ann'], allow: true, roles } }],
  ['above all', '/v1/data', ann, { result: { authz: { admins: ['ann'], allow: true, roles }, extra: { role: 'staff' } } }],
  ['a base document', '/v1/data/authz/admins/0', ann, { result: 'ann' }],
  ['nothing', '/v1/data/authz/nosuch', ann, {}],
])('%s', async (_title, path, body, expected) => {
  const { ask } = await served();
  const { status, text } = await ask('POST', path, body);
  expect([status, JSON.parse(text)]).toEqual([200, expected]);
});

test('provenance names it, and webhooks and parameters are answered by it as well', async () => {
  const { ask } = await served();
  const { text } = await ask('POST', '/v1/data/authz/allow?provenance', ann);
  expect(JSON.parse(text)).toMatchObject({ result: true, provenance: { bundles: { main: { revision: 'r1' } } } });
  expect((await ask('POST', '/v0/data/authz/allow', '{"user": "ann"}')).text).toBe('true\n');
  expect((await ask('POST', '/v0/data/authz/allow', '{"user": "bob"}')).status).toBe(404);
  const input = encodeURIComponent('{"user": "ann"}');
  expect((await ask('GET', `/v1/data/authz/allow?input=${input}`)).text).toBe('{"result":true}\n');
});

test('policies do not show it, and queries see documents alone', async () => {
  const { ask } = await served();
  expect((await ask('GET', '/v1/policies')).text).toBe('{"result":[]}\n');
  const query = async (text: string) => JSON.parse((await ask('POST', '/v1/query', JSON.stringify({ query: text }))).text);
  expect(await query('x := data.authz.admins')).toEqual({ result: [{ x: ['ann'] }] });
  expect(await query('x := data.authz.allow')).toEqual({});
});

test('data and policies may be written beside it, and not within its roots', async () => {
  const { ask } = await served();
  expect((await ask('PUT', '/v1/data/extra/role', '"boss"')).status).toBe(204);
  expect((await ask('POST', '/v1/data/authz/roles/ann', ann)).text).toBe('{"result":["admin","boss"]}\n');
  for (const [method, path, body] of [
    ['PUT', '/v1/data/authz/admins', '["bob"]'],
    ['PUT', '/v1/data/authz/allow', 'true'],
    ['PATCH', '/v1/data/authz', '[{"op": "add", "path": "x", "value": 1}]'],
    ['PUT', '/v1/policies/mine', 'package authz\n\nallow := "mine"\n'],
  ] as const) {
    const { status, text } = await ask(method, path, body);
    expect([status, JSON.parse(text).code], `${method} ${path}`).toEqual([400, 'invalid_parameter']);
  }
  expect((await ask('PUT', '/v1/policies/mine', 'package mine\n\nx := data.authz.admins\n\ny := data.authz.allow\n')).status).toBe(200);
  expect((await ask('POST', '/v1/data/mine', ann)).text).toBe('{"result":{"x":["ann"]}}\n');
  expect((await ask('POST', '/v1/data/authz/allow', ann)).text).toBe('{"result":true}\n');
});

test('beside a plan that owns nothing, what both answer is the plan’s', async () => {
  const { ask } = await served([]);
  expect((await ask('PUT', '/v1/data/authz', '{"admins": ["ann"], "allow": "data"}')).status).toBe(204);
  expect((await ask('POST', '/v1/data/authz/allow', ann)).text).toBe('{"result":true}\n');
  expect((await ask('POST', '/v1/data/authz/allow', '{"input": {}}')).text).toBe('{"result":"data"}\n');
});
