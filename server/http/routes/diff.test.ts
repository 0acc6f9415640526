import { expect, test, vi } from 'vitest';
import { archiveOf } from '../../../test/harness/archives.js';
import { type TestOptions, testServer } from '../../../test/harness/server/app.js';

const policy = (least: number) => `package authz

default allow := false

allow if {
	input.level >= ${least}
	data.open
}
`;

const config = { decision_logs: { recent: 50 } };

async function decided(options: TestOptions = {}) {
  const server = await testServer({ policies: { 'authz.rego': policy(3) }, data: { open: true, kept: 1 }, config, ...options });
  for (const level of [2, 3, 4]) await server.ask('POST', '/v1/data/authz/allow', JSON.stringify({ input: { level } }));
  await server.ask('GET', '/v1/data/kept');
  // A mask decision comes later than the answer.
  if ('decision_logs' in (options.config ?? config)) await vi.waitFor(() => expect(server.context.recent?.all()).toHaveLength(4));
  return server;
}

const json = (body: object) => JSON.stringify(body);

test('recent decisions are made again with policies that are not active', async () => {
  const { ask } = await decided();
  const { status, text } = await ask('POST', '/v1/diff', json({ policies: { 'authz.rego': policy(4) } }));
  expect(status).toBe(200);
  expect(JSON.parse(text)).toMatchObject({
    old: 'active',
    new: 'the request',
    outcome: 'differs',
    replay: {
      events: 4,
      same: 3,
      different: 1,
      kinds: { denied: 1 },
      groups: [{ kind: 'denied', path: 'authz/allow', count: 1, example: { input: { level: 3 } } }],
    },
  });
  expect(JSON.parse((await ask('POST', '/v1/data/authz/allow', '{"input": {"level": 3}}')).text)).toMatchObject({ result: true });
});

test.each([
  ['a bundle takes the place of what its roots own', ['authz'], { denied: 1 }, 3],
  ['a bundle without roots is all that there is', undefined, { denied: 2, undefined: 1 }, 1],
])('%s', async (_, roots, kinds, same) => {
  const { ask } = await decided();
  const bundle = await archiveOf({
    '.manifest': json({ revision: 'r2', ...(roots && { roots }) }),
    'authz/authz.rego': policy(4),
  });
  const { text } = await ask('POST', '/v1/diff', new Uint8Array(bundle), { 'content-type': 'application/gzip' });
  expect(JSON.parse(text)).toMatchObject({ new: 'the bundle r2', replay: { events: 4, kinds, same } });
});

test('data and removed policies are parts of a change', async () => {
  const { ask } = await decided();
  const kindsOf = async (body: object) => JSON.parse((await ask('POST', '/v1/diff', json(body))).text).replay.kinds;
  expect(await kindsOf({ data: { open: false } })).toEqual({ denied: 2 });
  expect(await kindsOf({ policies: { 'authz.rego': null } })).toEqual({ denied: 2, undefined: 1 });
  expect(await kindsOf({})).toEqual({});
});

test('only the decisions that are named are compared', async () => {
  const { ask } = await decided();
  const { text } = await ask('POST', '/v1/diff?entrypoint=kept&pretty', json({ policies: { 'authz.rego': policy(4) } }));
  expect(JSON.parse(text)).toMatchObject({ outcome: 'same', replay: { events: 1, skipped: 3 } });
});

test.each(['typo', 'authz/alow', 'data.authz.allow'])('a decision that neither version has is refused: %s', async (path) => {
  const { ask } = await decided();
  const { status, text } = await ask('POST', `/v1/diff?entrypoint=authz/allow&entrypoint=${path}`, '{}');
  expect(status).toBe(400);
  expect(JSON.parse(text)).toMatchObject({ code: 'invalid_parameter', message: `neither version has anything at ${path}` });
});

test('masked inputs are not shown, and decisions that read them are inconclusive', async () => {
  const mask = 'package system.log\n\nmask contains "/input/level"\n';
  const { ask } = await decided({ policies: { 'authz.rego': policy(3), 'mask.rego': mask } });
  const { text } = await ask('POST', '/v1/diff', json({ policies: { 'authz.rego': policy(4) } }));
  expect(JSON.parse(text)).toMatchObject({ replay: { events: 4, same: 1, inconclusive: 3 } });
  expect(text).not.toContain('"level":3');
});

test.each<[string, string | Uint8Array, number, string, RegExp]>([
  ['is no JSON', '{', 400, 'invalid_parameter', /neither a bundle nor JSON/],
  ['is empty', '', 400, 'invalid_parameter', /neither a bundle nor JSON/],
  ['is a list', '[]', 400, 'invalid_parameter', /must be a bundle, or an object/],
  ['has unknown members', '{"policy": {}}', 400, 'invalid_parameter', /unknown member "policy"/],
  ['has a policy that is no text', '{"policies": {"a": 1}}', 400, 'invalid_parameter', /policies\["a"\] must be a text/],
  ['does not compile', '{"policies": {"a": "package a\\n\\nx if y"}}', 400, 'invalid_parameter', /error\(s\) occurred while compiling/],
  ['is a broken archive', new Uint8Array([0x1f, 0x8b, 1, 2, 3]), 400, 'invalid_parameter', /./],
])('a body that %s is refused', async (_, body, status, code, message) => {
  const { ask } = await decided();
  const answer = await ask('POST', '/v1/diff', body as string);
  expect(answer.status, answer.text).toBe(status);
  expect(JSON.parse(answer.text)).toMatchObject({ code, message: expect.stringMatching(message) });
});

test('an archive that inflates to more than a body may is refused', async () => {
  const { ask } = await decided({ config: { ...config, server: { decoding: { gzip: { max_length: 10_000 } } } } });
  const bomb = await archiveOf({ 'data.json': json({ a: 'a'.repeat(1_000_000) }) });
  const { status, text } = await ask('POST', '/v1/diff', new Uint8Array(bomb));
  expect(status, text).toBe(400);
});

test('a decision without end is inconclusive, and others are answered meanwhile', async () => {
  const { ask } = await decided();
  const endless =
    'package authz\n\nallow if {\n\tcount([1 | numbers.range(1, 2000)[_]; numbers.range(1, 2000)[_]; numbers.range(1, 2000)[_]]) > 0\n}\n';
  const comparing = ask('POST', '/v1/diff', json({ policies: { 'authz.rego': endless } }));
  await new Promise((resolve) => setTimeout(resolve, 30));
  const busy = await ask('POST', '/v1/diff', '{}');
  expect(busy.status).toBe(503);
  expect((await ask('GET', '/v1/data/kept')).status).toBe(200);
  expect(JSON.parse((await comparing).text)).toMatchObject({ outcome: 'unknown', replay: { inconclusive: 3, same: 1 } });
  expect((await ask('POST', '/v1/diff', '{}')).status).toBe(200);
});

test('a server that keeps no decisions says so', async () => {
  const { ask } = await decided({ config: {} });
  const { status, text } = await ask('POST', '/v1/diff', '{}');
  expect(status).toBe(400);
  expect(JSON.parse(text)).toMatchObject({ code: 'invalid_operation', message: 'no decisions are kept: set decision_logs.recent' });
});

test('the policy decides who may ask', async () => {
  const authz = 'package system.authz\n\ndefault allow := false\n\nallow if input.path != ["v1", "diff"]\n';
  const { ask } = await decided({ authorization: 'basic', policies: { 'authz.rego': policy(3), 'system.rego': authz } });
  expect((await ask('POST', '/v1/diff', '{}')).status).toBe(401);
});
