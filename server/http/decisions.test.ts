import { expect, test } from 'vitest';
import { testServer } from '../../test/harness/server/app.js';
import { parseJson } from '../../values/json/json.js';
import type { PlainObject } from '../../values/value.js';
import { Logger } from '../services/logs/logger.js';

const policies = {
  'p.rego': `package p

x := 1

u if input.no

random := rand.intn("s", 1)

fails := 1 if rand.intn("s", 1) == 0

fails := 2 if rand.intn("s", 1) == 0
`,
};

/** The log events of requests, and the answer to the last request. */
async function eventsOf(...requests: readonly (readonly [method: string, path: string, body?: string])[]) {
  const lines: PlainObject[] = [];
  const console = new Logger({ level: 'info', format: 'json', write: (text) => lines.push(parseJson(text) as PlainObject) });
  const { ask } = await testServer({ policies, console, config: { decision_logs: { console: true }, nd_builtin_cache: true } });
  let answer = '';
  for (const request of requests) answer = (await ask(...request)).text;
  return { events: lines.filter(({ msg }) => msg === 'Decision Log'), answer };
}

test.each<[string, readonly [method: string, path: string, body?: string], PlainObject]>([
  ['a decision', ['POST', '/v1/data/p/said', '{}'], { line: 'dir/p.rego:6' }],
  ['a decision with metrics', ['GET', '/v1/data/p/said?metrics'], { line: 'dir/p.rego:6' }],
  ['a function that it calls', ['POST', '/v1/data/p/called', '{}'], { line: 'dir/p.rego:10' }],
  ['a query', ['POST', '/v1/query', '{"query": "data.p.said"}'], { line: 'dir/p.rego:6' }],
  ['a trace', ['POST', '/v1/data/p/said?explain=full', '{}'], { line: 'dir/p.rego:6' }],
  ['an explanation', ['POST', '/v1/data/p/said?explain=why', '{}'], { line: 'dir/p.rego:6' }],
])('a line of print is in the log with its place: %s', async (_title, request, fields) => {
  const lines: PlainObject[] = [];
  const logger = new Logger({ level: 'info', format: 'json', write: (text) => lines.push(parseJson(text) as PlainObject) });
  const policy = 'package p\n\n# A comment.\nsaid if {\n\tx := "hi"\n\tprint(x, input.no)\n}\n\ncalled if f(1)\nf(x) if print(x)\n';
  const { ask } = await testServer({ policies: { 'dir/p.rego': policy }, logger });
  await ask(...request);
  const said = request[1].includes('called') ? '1' : 'hi <undefined>';
  expect(lines.filter(({ msg }) => msg === said)).toMatchObject([{ ...fields, level: 'info', ...fieldsOf(request) }]);
});

/** The fields that tell of a request in the log. */
function fieldsOf([method, path]: readonly [method: string, path: string, body?: string]): PlainObject {
  return { client_addr: '', req_id: 1, req_method: method, req_path: path.split('?', 1)[0]! };
}

test('a line of print of the authorization names its request', async () => {
  const lines: PlainObject[] = [];
  const logger = new Logger({ level: 'info', format: 'json', write: (text) => lines.push(parseJson(text) as PlainObject) });
  const authz = 'package system.authz\n\nallow if {\n\tprint("asked", input.method)\n}\n';
  const { ask } = await testServer({ policies: { 'authz.rego': authz }, logger, authorization: 'basic' });
  await ask('GET', '/v1/data/p');
  expect(lines.filter(({ msg }) => msg === 'asked GET')).toMatchObject([{ line: 'authz.rego:4', ...fieldsOf(['GET', '/v1/data/p']) }]);
});

test('a query is logged as it reads, with its solutions and what built-ins answered', async () => {
  const { events } = await eventsOf(['POST', '/v1/query', '{"query": "x=rand.intn(`s`,1);  x<5", "input": {"a": 1}}']);
  expect(events).toMatchObject([
    {
      query: 'x = rand.intn("s", 1); x < 5',
      input: { a: 1 },
      result: [{ x: 0 }],
      nd_builtin_cache: { 'rand.intn': { '["s",1]': 0 } },
      metrics: { timer_rego_query_eval_ns: expect.any(Number) },
    },
  ]);
  expect(events[0]).not.toHaveProperty('path');
});

