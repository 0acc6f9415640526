import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { testServer } from '../../../test/harness/server/app.js';

const patchType = { 'content-type': 'application/json-patch+json' };

describe('paths', () => {
  test('a segment with a quote is written and removed, though no query can name it', async () => {
    const { ask } = await testServer();
    expect(await ask('PUT', '/v1/data/quo%22te', '1')).toEqual({ status: 204, text: '' });
    expect((await ask('GET', '/v1/data')).text).toBe('{"result":{"quo\\"te":1}}\n');
    expect((await ask('GET', '/v1/data/quo%22te')).status).toBe(400);
    expect((await ask('DELETE', '/v1/data/quo%22te')).status).toBe(204);
  });

  test("a patch unescapes the request's path as it does its own, percent escapes first", async () => {
    const { ask } = await testServer({ data: { 'a/b': {} } });
    const patch = JSON.stringify([
      { op: 'add', path: '/p%7E1q', value: 1 },
      { op: 'add', path: '/~01', value: 2 },
    ]);
    expect((await ask('PATCH', '/v1/data/a~1b', patch, patchType)).status).toBe(204);
    expect((await ask('GET', '/v1/data/a%2Fb')).text).toBe('{"result":{"p/q":1,"~1":2}}\n');
  });
});

test('decisions see each write, also where a rule of the data alone has kept its result', async () => {
  const policies = { t: 'package t\nadmins contains name if { some name, user in data.users; user.role == "admin" }\n' };
  const { ask } = await testServer({ policies, data: { users: { ann: { role: 'admin' } }, other: {} } });
  const expectAdmins = async (...names: readonly string[]) => {
    for (let i = 0; i < 4; i++) expect(JSON.parse((await ask('GET', '/v1/data/t/admins')).text)).toEqual({ result: names });
  };
  await expectAdmins('ann');
  await ask('PUT', '/v1/data/other/x', '1');
  await expectAdmins('ann');
  await ask('PUT', '/v1/data/users/bob', '{"role": "admin"}');
  await expectAdmins('ann', 'bob');
  const patch = (...operations: readonly unknown[]) => ask('PATCH', '/v1/data/users', JSON.stringify(operations), patchType);
  expect((await patch({ op: 'replace', path: '/ann/role', value: 'user' })).status).toBe(204);
  await expectAdmins('bob');
  const failing = await patch({ op: 'remove', path: '/bob' }, { op: 'remove', path: '/none' });
  expect(failing.status).toBe(404);
  await expectAdmins('bob');
  await ask('DELETE', '/v1/data/users');
  await expectAdmins();
});

describe('patches', () => {
  test('have a limit of operations', async () => {
    const { ask } = await testServer({ config: { server: { max_patch_operations: 2 } } });
    const patch = (count: number) =>
      ask('PATCH', '/v1/data', JSON.stringify(Array(count).fill({ op: 'add', path: '/a', value: 1 })), patchType);
    expect((await patch(2)).status).toBe(204);
    expect(await patch(3)).toMatchObject({
      status: 400,
      text: expect.stringContaining('patch has 3 operations; at most 2 are allowed'),
    });
  });

  test.each([
    ['x', '{"r":{"x":1}}'],
    ['/x/y/', '{"r":{"x":{"y":1}}}'],
    ['', '{"r":1}'],
    ['/', '{"r":1}'],
    ['/a~1b', '{"r":{"a/b":1,"x":{}}}'],
    ['/t~0x', '{"r":{"t~x":1,"x":{}}}'],
    ['/~2', '{"r":{"x":{},"~2":1}}'],
    ['/p%20q', '{"r":{"p q":1,"x":{}}}'],
    ['/p%2Fq', '{"r":{"p/q":1,"x":{}}}'],
    ['-', '{"r":{"-":1,"x":{}}}'],
  ])('the path %j', async (path, wanted) => {
    const { ask } = await testServer({ data: { r: { x: {} } } });
    expect((await ask('PATCH', '/v1/data/r', JSON.stringify([{ op: 'add', path, value: 1 }]), patchType)).status).toBe(204);
    expect((await ask('GET', '/v1/data')).text).toBe(`{"result":${wanted}}\n`);
  });

  test('a missing value is null, a missing path the root, null an empty patch', async () => {
    const { ask } = await testServer({ data: { r: 1 } });
    expect((await ask('PATCH', '/v1/data/r', 'null', patchType)).status).toBe(204);
    expect((await ask('GET', '/v1/data/r')).text).toBe('{"result":1}\n');
    expect((await ask('PATCH', '/v1/data/r', '[{"op":"add"}]', patchType)).status).toBe(204);
    expect((await ask('GET', '/v1/data/r')).text).toBe('{"result":null}\n');
  });

  test.each([
    ['[{"op":"move","path":"x","from":"/y"}]', 'bad patch operation: move'],
    ['[{"path":"x"}]', 'bad patch operation: '],
    ['[null]', 'bad patch operation: '],
    ['[1]', 'must be an object'],
    ['{"op":"add"}', 'must be an array'],
    ['[{"op":1}]', 'must be a string'],
    ['[{"op":"add","path":"x","value":2},{"op":"add","path":"/%zz","value":1}]', 'bad patch path: /%zz'],
    ['[{"op":"remove","path":"a/%4"}]', 'bad patch path: a/%4'],
  ])('%s is refused', async (body, message) => {
    const { ask } = await testServer({ data: { r: 1 } });
    const { status, text } = await ask('PATCH', '/v1/data/r', body, patchType);
    expect(status).toBe(400);
    expect(text).toContain(message);
  });
});

describe('bodies', () => {
  test.each([
    ['1garbage', '1'],
    ['01', '0'],
    ['-1.5e3e', '-1.5e3'],
    ['truex', 'true'],
    ['null]', 'null'],
    ['"a"b', '"a"'],
    ['{"a":1}}', '{"a":1}'],
  ])('of %s the value at the start counts', async (body, wanted) => {
    const { ask } = await testServer();
    expect((await ask('PUT', '/v1/data/x', body)).status).toBe(204);
    expect((await ask('GET', '/v1/data/x')).text).toBe(`{"result":${wanted}}\n`);
  });

  test.each(['1.x', '1e', '-', 'tru', 'nul1', '+1', '.5', '[1', '"a'])('%s starts with no value', async (body) => {
    const { ask } = await testServer();
    expect((await ask('PUT', '/v1/data/x', body)).status).toBe(400);
  });

  test.each([
    ['slashes in the middle', `a${'/'.repeat(2_000_000)}a`],
    ['many segments', '/a'.repeat(1_000_000)],
  ])('a path of a patch with %s is refused soon: it names no document', async (_title, path) => {
    const { ask } = await testServer();
    const patch = JSON.stringify([{ op: 'add', path, value: 1 }]);
    const { status, text } = await ask('PATCH', '/v1/data', patch);
    expect(status).toBe(404);
    expect(JSON.parse(text)).toEqual({ code: 'resource_not_found', message: 'storage_not_found_error: document does not exist' });
  });

  test('a body is gzip where its encoding has the word in it', async () => {
    const { app } = await testServer({ policies: { p: 'package p\necho := input' } });
    const headers = { 'content-encoding': 'x-gzip, identity' };
    const body = gzipSync('{"input":1}');
    const response = await app.fetch(new Request('http://localhost/v1/data/p/echo', { method: 'POST', headers, body }));
    expect(await response.text()).toBe('{"result":1}\n');
  });
});
