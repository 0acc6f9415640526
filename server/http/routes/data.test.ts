import { describe, expect, test } from 'vitest';
import { testServer } from '../../../test/harness/server/app.js';
import { serve } from '../../../test/harness/server/http.js';

test('a path or query that is too long to be remembered is answered all the same', async () => {
  const { ask } = await testServer({ policies: { p: 'package p\necho := {"a": 1}' } });
  const path = `/v1/data/p/echo${'/x'.repeat(2000)}?metrics`;
  for (const _again of [1, 2]) {
    expect(JSON.parse((await ask('GET', path)).text)).toMatchObject({ metrics: { counter_server_query_cache_hit: 0 } });
    const query = JSON.stringify({ query: `x = count("${'é'.repeat(20_000)}")` });
    expect((await ask('POST', '/v1/query', query)).text).toBe('{"result":[{"x":20000}]}\n');
  }
});

test('metrics count the requests of http.send that were sent, and those that its cache answered', async () => {
  const { url } = await serve((_, response) => response.end('{}'));
  const kept = '"force_cache": true, "force_cache_duration_seconds": 60';
  const policy = `package p

one := http.send({"method": "GET", "url": "${url}/kept", ${kept}}).status_code

three := [one, http.send({"method": "GET", "url": "${url}/a"}).status_code, http.send({"method": "GET", "url": "${url}/b"}).status_code]
`;
  const { ask } = await testServer({ policies: { 'p.rego': policy } });
  const measured = async (path: string) => {
    const { result, metrics } = JSON.parse((await ask('GET', `${path}?metrics`)).text) as {
      result: unknown;
      metrics: Record<string, number>;
    };
    const sends = Object.entries(metrics).filter(([name]) => name.includes('http_send'));
    return [result, Object.fromEntries(sends.map(([name, value]) => [name, name.startsWith('timer') ? value > 0 : value]))];
  };
  const [timer, sent, cached] = ['timer_rego_builtin_http_send_ns', 'network_requests', 'interquery_cache_hits'] as const;
  const counter = (name: string) => `counter_rego_builtin_http_send_${name}`;
  expect(await measured('/v1/data/p/one')).toEqual([200, { [timer]: true, [counter(sent)]: 1 }]);
  expect(await measured('/v1/data/p/one')).toEqual([200, { [timer]: true, [counter(cached)]: 1 }]);
  expect(await measured('/v1/data/p/three')).toEqual([[200, 200, 200], { [timer]: true, [counter(sent)]: 2, [counter(cached)]: 1 }]);
});

describe('instrument', () => {
  const policies = { p: 'package p\n\nallow if input.x == 1\n\nf(x) := x\n' };
  const metricsAt = async (ask: (method: string, path: string, body?: string) => Promise<{ text: string }>, path: string) =>
    Object.keys((JSON.parse((await ask('POST', path, '{"input": {"x": 1}}')).text) as { metrics: object }).metrics);
  const stage = /^timer_query_compile_stage_[a-z_]+_ns$/;

  test('shows the timers of compiler stages for the query of a path, once for each version', async () => {
    const { ask } = await testServer({ policies });
    for (const path of ['/v1/data/p/allow', '/v1/data/p', '/v1/data/nosuch/at/all', '/v1/data/p/allow/1/x%20y']) {
      const first = await metricsAt(ask, `${path}?instrument`);
      expect(first.filter((name) => stage.test(name)).length).toBeGreaterThan(10);
      expect(first).toEqual(expect.arrayContaining(['timer_rego_query_compile_ns', 'timer_rego_query_eval_ns']));
      expect((await metricsAt(ask, `${path}?instrument`)).filter((name) => stage.test(name))).toEqual([]);
    }
    await ask('PUT', '/v1/policies/p', policies.p);
    expect((await metricsAt(ask, '/v1/data/p/allow?instrument')).filter((name) => stage.test(name)).length).toBeGreaterThan(10);
  });

  test.each([
    ['metrics', '/v1/data/p/allow?metrics'],
    ['a long path', `/v1/data/p/allow${'/x'.repeat(500)}?instrument`],
  ])('%s shows none of them', async (_title, path) => {
    const { ask } = await testServer({ policies });
    expect((await metricsAt(ask, path)).filter((name) => stage.test(name))).toEqual([]);
  });

  test('a path that is a function is answered as without it', async () => {
    const { ask } = await testServer({ policies });
    expect(await ask('GET', '/v1/data/p/f?instrument')).toEqual(await ask('GET', '/v1/data/p/f'));
  });
});
