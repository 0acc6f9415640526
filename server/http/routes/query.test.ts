import { describe, expect, test } from 'vitest';
import { testServer } from '../../../test/harness/server/app.js';

const options = {
  policies: { p: 'package a\nallow := true', h: 'package system.health\nlive := true' },
  data: { l: [5, 5, 6], m: { b: 1, a: 2 } },
};

async function solutions(query: string): Promise<unknown> {
  const { ask } = await testServer(options);
  const { text } = await ask('GET', `/v1/query?q=${encodeURIComponent(query)}`);
  return (JSON.parse(text) as { result?: unknown }).result;
}

describe('solutions', () => {
  test.each([
    ['are kept as often as they are found', 'data.l[_] = x', [{ x: 5 }, { x: 5 }, { x: 6 }]],
    ['without variables are empty', 'data.l[_] = 5', [{}, {}]],
    ['bind what starts with an underscore', '_x = 1', [{ _x: 1 }]],
    ['leave out wildcards and what is local to a body', 'every y in [1] { y > 0 }; z = [w | w := 1]; _ = 2', [{ z: [1] }]],
    ['leave out a key that some does not name', 'some _, v in {"k": "a"}; v', [{ v: 'a' }]],
    ['leave out wildcards in patterns', '[_, {"b": y, "c": _}] := [1, {"b": 2, "c": 3}]', [{ y: 2 }]],
    ['leave out an assigned wildcard', '_ := 1; x := 2', [{ x: 2 }]],
    ['leave out wildcards where nothing else is bound', 'some _ in [1, 2]', [{}, {}]],
    ['leave out wildcards in calls', 'walk({"a": 1}, [["a"], _])', [{}]],
    ['come from base documents first, then from rules', 'data[k]', [{ k: 'l' }, { k: 'm' }, { k: 'a' }]],
    [
      'come in the order of keys',
      'data.m[k] = v',
      [
        { k: 'a', v: 2 },
        { k: 'b', v: 1 },
      ],
    ],
    ['bind what functions answer', 'plus(1, 2, x)', [{ x: 3 }]],
    ['bind declared variables under their names', 'some i; data.l[i] == 6', [{ i: 2 }]],
  ])('%s', async (_title, query, wanted) => {
    expect(await solutions(query)).toEqual(wanted);
  });
});

describe("the engine's own documents", () => {
  test.each([
    ['do not show in all of data', 'x = data', [{ x: { l: [5, 5, 6], m: { a: 2, b: 1 }, a: { allow: true } } }]],
    ['nor among its keys', 'x = {k | data[k]}', [{ x: ['a', 'l', 'm'] }]],
    ['are found by name', 'data.system.health.live = x; data.system.version.version = y; is_string(y); z = 1', undefined],
  ])('%s', async (_title, query, wanted) => {
    const found = await solutions(query);
    if (wanted === undefined) expect(found).toMatchObject([{ x: true, z: 1 }]);
    else expect(found).toEqual(wanted);
  });
});

test('the first explanation that is one counts', async () => {
  const { ask } = await testServer(options);
  expect((await ask('GET', '/v1/query?q=true&explain=notes&explain=off')).text).toBe('{"explanation":[],"result":[{}]}\n');
  expect((await ask('GET', '/v1/data?explain=off&explain=fails')).text).toContain('{"explanation":[],');
  expect((await ask('GET', '/v1/data?explain=off&explain=nosuch')).text).not.toContain('explanation');
});

test('a query is sent as JSON, whatever its content type says', async () => {
  const { ask } = await testServer(options);
  const yaml = { 'content-type': 'application/yaml' };
  expect((await ask('POST', '/v1/query', '{"query": "x = 1"}', yaml)).text).toBe('{"result":[{"x":1}]}\n');
  expect((await ask('POST', '/v1/query', 'query: x = 1', yaml)).status).toBe(400);
});
