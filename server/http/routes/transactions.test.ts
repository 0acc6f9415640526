import { describe, expect, test } from 'vitest';
import { testServer } from '../../../test/harness/server/app.js';
import { serverOver, stateOf } from '../../../test/harness/storage/logs.js';

const put = (path: string, body: unknown, more: object = {}) => ({ method: 'PUT', path: `/v1/data${path}`, body, ...more });
const putPolicy = (id: string, body: string) => ({ method: 'PUT', path: `/v1/policies/${id}`, body });
const remove = (path: string) => ({ method: 'DELETE', path });
const transaction = (...operations: unknown[]) => JSON.stringify({ operations });

describe('POST /v1/transactions', () => {
  test('makes all writes in one step, each over those before it', async () => {
    const server = await serverOver({});
    const body = transaction(
      put('/users', { alice: { age: 12345678901234567890n.toString() } }),
      { method: 'PATCH', path: '/v1/data/users', body: [{ op: 'add', path: 'bob', value: {} }] },
      remove('/v1/data/users/alice'),
      putPolicy('p.rego', 'package p\n\nimport data.q\n\nx := q.y'),
      putPolicy('q.rego', 'package q\n\ny := count(data.users)'),
      putPolicy('gone.rego', 'package gone'),
      remove('/v1/policies/gone.rego'),
    );
    const answer = await server.ask('POST', '/v1/transactions', body);
    expect([answer.status, answer.text, answer.revision]).toEqual([200, '{"revision":1}\n', 1]);
    expect((await server.ask('GET', '/v1/data/p/x')).text).toBe('{"result":1}\n');
    expect((await server.ask('GET', '/v1/data/users')).text).toBe('{"result":{"bob":{}}}\n');
    expect((await server.ask('POST', '/v1/transactions', transaction())).text).toBe('{"revision":1}\n');
  });

  test.each([
    [
      'a policy that does not compile',
      [put('/a', 1), putPolicy('p.rego', 'package p\n\nx := y')],
      400,
      'error(s) occurred while compiling module(s)',
    ],
    ['a path that is not there', [put('/a', 1), remove('/v1/data/b')], 404, 'document does not exist'],
    ['a policy that is not there', [put('/a', 1), remove('/v1/policies/b')], 404, 'storage_not_found_error: policy id \\"b\\"'],
    [
      'a document that is there',
      [put('/a', 1), put('/there', 2, { if_none_match: '*' })],
      412,
      'operations[1]: If-None-Match: it is there already',
    ],
    [
      'a document that is not the one that was read',
      [put('/a', 1), put('/there', 2, { if_match: '"x"' })],
      412,
      'operations[1]: If-Match: the tag is',
    ],
    ['a document where a rule is', [put('/a', 1), put('/r/x', 1)], 400, 'r/x'],
    [
      'another method',
      [put('/a', 1), { method: 'POST', path: '/v1/data/b', body: 1 }],
      400,
      'operations[1]: method must be PUT, PATCH or DELETE',
    ],
    ['a patch of a policy', [{ method: 'PATCH', path: '/v1/policies/p', body: '' }], 400, 'operations[0]: method must be PUT or DELETE'],
    ['another path', [put('/a', 1), { method: 'PUT', path: '/v1/query', body: 1 }], 400, 'operations[1]: path'],
    ['an unclean path', [put('/a/../b', 1)], 400, 'operations[0]: path'],
    ['a parameter', [put('/a?metrics', 1)], 400, 'operations[0]: path'],
    ['no body', [{ method: 'PUT', path: '/v1/data/a' }], 400, 'operations[0]: body is missing'],
    [
      'a patch that is none',
      [{ method: 'PATCH', path: '/v1/data', body: [{ op: 'move' }] }],
      400,
      'operations[0]: bad patch operation: move',
    ],
    ['what is no operation', ['x'], 400, 'operations[0]: must be an object'],
  ])('changes nothing because of %s', async (_title, operations, status, message) => {
    const server = await serverOver({}, { policies: { r: 'package r\n\nx := 1' }, data: { there: 1 } });
    const before = stateOf(server);
    const answer = await server.ask('POST', '/v1/transactions', transaction(...operations));
    expect(answer.status).toBe(status);
    expect(answer.text).toContain(message);
    expect(answer.revision).toBe(0);
    expect(stateOf(server)).toBe(before);
  });

  test.each(['[]', '{}', '{"operations": {}}', 'x', ''])('refuses the body %s', async (body) => {
    const { ask } = await testServer();
    expect((await ask('POST', '/v1/transactions', body)).status).toBe(400);
  });

  test('has as many operations as a patch, those of patches included', async () => {
    const { ask } = await testServer({ config: { server: { max_patch_operations: 3 } } });
    const patch = {
      method: 'PATCH',
      path: '/v1/data',
      body: [
        { op: 'add', path: 'a', value: 1 },
        { op: 'add', path: 'b', value: 1 },
      ],
    };
    expect((await ask('POST', '/v1/transactions', transaction(patch, put('/c', 1)))).status).toBe(200);
    expect((await ask('POST', '/v1/transactions', transaction(patch, put('/c', 1), put('/d', 1)))).status).toBe(400);
  });

  test('asks the policy about each operation, as about the request that makes it alone', async () => {
    const policies = {
      authz:
        'package system.authz\n\ndefault allow := false\n\nallow if input.method == "POST"\n\nallow if {\n\tinput.method == "PUT"\n\tinput.path = ["v1", "data", "mine", _]\n}',
    };
    const { ask } = await testServer({ policies, authorization: 'basic' });
    expect((await ask('POST', '/v1/transactions', transaction(put('/mine/a%2Fb', 1)))).status).toBe(401);
    expect((await ask('POST', '/v1/transactions', transaction(put('/mine/a', 1), put('/mine/b', 2)))).status).toBe(200);
    for (const denied of [put('/other', 1), remove('/v1/data/mine/a'), putPolicy('authz', 'package open')]) {
      const answer = await ask('POST', '/v1/transactions', transaction(put('/mine/a', 3), denied));
      expect([answer.status, JSON.parse(answer.text).code]).toEqual([401, 'unauthorized']);
      expect(answer.text).toContain('operations[1]: ');
    }
  });
});