test('a query without solutions has null as its result', async () => {
  const { events, answer } = await eventsOf(['GET', '/v1/query?q=data.nosuch']);
  expect(events).toMatchObject([{ query: 'data.nosuch', result: null }]);
  expect(answer).toBe('{}\n');
});

test('a partial evaluation is not logged', async () => {
  const { events, answer } = await eventsOf(
    ['POST', '/v1/compile', '{"query": "data.p.x == input.x"}'],
    ['POST', '/v1/compile', '{"query": "data.p.fails", "options": {"nondeterministicBuiltins": true}}'],
  );
  expect(answer).toContain('eval_conflict_error');
  expect(events).toEqual([]);
});

test('a query that does not compile is logged with all complaints, one that is none is not logged', async () => {
  const { events } = await eventsOf(['GET', '/v1/query?q=x%3Ay%3D'], ['GET', '/v1/query?q=x%3E1']);
  expect(events).toMatchObject([
    { query: 'x > 1', error: [{ code: 'rego_unsafe_var_error', message: 'var x is unsafe' }, { message: 'var _ is unsafe' }] },
  ]);
});

test.each([
  ['/v0/data/p/u', 'p/u', 'document undefined: data.p.u'],
  ['/v0/data/nosuch', 'nosuch', 'document missing: data.nosuch'],
  ['/', 'system/main', 'document missing: data.system.main'],
])('what is undefined at %s is logged as the error that it is answered with', async (path, logged, message) => {
  const { events } = await eventsOf(['POST', path, '{"a": 1}']);
  expect(events).toMatchObject([{ path: logged, input: { a: 1 }, error: { code: 'undefined_document', message } }]);
  expect(events[0]).not.toHaveProperty('result');
});

test('what is undefined at /v1/data is a decision without a result', async () => {
  const { events, answer } = await eventsOf(['POST', '/v1/data/p/u', '{"input": {"a": 1}}']);
  expect(events).toMatchObject([
    { path: 'p/u', input: { a: 1 }, decision_id: (JSON.parse(answer) as { decision_id: string }).decision_id },
  ]);
  expect(events[0]).not.toHaveProperty('error');
  expect(events[0]).not.toHaveProperty('result');
});

test.each<[string, string, PlainObject | undefined]>([
  ['{"input": {"a": 1}, "org.example/md": {"tenant": "t1"}, "b": null}', '', { 'org.example/md': { tenant: 't1' }, b: null }],
  ['{"INPUT": {"a": 1}, "__proto__": 1}', '', parseJson('{"__proto__": 1}') as PlainObject],
  ['{"input": {"a": 1}, "b": 2}', '?explain=why', { b: 2 }],
  ['{"input": {"a": 1}}', '', undefined],
])('what the body %s has beside the input is in the log', async (body, search, metadata) => {
  const { events } = await eventsOf(['POST', `/v1/data/p/x${search}`, body]);
  expect(events).toMatchObject([{ path: 'p/x', input: { a: 1 }, result: 1 }]);
  expect(events[0]!.custom).toEqual(metadata && { incoming_metadata: metadata });
});

test('of a decision that fails, the log has what stands beside the input too', async () => {
  const { events } = await eventsOf(['POST', '/v1/data/p/fails', '{"trace": "t1"}']);
  expect(events).toMatchObject([{ path: 'p/fails', custom: { incoming_metadata: { trace: 't1' } } }]);
});

test('an evaluation that fails is logged with its own error and what built-ins had answered', async () => {
  const { events } = await eventsOf(['GET', '/v1/data/p/fails']);
  expect(events).toMatchObject([
    {
      path: 'p/fails',
      error: { code: 'eval_conflict_error', location: { file: 'p.rego' } },
      nd_builtin_cache: { 'rand.intn': { '["s",1]': 0 } },
    },
  ]);
});

test('requests that decide nothing are not logged', async () => {
  const { events } = await eventsOf(
    ['POST', '/v1/data/p/x', '{"input":'],
    ['PUT', '/v1/data/k', '1'],
    ['GET', '/v1/policies'],
    ['GET', '/health'],
  );
  expect(events).toEqual([]);
});
