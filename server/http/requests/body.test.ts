import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { values } from '../../../test/generators/values.js';
import { type TestOptions, testServer } from '../../../test/harness/server/app.js';
import { randomCases } from '../../../test/harness/set-up/random-cases.js';
import { toJson } from '../../../values/json/json.js';

const echo = { policies: { p: 'package p\n\necho := input\n' } };
const long = 40_000;

/** A text of spaces: with one a body is read at once, with two in its turn, with 30 in steps. */
const padding = ' '.repeat(long);

describe('a long body', () => {
  test('is read as a short one is', async () => {
    const { ask } = await testServer(echo);
    await fc.assert(
      fc.asyncProperty(values(), fc.constantFrom('', '}', ' 1', '"'), fc.constantFrom(1, 2, 30), async (value, rest, times) => {
        const text = toJson(value);
        const short = await ask('POST', '/v1/data/p/echo', `{"input":${text}}${rest}`);
        expect(short.status).toBe(200);
        const before = padding.repeat(times);
        expect(await ask('POST', '/v1/data/p/echo', `{${before}"input":${text}}${rest}`)).toEqual(short);
      }),
      { numRuns: randomCases(100) },
    );
  });

  test.each([
    ['POST', '/v1/data/p/echo', '{"input": x}'],
    ['POST', '/v1/data/p/echo', '{"input": [1'],
    ['POST', '/v1/data/p/echo', '[1]'],
    ['POST', '/v1/data/p/echo', ''],
    ['POST', '/v1/data/p/echo', 'null'],
    ['POST', '/v0/data/p/echo', ''],
    ['POST', '/v0/data/p/echo', '{"a"}'],
    ['POST', '/v1/query', '{"query": }'],
    ['POST', '/v1/query', '{"query": "x := 1"}'],
    ['POST', '/v1/query', ''],
    ['PUT', '/v1/data/q', '{"a": 1.0e'],
    ['PUT', '/v1/data/q', ''],
    ['PATCH', '/v1/data', '{}'],
    ['PATCH', '/v1/data', '[{"op": "add", "path": "/z", "value": 1}] x'],
  ])('of %s %s is answered as a short one is: %s', async (method, path, body) => {
    const { ask } = await testServer(echo);
    const short = await ask(method, path, body);
    expect(await ask(method, path, padding + body)).toEqual(short);
  });

  test.each(['0', '1', '2'])('is authorized with what is in it, policy %s', async (which) => {
    const rules = [
      'input.body.input == "ann"',
      'count([1 | some k, v in input; k == "body"]) == 1',
      'json.marshal(input) != ""; input["body"].input',
    ];
    const policies = { ...echo.policies, a: `package system.authz\n\nallow if { ${rules[Number(which)]} }\n\ndefault allow := false\n` };
    const { ask } = await testServer({ policies, authorization: 'basic' });
    expect(await ask('POST', '/v1/data/p/echo', `{"input":"ann"${padding}}`)).toEqual({ status: 200, text: '{"result":"ann"}\n' });
    expect((await ask('POST', '/v1/data/p/echo', `{"input":"ann"${padding}} x`)).status).toBe(400);
  });
});

describe('a body that is not let in', () => {
  const closed: TestOptions = {
    policies: {
      ...echo.policies,
      a: 'package system.authz\n\nimport rego.v1\n\ndefault allow := false\n\nallow if input.identity == "ann"\n',
    },
    authorization: 'basic',
  };

  test.each([
    ['is no JSON', 'x'.repeat(long), {}],
    ['is no gzip', 'x'.repeat(long), { 'content-encoding': 'gzip' }],
    ['is too long', '', { 'content-encoding': 'gzip', 'content-length': '1' }],
  ])('is not read where the policy does not look at it, though it %s', async (_title, body, headers) => {
    const { ask } = await testServer(closed);
    expect((await ask('POST', '/v1/data/p/echo', body, headers)).status).toBe(401);
  });
});

test('a body in gzip is refused by what it becomes', async () => {
  const { app } = await testServer({ ...echo, config: { server: { decoding: { gzip: { max_length: 100_000 } } } } });
  const post = async (length: number) => {
    const body = gzipSync(`{"input":"${'a'.repeat(length)}"}`);
    const headers = { 'content-encoding': 'gzip' };
    const response = await app.fetch(new Request('http://localhost/v1/data/p/echo', { method: 'POST', headers, body }));
    return { status: response.status, text: await response.text() };
  };
  expect(await post(90_000)).toMatchObject({ status: 200 });
  const { status, text } = await post(200_000);
  expect(status).toBe(400);
  expect(text).toContain('gzip payload too large');
});

describe('a body in UTF-16 with a byte-order mark is read', () => {
  const little = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');
  const big = (text: string): Buffer => little(text).swap16();

  test.each([
    ['little end first', little],
    ['big end first', big],
  ])('%s', async (_title, encode) => {
    const { app } = await testServer(echo);
    const post = async (path: string, body: Uint8Array<ArrayBuffer>, headers = {}, method = 'POST') => {
      const response = await app.fetch(new Request(`http://localhost${path}`, { method, headers, body }));
      return [response.status, await response.text()];
    };
    const bytes = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(encode(text));
    const yaml = { 'content-type': 'application/yaml' };
    const gzip = { 'content-encoding': 'gzip' };
    const answer = [200, '{"result":"ü😀"}\n'];
    expect(await post('/v1/data/p/echo', bytes('{"input": "ü😀"}'))).toEqual(answer);
    expect(await post('/v1/data/p/echo', bytes('input: ü😀\n'), yaml)).toEqual(answer);
    expect(await post('/v1/data/p/echo', Uint8Array.from(gzipSync(encode('{"input": "ü😀"}'))), gzip)).toEqual(answer);
    const list = 'ü😀'.repeat(200_000);
    expect(await post('/v1/data/p/echo', bytes(`{"input": "${list}"}`))).toEqual([200, `{"result":"${list}"}\n`]);
    expect(await post('/v1/data/d', bytes('{"a": "é"}'), {}, 'PUT')).toEqual([204, '']);
    expect((await post('/v1/policies/q', bytes('package q\n\nx := data.d.a\n'), {}, 'PUT'))[0]).toBe(200);
    expect(await post('/v1/data/q/x', bytes('{"input": 1}'))).toEqual([200, '{"result":"é"}\n']);
  });
});