describe('conditions', () => {
  test('a write is made over the document that was read, and over no other', async () => {
    const server = await serverOver({}, { data: { d: { a: [1], b: 1.5 } } });
    const tag = (await server.ask('GET', '/v1/data/d')).headers.get('etag')!;
    expect((await server.ask('GET', '/v1/data/d', undefined, { 'if-none-match': `"x", W/${tag}` })).status).toBe(304);
    expect((await server.ask('PUT', '/v1/data/d/b', '2', { 'if-match': tag })).status).toBe(412);
    expect((await server.ask('PATCH', '/v1/data/d', '[{"op": "add", "path": "c", "value": 1}]', { 'if-match': tag })).status).toBe(204);
    expect((await server.ask('PUT', '/v1/data/d', '2', { 'if-match': tag })).status).toBe(412);
    expect((await server.ask('DELETE', '/v1/data/d', undefined, { 'if-match': tag })).status).toBe(412);
    const next = (await server.ask('GET', '/v1/data/d')).headers.get('etag')!;
    expect(next).not.toBe(tag);
    expect((await server.ask('DELETE', '/v1/data/d', undefined, { 'if-match': `${tag}, ${next}` })).status).toBe(204);
    expect((await server.ask('PUT', '/v1/data/d', '1', { 'if-match': '*' })).status).toBe(412);
    expect((await server.ask('PUT', '/v1/data/e', '{"b":1.5,"a":[1]}')).status).toBe(204);
    // The same content has the same tag.
    expect((await server.ask('GET', '/v1/data/e')).headers.get('etag')).toBe(tag);
  });

  test('a policy that is there is kept, if the client says so', async () => {
    const { ask } = await serverOver({}, { policies: { p: 'package p\n\nx := 1' } });
    const unless = { 'if-none-match': '*' };
    expect(await ask('PUT', '/v1/policies/p', 'package p\n\nx := 2', unless)).toMatchObject({ status: 304, text: '' });
    expect((await ask('GET', '/v1/data/p/x')).text).toBe('{"result":1}\n');
    expect((await ask('PUT', '/v1/policies/q', 'package q', unless)).status).toBe(200);
    expect((await ask('PUT', '/v1/policies/q', 'package q')).status).toBe(200);
  });

  test('a large document has a tag too', async () => {
    const server = await serverOver({}, { data: { d: Array.from({ length: 30_000 }, (_, i) => i) } });
    const tag = (await server.ask('GET', '/v1/data/d')).headers.get('etag')!;
    expect((await server.ask('PUT', '/v1/data/d/0', '1', { 'if-match': '"x"' })).status).toBe(412);
    expect((await server.ask('PUT', '/v1/data/d', '[]', { 'if-match': tag })).status).toBe(204);
  });

  test('a document that rules take part in has no tag', async () => {
    const server = await serverOver({}, { policies: { p: 'package a.p\n\nx := 1' }, data: { a: { q: 1 } } });
    for (const path of ['', '/a', '/a/p', '/a/p/x', '/none'])
      expect((await server.ask('GET', `/v1/data${path}`)).headers.get('etag')).toBeNull();
    expect((await server.ask('GET', '/v1/data/a/q')).headers.get('etag')).not.toBeNull();
  });

  test('policies have tags, each and all', async () => {
    const server = await serverOver({}, { policies: { p: 'package p' } });
    const all = (await server.ask('GET', '/v1/policies')).headers.get('etag')!;
    const tag = (await server.ask('GET', '/v1/policies/p')).headers.get('etag')!;
    expect((await server.ask('PUT', '/v1/policies/p', 'package p2', { 'if-match': '"x"' })).status).toBe(412);
    expect((await server.ask('PUT', '/v1/policies/p', 'package p2', { 'if-match': tag })).status).toBe(200);
    expect((await server.ask('DELETE', '/v1/policies/p', undefined, { 'if-match': tag })).status).toBe(412);
    expect((await server.ask('GET', '/v1/policies', undefined, { 'if-none-match': all })).status).toBe(200);
    expect((await server.ask('GET', '/v1/policies/p', undefined, { 'if-none-match': tag })).status).toBe(200);
  });
});

