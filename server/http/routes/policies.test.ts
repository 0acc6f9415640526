import { describe, expect, test } from 'vitest';
import { testServer } from '../../../test/harness/server/app.js';

function answered(text: string): unknown {
  return JSON.parse(text);
}

describe('what is put', () => {
  test('a text that is no UTF-8 is turned down where it stops being that', async () => {
    const { app } = await testServer();
    const body = Buffer.concat([Buffer.from('package p\n\n# é\np := "ä'), Buffer.from([0xff]), Buffer.from('"\n')]);
    const response = await app.fetch(new Request('http://localhost/v1/policies/p', { method: 'PUT', body }));
    expect(response.status).toBe(400);
    expect((await response.json()) as unknown).toEqual({
      code: 'invalid_parameter',
      message: 'error(s) occurred while compiling module(s)',
      errors: [{ code: 'rego_parse_error', message: 'illegal utf-8 character', location: { file: 'p', row: 4, col: 8 } }],
    });
  });

  test('a statement of more tokens than the configuration allows is turned down where it gets too long', async () => {
    const { ask } = await testServer({ config: { server: { max_statement_tokens: 8 } } });
    expect((await ask('PUT', '/v1/policies/p', 'package p\n\nq := [1, 2]\nr := [3, 4]\ns := 5')).status).toBe(200);
    const { status, text } = await ask('PUT', '/v1/policies/p', 'package p\n\nq := [1, 2]\nr := [3, 4, 5, 6]');
    expect(status).toBe(400);
    expect(answered(text)).toMatchObject({
      errors: [{ code: 'rego_parse_error', message: 'statement has more than 8 tokens', location: { row: 4, col: 14 } }],
    });
  });

  test('a replacement character that is written as one stays', async () => {
    const { ask } = await testServer();
    expect((await ask('PUT', '/v1/policies/p', 'package p\nq := "\ufffd"')).status).toBe(200);
    expect((await ask('GET', '/v1/data/p/q')).text).toBe('{"result":"\ufffd"}\n');
  });

  test('a long module is shown as a short one is', async () => {
    const rule = 'r["k"] := {"c": [1, 2.50, "é"]} if input.x == "d"';
    const { ask } = await testServer({
      policies: { long: `package long\n\n${`${rule}\n`.repeat(500)}`, short: `package short\n\n${rule}\n` },
    });
    for (const form of ['', '?pretty']) {
      const [long, short] = await Promise.all(['long', 'short'].map(async (id) => (await ask('GET', `/v1/policies/${id}${form}`)).text));
      const rulesOf = (text: string) => (answered(text) as { result: { ast: { rules: unknown[] } } }).result.ast.rules;
      expect(rulesOf(long!)).toEqual(Array(500).fill(rulesOf(short!)[0]));
      expect(long).toContain(form === '' ? '{"type":"number","value":2.50}' : '"value": 2.50');
    }
  });

  test('the same text again is read, and nothing else done', async () => {
    const { ask } = await testServer({ policies: { p: 'package p' } });
    const again = await ask('PUT', '/v1/policies/p?metrics', 'package p');
    expect(answered(again.text)).toEqual({ metrics: { timer_server_read_bytes_ns: expect.any(Number) } });
    const other = await ask('PUT', '/v1/policies/p?metrics', 'package p\nq := 1');
    expect(answered(other.text)).toMatchObject({ metrics: { timer_rego_module_parse_ns: expect.any(Number) } });
  });

  test('more errors than are told are told of', async () => {
    const { ask } = await testServer();
    const rules = Array.from({ length: 12 }, (_, i) => `p${i} if x${i} > 1`).join('\n');
    const { text } = await ask('PUT', '/v1/policies/p', `package p\n${rules}`);
    const { errors } = answered(text) as { errors: unknown[] };
    expect(errors).toHaveLength(11);
    expect(errors.at(-1)).toEqual({ code: 'rego_compile_error', message: 'error limit reached' });
  });
});

describe('ids', () => {
  test.each([
    ['a%2Fb', 'a/b'],
    ['a%252Fb', 'a%2Fb'],
    ['a%3Fb%23c', 'a?b#c'],
    ['%C3%A9/%F0%9F%98%80.rego', 'é/😀.rego'],
  ])('%s is decoded once', async (path, id) => {
    const { ask } = await testServer();
    expect((await ask('PUT', `/v1/policies/${path}`, 'package p')).status).toBe(200);
    expect(answered((await ask('GET', `/v1/policies/${path}`)).text)).toMatchObject({ result: { id } });
    expect((await ask('DELETE', `/v1/policies/${path}`)).status).toBe(200);
    expect(answered((await ask('GET', `/v1/policies/${path}`)).text)).toEqual({
      code: 'resource_not_found',
      message: `storage_not_found_error: policy id ${JSON.stringify(id)}`,
    });
  });
});
