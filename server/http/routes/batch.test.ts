import { describe, expect, test } from 'vitest';
import { type TestOptions, testServer } from '../../../test/harness/server/app.js';
import { parseJson } from '../../../values/json/json.js';
import type { PlainObject } from '../../../values/value.js';
import { Logger } from '../../services/logs/logger.js';

const options: TestOptions = {
  policies: {
    'p.rego': `package p

allow if input.user == "alice"

echo := input

both := 1 if input.a

both := 2 if input.b

slow if count([1 | some i in numbers.range(1, 3000); some j in numbers.range(1, 3000); i == j]) > input.n
`,
  },
  data: { text: 's' },
};

async function batch(path: string, body: unknown, more: TestOptions = {}) {
  const { ask } = await testServer({ ...options, ...more });
  const { status, text } = await ask('POST', `/v1/batch/data/${path}`, typeof body === 'string' ? body : JSON.stringify(body));
  return { status, text, json: JSON.parse(text) as PlainObject };
}

describe('a batch', () => {
  test('answers each input under its key', async () => {
    const { status, json } = await batch('p/allow', { inputs: { a: { user: 'alice' }, b: { user: 'bob' } } });
    expect([status, json]).toEqual([200, { responses: { a: { result: true }, b: {} } }]);
  });

  test('of which some decisions fail has the status of each', async () => {
    const { status, json } = await batch('p/both', { inputs: { good: { a: 1 }, none: {}, bad: { a: 1, b: 1 } } });
    expect(status).toBe(207);
    expect(json).toEqual({
      responses: {
        good: { http_status_code: '200', result: 1 },
        none: { http_status_code: '200' },
        bad: {
          http_status_code: '500',
          code: 'internal_error',
          message: 'error(s) occurred while evaluating query',
          errors: [expect.objectContaining({ code: 'eval_conflict_error' })],
        },
      },
    });
  });

  test('of which all decisions fail is a server error', async () => {
    const { status, json } = await batch('p/both', { inputs: { x: { a: 1, b: 1 } } });
    expect(status).toBe(500);
    expect(json).toEqual({ responses: { x: expect.objectContaining({ code: 'internal_error' }) } });
    expect(json).not.toHaveProperty('responses.x.http_status_code');
  });

  test.each([
    ['an undefined document', 'no/such', { inputs: { a: 1 } }, { responses: { a: {} } }],
    ['a base document', 'text', { inputs: { a: 1 } }, { responses: { a: { result: 's' } } }],
    ['no inputs', 'p/echo', { inputs: {} }, { responses: {} }],
    ['an input of null, which counts as none', 'p/echo', { inputs: { a: null } }, { responses: { a: {} } }],
    [
      'a common input',
      'p/echo',
      { common_input: { a: 1, o: { x: 1, y: [1] } }, inputs: { k: { o: { x: 2, z: 3 }, b: 2 }, n: null, s: 's' } },
      {
        responses: {
          k: { result: { a: 1, b: 2, o: { x: 2, y: [1], z: 3 } } },
          n: { result: { a: 1, o: { x: 1, y: [1] } } },
          s: { result: 's' },
        },
      },
    ],
  ])('with %s', async (_title, path, body, expected) => {
    expect(await batch(path, body)).toMatchObject({ status: 200, json: expected });
  });

  test('keeps digits and keys as they are', async () => {
    const body = '{"inputs": {"a\\"b": 12345678901234567890, "c": {"__proto__": {"x": 1}}}, "common_input": {"__proto__": {"y": 2}}}';
    expect((await batch('p/echo', body)).text).toBe(
      '{"responses":{"a\\"b":{"result":12345678901234567890},"c":{"result":{"__proto__":{"x":1,"y":2}}}}}\n',
    );
  });

  test('is indented on request, and has metrics', async () => {
    const { text } = await batch('p/echo?pretty', { inputs: { a: 1 } });
    expect(text).toBe('{\n  "responses": {\n    "a": {\n      "result": 1\n    }\n  }\n}\n');
    const { json } = await batch('p/echo?metrics', { inputs: { a: 1 } });
    expect(json).toMatchObject({
      metrics: { timer_server_handler_ns: expect.any(Number) },
      responses: { a: { metrics: { timer_rego_query_eval_ns: expect.any(Number) } } },
    });
  });

  test.each([
    ['no object', '[]', "it needs an object of 'inputs'"],
    ['without inputs', '{"input": {}}', "it needs an object of 'inputs'"],
    ['with a list of inputs', '{"inputs": [1]}', "it needs an object of 'inputs'"],
    ['malformed', '{"inputs": {', 'malformed batch'],
  ])('%s is refused', async (_title, body, message) => {
    expect(await batch('p/echo', body)).toMatchObject({
      status: 400,
      json: { code: 'invalid_parameter', message: expect.stringContaining(message) },
    });
  });

  test('has a limit of inputs', async () => {
    const config = { server: { max_batch_inputs: 2 } };
    const inputs = { a: 1, b: 2, c: 3 };
    expect(await batch('p/echo', { inputs }, { config })).toMatchObject({
      status: 400,
      json: { message: expect.stringContaining('at most 2') },
    });
  });

  test('has one deadline: the decisions that it cuts off fail', async () => {
    const inputs = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`k${i}`, { n: i }]));
    const config = { server: { decision_timeout_seconds: 0.3 } };
    const { status, json } = await batch('p/slow', { inputs }, { config });
    expect([207, 500]).toContain(status);
    expect(JSON.stringify(json)).toContain('eval_cancel_error');
    expect(Object.keys(json.responses as PlainObject)).toHaveLength(500);
  });

  test('lets other requests in between', async () => {
    const { ask } = await testServer(options);
    const inputs = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}`, { user: 'alice', i }]));
    let ended = false;
    const whole = ask('POST', '/v1/batch/data/p/echo', JSON.stringify({ inputs })).finally(() => (ended = true));
    let between = 0;
    while (!ended) {
      await new Promise((resolve) => setImmediate(resolve));
      between++;
    }
    expect((await whole).status).toBe(200);
    expect(between).toBeGreaterThan(3);
  });

  test('is answered for its documents alone', async () => {
    const { ask } = await testServer(options);
    expect((await ask('GET', '/v1/batch/data/p/allow')).status).toBe(404);
    expect((await ask('POST', '/v1/batch/data', '{}')).status).toBe(404);
    expect((await ask('POST', '/v1/batch/other', '{}')).status).toBe(404);
  });
});

test('each decision of a batch is logged, with the id of the batch', async () => {
  const lines: PlainObject[] = [];
  const console = new Logger({ level: 'info', format: 'json', write: (text) => lines.push(parseJson(text) as PlainObject) });
  const { json } = await batch(
    'p/both',
    { inputs: { x: { a: 1 }, y: { a: 1, b: 1 } } },
    { console, config: { decision_logs: { console: true } } },
  );
  const events = lines.filter(({ msg }) => msg === 'Decision Log');
  expect(events).toHaveLength(2);
  const { batch_decision_id, responses } = json as { batch_decision_id: string; responses: Record<string, { decision_id: string }> };
  for (const event of events) expect(event).toMatchObject({ batch_decision_id, path: 'p/both', input: { a: 1 } });
  expect(new Set(events.map(({ decision_id }) => decision_id))).toEqual(new Set([responses.x!.decision_id, responses.y!.decision_id]));
  expect(events.find(({ error }) => error !== undefined)).toMatchObject({ input: { a: 1, b: 1 }, error: { code: 'eval_conflict_error' } });
});

test('an authorization policy sees the body of a batch', async () => {
  const policies = { 'a.rego': 'package system.authz\n\ndefault allow := false\n\nallow if input.body.inputs.a == 1\n' };
  expect((await batch('x', { inputs: { a: 1 } }, { policies, authorization: 'basic' })).status).toBe(200);
  expect((await batch('x', { inputs: { a: 2 } }, { policies, authorization: 'basic' })).status).toBe(401);
});