describe('revisions', () => {
  test('are on every answer, counted in memory too', async () => {
    const server = await serverOver({});
    const revisions: number[] = [];
    for (const [method, path, body] of [
      ['PUT', '/v1/data/a', '1'],
      ['GET', '/v1/data/a'],
      ['POST', '/v1/data/a', '{"input": 1}'],
      ['GET', '/v1/query?q=x%20%3D%201'],
      ['POST', '/v1/compile', '{"query": "input.x == 1"}'],
      ['POST', '/v1/batch/data/a', '{"inputs": {"one": 1}}'],
      ['POST', '/v0/data/a', '1'],
      ['GET', '/v1/policies'],
      ['GET', '/health'],
      ['GET', '/v1/data/%ZZ'],
      ['PUT', '/v1/data/b', '1'],
    ] as const)
      revisions.push((await server.ask(method, path, body)).revision);
    expect(revisions).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2]);
    expect((await server.ask('GET', '/metrics')).text).toContain('\nstorage_revision 2\n');
  });

  test('a read waits for the revision that it asks for, for some time', async () => {
    const server = await serverOver({ max_wait_seconds: 0.2 });
    const late = await server.ask('GET', '/v1/data/a', undefined, { 'min-revision': '1' });
    expect([late.status, late.headers.get('retry-after')]).toEqual([503, '1']);
    const waiting = server.ask('GET', '/v1/data/a', undefined, { 'min-revision': '1' });
    await server.ask('PUT', '/v1/data/a', '7');
    expect((await waiting).text).toBe('{"result":7}\n');
    for (const headers of [{ 'min-revision': '-1' }, { 'min-revision': '1.5' }, { consistency: 'weak' }])
      expect((await server.ask('GET', '/v1/data/a', undefined, headers as never)).status).toBe(400);
  });
});
