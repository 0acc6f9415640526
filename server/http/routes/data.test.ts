import { expect, test } from 'vitest';
import { testServer } from '../../testing/app-testing.js';

test('a path or query that is too long to be remembered is answered all the same', async () => {
  const { ask } = await testServer({ policies: { p: 'package p\necho := {"a": 1}' } });
  const path = `/v1/data/p/echo${'/x'.repeat(2000)}?metrics`;
  for (const _again of [1, 2]) {
    expect(JSON.parse((await ask('GET', path)).text)).toMatchObject({ metrics: { counter_server_query_cache_hit: 0 } });
    const query = JSON.stringify({ query: `x = count("${'é'.repeat(20_000)}")` });
    expect((await ask('POST', '/v1/query', query)).text).toBe('{"result":[{"x":20000}]}\n');
  }
});
