import { describe, expect, onTestFinished, test } from 'vitest';
import { type TestOptions, type TestServer, testServer } from '../../../test/harness/server/app.js';
import { serverProcess } from '../../../test/harness/server/process.js';

const policies = {
  'authz.rego': 'package authz\nallow if input.user in data.admins\nclash := x if some x in data.values\n',
};
const data = { admins: ['alice'], values: [1], other: 1 };

interface Reading {
  readonly status: number;
  /** The next notification; undefined where the server has ended the stream. */
  next(): Promise<unknown>;
  /** Whether none comes for a while. */
  isQuiet(): Promise<boolean>;
  cancel(): Promise<void>;
}

/** Reads the JSON values of a stream; each chunk is one. */
function reading(response: Response): Reading {
  const reader = response.body!.getReader();
  let pending: ReturnType<typeof reader.read> | undefined;
  return {
    status: response.status,
    async next() {
      const { value } = await (pending ?? reader.read());
      pending = undefined;
      return value === undefined ? undefined : (JSON.parse(new TextDecoder().decode(value)) as unknown);
    },
    async isQuiet() {
      pending ??= reader.read();
      return await Promise.race([pending.then(() => false), new Promise<boolean>((resolve) => setTimeout(resolve, 100, true))]);
    },
    cancel: () => reader.cancel(),
  };
}

async function opened(options: TestOptions = {}): Promise<TestServer & { watch(path: string, init?: RequestInit): Promise<Reading> }> {
  const server = await testServer({ policies, data, ...options });
  onTestFinished(() => server.context.engine.endWatches());
  return {
    ...server,
    watch: async (path, init) => reading(await server.app.fetch(new Request(`http://localhost${path}`, init))),
  };
}

const asking = (user: string): RequestInit => ({ method: 'POST', body: JSON.stringify({ input: { user } }) });

describe('watch of a document', () => {
  test('sends the document, and again when it has changed', async () => {
    const { watch, ask } = await opened();
    const stream = await watch('/v1/data/authz/allow?watch', asking('bob'));
    expect(stream.status).toBe(200);
    expect(await stream.next()).toEqual({});
    await ask('PUT', '/v1/data/other', '2');
    expect(await stream.isQuiet()).toBe(true);
    await ask('PUT', '/v1/data/admins', '["bob"]');
    expect(await stream.next()).toEqual({ result: true });
    await ask('DELETE', '/v1/policies/authz.rego');
    expect(await stream.next()).toEqual({});
  });

  test('watches base documents by GET, with input, metrics and explanation', async () => {
    const { watch, ask } = await opened();
    const stream = await watch('/v1/data/values?watch=true&metrics&explain=full');
    expect(await stream.next()).toEqual({
      result: [1],
      metrics: expect.objectContaining({ timer_rego_query_eval_ns: expect.any(Number) }),
      explanation: expect.any(Array),
    });
    await ask('PATCH', '/v1/data/values', '[{"op": "add", "path": "-", "value": 2}]');
    expect(await stream.next()).toMatchObject({ result: [1, 2] });
  });

  test('reports an error of the evaluation and goes on', async () => {
    const { watch, ask } = await opened();
    const stream = await watch('/v1/data/authz/clash?watch');
    expect(await stream.next()).toEqual({ result: 1 });
    await ask('PUT', '/v1/data/values', '[1, 2]');
    expect(await stream.next()).toMatchObject({ error: { code: 'internal_error', errors: [{ code: 'eval_conflict_error' }] } });
    await ask('PUT', '/v1/data/values', '[3]');
    expect(await stream.next()).toEqual({ result: 3 });
  });

  test('ends where a function takes the place of the document', async () => {
    const { watch, ask } = await opened();
    const stream = await watch('/v1/data/authz/allow?watch', asking('alice'));
    await stream.next();
    await ask('PUT', '/v1/policies/authz.rego', 'package authz\nallow(x) := x');
    expect(await stream.next()).toMatchObject({ error: { message: expect.stringMatching(/^watch invalidated: /) } });
    expect(await stream.next()).toBeUndefined();
  });

  test('sends a late reader the last document only', async () => {
    const { watch, ask } = await opened();
    const stream = await watch('/v1/data/values?watch');
    for (const n of [2, 3, 4, 5]) await ask('PUT', '/v1/data/values', `[${n}]`);
    const seen: unknown[] = [];
    while (!(await stream.isQuiet())) seen.push(await stream.next());
    expect(seen.at(-1)).toEqual({ result: [5] });
    expect(seen.length).toBeLessThanOrEqual(3);
  });

  test('counts the watches that are open', async () => {
    const { watch, ask, context } = await opened({ config: { server: { max_watches: 1 } } });
    const stream = await watch('/v1/data/values?watch');
    const refused = await ask('GET', '/v1/data/values?watch');
    expect(refused.status).toBe(503);
    await stream.cancel();
    expect((await context.engine.watches()).size).toBe(0);
    expect((await watch('/v1/data/values?watch')).status).toBe(200);
  });

  test('asks the authorization policy again before each notification', async () => {
    const authz = 'package system.authz\ndefault allow := false\nallow if input.identity in data.tokens\n';
    const { watch, context } = await opened({
      policies: { ...policies, 'system.rego': authz },
      data: { ...data, tokens: ['secret'] },
      authentication: 'token',
      authorization: 'basic',
    });
    const stream = await watch('/v1/data/values?watch', { headers: { authorization: 'Bearer secret' } });
    expect(await stream.next()).toEqual({ result: [1] });
    const write = (path: string, value: number[]) => context.engine.commit({ data: [{ op: 'write', path: [path], value }] });
    await write('tokens', []);
    await write('values', [2]);
    expect(await stream.next()).toMatchObject({ error: { code: 'unauthorized' } });
    expect(await stream.next()).toBeUndefined();
  });
});

