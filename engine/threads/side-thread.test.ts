import { getHeapStatistics } from 'node:v8';
import { afterAll, describe, expect, test } from 'vitest';
import { evaluationEntry } from '../../test/harness/engine-thread.js';
import { testServer } from '../../test/harness/server/app.js';
import { SideThread } from './side-thread.js';

const entry = evaluationEntry();
const sideThread = new SideThread(entry);

afterAll(() => sideThread.close());

const policies = { 'p.rego': 'package p\n\nf(x) := x + 1\n\necho := input\n\ns contains input.n\n' };

describe('a long query', () => {
  const long = `_ := [${'1,'.repeat(4000)}1]`;

  test.each([
    'x := data.p.f(2)',
    'x := data.p.s; y := input.n',
    'x := 1.10; some y in [1, 2]',
    'false',
    'x := y',
    'x := data.p.f("a")',
    'x := [1',
    'http.send({"method": "get", "url": "http://localhost"})',
    'x := data.q.g(1)',
  ])('is answered as where there is no thread: %s', async (query) => {
    const [here, elsewhere] = await Promise.all([testServer({ policies }), testServer({ policies, sideThread })]);
    const body = JSON.stringify({ query: `${long}; ${query}`, input: { n: 7 } });
    const expected = await here.ask('POST', '/v1/query', body);
    expect(await elsewhere.ask('POST', '/v1/query', body)).toEqual(expected);
  });

  test('sees policies as they are', async () => {
    const { ask } = await testServer({ policies, sideThread });
    const query = JSON.stringify({ query: `${long}; x := data.p.f(1)` });
    expect((await ask('POST', '/v1/query', query)).text).toContain('"x":2');
    await ask('PUT', '/v1/policies/p.rego', 'package p\n\nf(x) := x + 10\n');
    expect((await ask('POST', '/v1/query', query)).text).toContain('"x":11');
    expect((await ask('GET', `/v1/query?metrics&q=${encodeURIComponent(`${long}; x := 1`)}`)).text).toMatch(
      /timer_rego_query_compile_ns.*timer_rego_query_parse_ns/s,
    );
  });

  test('ends when it takes too long', async () => {
    const { ask } = await testServer({ policies, sideThread, config: { server: { decision_timeout_seconds: 1 } } });
    const { status, text } = await ask('POST', '/v1/query', JSON.stringify({ query: `x := [${'[1 | true],'.repeat(200_000)}1]` }));
    expect(status).toBe(500);
    expect(text).toContain('query execution timed out');
    const { ask: askNext } = await testServer({ policies, sideThread });
    expect((await askNext('POST', '/v1/query', JSON.stringify({ query: `${long}; x := 1` }))).status).toBe(200);
  });
});

test('a text that would take more memory than the thread has is refused before it is read', async () => {
  const length = Math.ceil(getHeapStatistics().heap_size_limit / 100);
  const spaces = Buffer.alloc(length, ' ');
  await expect(sideThread.run({ kind: 'yaml', bytes: spaces }, { timeMs: 0 })).rejects.toMatchObject({ code: 'out_of_memory' });
  const { ask } = await testServer({ policies, sideThread });
  const query = await ask('POST', '/v1/query', JSON.stringify({ query: `x := 1${spaces.subarray(0, length / 4)}` }));
  expect(query).toMatchObject({ status: 500, text: expect.stringContaining('compiling the query needs more memory than there is') });
});

describe('long YAML', () => {
  const padding = `# ${'x'.repeat(20_000)}\n`;

  test.each(['input: {a: 1.10, b: [0x10, ~, yes]}', 'input: [', '', 'input: &a [1]\nother: *a', '- 1', 'input: "\\ud800"'])(
    'is read as where there is no thread: %j',
    async (text) => {
      const [here, elsewhere] = await Promise.all([testServer({ policies }), testServer({ policies, sideThread })]);
      const headers = { 'content-type': 'application/yaml' };
      const expected = await here.ask('POST', '/v1/data/p/echo', padding + text, headers);
      expect(await elsewhere.ask('POST', '/v1/data/p/echo', padding + text, headers)).toEqual(expected);
    },
  );
});
