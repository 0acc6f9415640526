import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { testServer } from '../../../test/harness/server/app.js';

const policies = { w: 'package w\necho := input' };

test('a segment with a quote is refused, as where documents are read in their envelope', async () => {
  const { ask } = await testServer({ data: { 'a"b': 1 } });
  const { status, text } = await ask('POST', '/v0/data/a%22b', '{}');
  expect([status, JSON.parse(text)]).toEqual([400, { code: 'invalid_parameter', message: `invalid path: invalid ref term 'a"b'` }]);
});

test('what is wrong with a compressed body is told as what is wrong with an input', async () => {
  const { app, ask } = await testServer({ policies });
  const headers = { 'content-encoding': 'gzip' };
  const plain = await ask('POST', '/v0/data/w/echo', '{"a":1}', headers);
  expect(plain.status).toBe(400);
  expect(JSON.parse(plain.text).message).toBe('unexpected parse error for input: could not decompress the body: gzip: invalid header');
  const body = gzipSync('{"a":1}').subarray(0, 20);
  const cut = await app.fetch(new Request('http://localhost/v0/data/w/echo', { method: 'POST', headers, body }));
  expect((await cut.json()) as unknown).toMatchObject({ message: expect.stringMatching(/^unexpected parse error for input: /) });
});
