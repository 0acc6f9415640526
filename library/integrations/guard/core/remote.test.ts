import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createGuard } from './guard.js';
import { GuardError } from './guard-error.js';
import { remote } from './remote.js';

interface Asked {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: { readonly input?: unknown; readonly inputs?: Readonly<Record<string, unknown>> };
}

let server: Server;
let url: string;
let asked: Asked[];
/** A status with a body; undefined for a connection that is closed, 'never' for no answer. */
let answer: (asked: Asked) => readonly [status: number, body: unknown] | undefined | 'never';

beforeEach(async () => {
  asked = [];
  server = createServer(async (request, response) => {
    let text = '';
    for await (const part of request.setEncoding('utf8')) text += part;
    const one: Asked = { path: request.url!, headers: request.headers, body: JSON.parse(text) };
    asked.push(one);
    const given = answer(one);
    if (given === undefined) request.socket.destroy();
    else if (given !== 'never')
      response
        .writeHead(given[0], { location: 'http://127.0.0.1:1/' })
        .end(typeof given[1] === 'string' ? given[1] : JSON.stringify(given[1]));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const allowAlice = ({ body }: Asked) => [200, { result: (body.input as { user?: string }).user === 'alice' }] as const;

test('a rule is asked by the REST API, with the token and the headers', async () => {
  answer = allowAlice;
  const allow = remote<{ user: string }>({
    url: `${url}/opa`,
    path: '/authz/a b/allow',
    token: () => 's3cret',
    headers: { 'x-tenant': 't' },
  });
  expect([await allow({ user: 'alice' }), await allow({ user: 'bob' })]).toEqual([true, false]);
  expect(asked[0]).toMatchObject({
    path: '/opa/v1/data/authz/a%20b/allow',
    headers: { authorization: 'Bearer s3cret', 'x-tenant': 't', 'content-type': 'application/json' },
    body: { input: { user: 'alice' } },
  });
});

test('a guard takes the options themselves, and the id of the server', async () => {
  answer = ({ path }) => [200, path.endsWith('deny') ? { result: ['no'] } : { result: false, decision_id: 'd-1' }];
  const check = createGuard({ url, path: 'authz/allow' }, (input: unknown) => input, { reasons: 'authz/deny' });
  expect(await check({})).toMatchObject({ allowed: false, reasons: ['no'], decisionId: 'd-1' });
  const rule = createGuard(remote({ url, path: 'authz/allow' }), (input: unknown) => input, {
    reasons: 'authz/deny',
    decisionId: () => 'mine',
  });
  expect(await rule({})).toMatchObject({ allowed: false, reasons: ['no'], decisionId: 'mine' });
});

test('an undefined document is undefined', async () => {
  answer = () => [200, {}];
  for (const timeoutMs of [undefined, 5000.5, 2 ** 31 - 1])
    expect(await remote({ url, path: 'a', ...(timeoutMs && { timeoutMs }) })({})).toBeUndefined();
  expect(await createGuard({ url, path: 'a' }, (input: unknown) => input)({})).toMatchObject({ allowed: false });
});

describe('a server that does not decide', () => {
  test.each<[string, typeof answer, string, number]>([
    ['refuses the token', () => [401, { code: 'unauthorized', message: 'no' }], 'remote_status', 1],
    ['has an error', () => [500, { code: 'internal_error', message: 'eval' }], 'remote_status', 1],
    ['is overloaded', () => [503, ''], 'remote_status', 3],
    ['closes the connection', () => undefined, 'remote_unreachable', 3],
    ['answers with a page', () => [200, '<html>'], 'remote_response', 1],
    ['answers with a list', () => [200, [true]], 'remote_response', 1],
    ['answers with true', () => [200, 'true'], 'remote_response', 1],
    ['leads elsewhere', () => [307, { result: true }], 'remote_status', 1],
    ['answers without end', () => [200, `"${'x'.repeat(17 * 1024 * 1024)}"`], 'remote_response', 1],
  ])('%s: an error after its tries', async (_title, given, code, tries) => {
    answer = given;
    const error = await remote({ url, path: 'a' })({}).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'RemoteError', code });
    expect(asked.length).toBe(tries);
    // Frameworks answer clients with such members of an error.
    expect(error).not.toHaveProperty('status');
    expect(error).not.toHaveProperty('statusCode');
    await expect(createGuard({ url, path: 'a', retries: 0 }, () => ({}))(undefined)).rejects.toMatchObject({ code });
  });

  test('in time: an error, with no more tries', async () => {
    answer = () => 'never';
    await expect(remote({ url, path: 'a', timeoutMs: 100 })({})).rejects.toMatchObject({ code: 'remote_timeout' });
    expect(asked.length).toBe(1);
    answer = () => [503, ''];
    await expect(remote({ url, path: 'a', timeoutMs: 400, retries: 10 })({})).rejects.toMatchObject({ name: 'RemoteError' });
    expect(asked.length).toBeLessThan(10);
  });

  test('in time, since its token is late: an error', async () => {
    const token = () => new Promise<string>(() => {});
    await expect(remote({ url, path: 'a', timeoutMs: 100, token })({})).rejects.toMatchObject({ code: 'remote_timeout' });
    expect(asked.length).toBe(0);
  });

  test('at first: it is asked again', async () => {
    answer = () => (asked.length < 2 ? undefined : asked.length < 3 ? [429, ''] : [200, { result: true }]);
    expect(await remote({ url, path: 'a' })({})).toBe(true);
  });
});

test.each([
  { url: 'localhost:8181', path: 'a' },
  { url: 'ftp://host', path: 'a' },
  { url: 'http://user:secret@host', path: 'a' },
  { url: 'http://host', path: '' },
  { url: 'http://host', path: '/' },
  { url: 'http://host', path: 'a', timeoutMs: 0 },
  { url: 'http://host', path: 'a', timeoutMs: Number.NaN },
  { url: 'http://host', path: 'a', retries: 11 },
  { url: 'http://host', path: 'a', retries: Number.POSITIVE_INFINITY },
])('options are refused: %j', (options) => {
  expect(() => remote(options)).toThrow(GuardError);
});

describe('a batch', () => {
  const each = (inputs: Readonly<Record<string, unknown>>, one: (input: unknown) => unknown) =>
    Object.fromEntries(Object.entries(inputs).map(([id, input]) => [id, one(input)]));

  test('has what is asked for at the same time', async () => {
    answer = ({ body, path }) => {
      if (path !== '/v1/batch/data/authz/allow') return [200, { result: true }];
      return [200, { responses: each(body.inputs!, (input) => ({ result: input !== 'bob', decision_id: `of ${input}` })) }];
    };
    const allow = remote<string>({ url, path: 'authz/allow', batch: true });
    expect(await Promise.all(['alice', 'bob', 'alice'].map((input) => allow(input)))).toEqual([true, false, true]);
    expect(asked.map(({ path }) => path)).toEqual(['/v1/batch/data/authz/allow']);
    expect(await allow.ask('carol')).toEqual({ result: true, decisionId: undefined });
    expect(asked.length).toBe(2);
    await Promise.all(Array.from({ length: 250 }, (_, i) => allow(String(i))));
    expect(asked.slice(2).map(({ body }) => Object.keys(body.inputs!).length)).toEqual([100, 100, 50]);
  });

  test('is many requests where the server has no batches', async () => {
    answer = (one) => (one.path.startsWith('/v1/batch') ? [404, '404 page not found'] : allowAlice(one));
    const allow = remote<{ user: string }>({ url, path: 'a', batch: true });
    const both = () => Promise.all([allow({ user: 'alice' }), allow({ user: 'bob' })]);
    expect(await both()).toEqual([true, false]);
    expect(await both()).toEqual([true, false]);
    expect(asked.map(({ path }) => path.startsWith('/v1/batch'))).toEqual([true, false, false, false, false]);
  });

  test('may fail in part', async () => {
    const failure = { http_status_code: '500', code: 'internal_error', message: 'conflict' };
    answer = ({ body }) => [
      207,
      { responses: each(body.inputs!, (input) => (input === 'bob' ? failure : { http_status_code: '200', result: true })) },
    ];
    const allow = remote<string>({ url, path: 'a', batch: true });
    const all = await Promise.allSettled(['alice', 'bob'].map((input) => allow(input)));
    expect(all).toMatchObject([
      { value: true },
      { status: 'rejected', reason: { code: 'remote_status', message: expect.stringContaining('conflict') } },
    ]);
  });

  test.each<[string, typeof answer]>([
    ['fails', () => [500, { code: 'internal_error' }]],
    ['is refused', () => [401, {}]],
    ['has fewer answers', () => [200, { responses: {} }]],
    ['has no answers', () => [200, {}]],
    ['has answers of another form', () => [200, { responses: { 0: true, 1: [true] } }]],
    ['is refused, with decisions', () => [401, { responses: { 0: { result: true }, 1: { http_status_code: '200', result: true } } }]],
    ['leads elsewhere', () => [307, { responses: { 0: { result: true }, 1: { result: true } } }]],
    ['fails in part without statuses', () => [207, { responses: { 0: { result: true }, 1: { result: true } } }]],
    ['has errors alone', () => [500, { responses: { 0: { code: 'a' }, 1: { code: 'b' } } }]],
  ])('that %s decides nothing', async (_title, given) => {
    answer = given;
    const allow = remote<string>({ url, path: 'a', batch: true, retries: 0 });
    const all = await Promise.allSettled(['alice', 'bob'].map((input) => allow(input)));
    expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