describe('watch of a query', () => {
  const query = (text: string) => `/v1/query?watch=true&q=${encodeURIComponent(text)}`;

  test('sends expressions and bindings', async () => {
    const { watch, ask } = await opened();
    const stream = await watch(query('x := data.values[i]; x > 1'));
    expect(await stream.next()).toEqual({});
    await ask('PUT', '/v1/data/values', '[1, 2]');
    expect(await stream.next()).toEqual({
      result: [
        {
          expressions: [
            { value: true, text: 'x := data.values[i]', location: { row: 1, col: 1 } },
            { value: true, text: 'x > 1', location: { row: 1, col: 22 } },
          ],
          bindings: { i: 1, x: 2 },
        },
      ],
    });
    await ask('PUT', '/v1/policies/q.rego', 'package q\ny := 1');
    expect(await stream.isQuiet()).toBe(true);
  });

  test('is a plain answer without the value true, as the reference gives it', async () => {
    const { ask } = await opened();
    expect(await ask('GET', '/v1/query?watch&q=x%3D1')).toEqual({ status: 200, text: '{"result":[{"x":1}]}\n' });
  });

  test('ends when the query no longer compiles', async () => {
    const { watch, ask } = await opened();
    await ask('PUT', '/v1/policies/f.rego', 'package f\ndouble(n) := n * 2');
    const stream = await watch(query('data.f.double(2, x)'));
    expect(await stream.next()).toMatchObject({ result: [{ bindings: { x: 4 } }] });
    await ask('PUT', '/v1/policies/f.rego', 'package f\nhalf(n) := n / 2');
    expect(await stream.next()).toMatchObject({ error: { message: expect.stringMatching(/^watch invalidated: /) } });
    expect(await stream.next()).toBeUndefined();
  });

  test.each([
    ['does not parse', 'data.x[', /parsing query/],
    ['may not be asked', 'http.send({}, x)', /compiling query/],
    ['is empty', '', /empty query/],
    ['is too long', 'true;'.repeat(1000), /4096 characters/],
  ])('is refused where the query %s', async (_what, text, message) => {
    const { ask } = await opened();
    const { status, text: answer } = await ask('GET', query(text));
    expect(status).toBe(400);
    expect(answer).toMatch(message);
  });
});

describe('over a socket', () => {
  test('streams notifications, and ends them with the server', async () => {
    const server = await serverProcess();
    const response = await fetch(`${server.url}/v1/data/x?watch`);
    const stream = reading(response);
    expect(await stream.next()).toEqual({});
    await server.ask('PUT', '/v1/data/x', '{"n": 1}');
    expect(await stream.next()).toEqual({ result: { n: 1 } });
    const ended = server.end();
    expect(await stream.next()).toBeUndefined();
    await ended;
  });
});
