import type { IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type TestOptions, testServer } from '../../test/harness/server/app.js';
import { metricsText } from '../services/metrics/prometheus.js';
import { createApp } from './app.js';

const options: TestOptions = {
  policies: {
    'p.rego': `package p

allow if input.user == "alice"

echo := input

nums contains x if some x in [3, 1, 2]

obj[k] := v if some k, v in {"a": 1, "b": 2}

f(x) := x

two := 1 if input.a

two := 2 if input.b

quotient := 1 / input.n
`,
    'm.rego': 'package system\n\nmain := {"got": input}\n',
    'h.rego': 'package system.health\n\nlive := true\n\nready if input.plugins_ready\n\nnever if input.nope\n',
  },
  data: { list: [{ id: 'a' }, { id: 'b' }], nested: { '1': 'one', 'a/b': 'stroke' }, text: 's' },
};

const json = { 'content-type': 'application/json' };

describe('decisions', () => {
  test.each([
    ['GET', '/v1/data/list/1/id', undefined, 200, '{"result":"b"}\n'],
    ['GET', '/v1/data/list/x', undefined, 200, '{}\n'],
    ['GET', '/v1/data/nested/1', undefined, 200, '{"result":"one"}\n'],
    ['GET', '/v1/data/nested/a%2Fb', undefined, 200, '{"result":"stroke"}\n'],
    ['GET', '/v1/data/p/allow?input={"user":"alice"}', undefined, 200, '{"result":true}\n'],
    ['GET', '/v1/data/p/nums', undefined, 200, '{"result":[1,2,3]}\n'],
    ['GET', '/v1/data/p/nums/3', undefined, 200, '{"result":3}\n'],
    ['GET', '/v1/data/p/nums/4', undefined, 200, '{}\n'],
    ['GET', '/v1/data/p/obj/b', undefined, 200, '{"result":2}\n'],
    ['GET', '/v1/data/nosuch?pretty', undefined, 200, '{}\n'],
    ['POST', '/v1/data/p/echo', '{"input": 12345678901234567890}', 200, '{"result":12345678901234567890}\n'],
    ['POST', '/v1/data/p/echo', '{"Input": {"a": [1]}} rest', 200, '{"result":{"a":[1]}}\n'],
    ['POST', '/v0/data/p/allow', '{"user": "alice"}', 200, 'true\n'],
    ['POST', '/v0/data/p/echo', '', 200, 'null\n'],
    ['POST', '/?pretty', '{"a": 1}', 200, '{\n  "got": {\n    "a": 1\n  }\n}\n'],
  ])('%s %s %s', async (method, path, body, status, text) => {
    const { ask } = await testServer(options);
    expect(await ask(method, path, body, json)).toEqual({ status, text });
  });

  test('a body without an input is told about', async () => {
    const { ask } = await testServer(options);
    const { text } = await ask('POST', '/v1/data/text', '{"user": "alice"}');
    expect(JSON.parse(text)).toEqual({
      result: 's',
      warning: { code: 'api_usage_warning', message: expect.stringContaining("'input' key missing") },
    });
  });

  test.each([
    ['POST', '/v1/data/p/alow', 'data.p has no "alow": did you mean "allow"?'],
    ['GET', '/v1/data/nestde/1', undefined],
    ['GET', '/v1/data/nested/11', undefined],
    ['POST', '/v1/data/systme', 'data has no "systme": did you mean "system"?'],
    ['POST', '/v1/data/p/nothing', undefined],
    ['POST', '/v1/data/p/allow', undefined],
    ['POST', '/v1/data/p/allow/x', undefined],
    ['POST', '/v1/data/p/obj/c', undefined],
  ])('%s %s: a misspelt name is told about', async (method, path, message) => {
    const { ask } = await testServer(options);
    const { text } = await ask(method, path, method === 'POST' ? '{"input": {}}' : undefined, json);
    expect(JSON.parse(text)).toEqual(message === undefined ? {} : { warning: { code: 'api_usage_warning', message } });
  });

  test.each([
    ['explain=wy', 'parameter explain has no value "wy": did you mean "why"?'],
    ['explain=ful', 'parameter explain has no value "ful": did you mean "full"?'],
    ['explain=note', 'parameter explain has no value "note": did you mean "notes"?'],
    ['explian=why', 'there is no parameter "explian": did you mean "explain"?'],
    ['prety', 'there is no parameter "prety": did you mean "pretty"?'],
    ['metrics=ture', 'parameter metrics has no value "ture": did you mean "true"?'],
    ['provenence=true', 'there is no parameter "provenence": did you mean "provenance"?'],
    ['explain=FULL', undefined],
    ['explain=nosuch', undefined],
    ['explain=off', undefined],
    ['pretty=1', undefined],
    ['input=%22tru%22', undefined],
    ['user=alice', undefined],
  ])('a misspelt parameter %s is told about', async (search, message) => {
    const { ask } = await testServer(options);
    const { text } = await ask('GET', `/v1/data/text?${search}`, undefined, json);
    expect(JSON.parse(text).warning).toEqual(message && { code: 'api_usage_warning', message });
  });

  test('where clients need permission, no names are told', async () => {
    const policies = { ...options.policies, 'a.rego': 'package system.authz\n\nallow := true\n' };
    const { ask } = await testServer({ ...options, policies, authorization: 'basic' });
    expect(await ask('POST', '/v1/data/p/alow', '{"input": {}}', json)).toEqual({ status: 200, text: '{}\n' });
  });

  test('YAML bodies are read as JSON is', async () => {
    const { ask } = await testServer(options);
    const { text } = await ask('POST', '/v1/data/p/echo', 'input:\n  a: [1, x]\n', { 'content-type': 'application/x-yaml' });
    expect(text).toBe('{"result":{"a":[1,"x"]}}\n');
  });

  test('the first decision after a change compiles, the next ones do not', async () => {
    const { ask } = await testServer(options);
    const metrics = async () => JSON.parse((await ask('GET', '/v1/data/p/allow?metrics')).text).metrics;
    expect(Object.keys(await metrics())).toContain('timer_rego_query_compile_ns');
    expect(Object.keys(await metrics())).not.toContain('timer_rego_query_compile_ns');
    expect(await metrics()).toMatchObject({ counter_server_query_cache_hit: 1 });
    await ask('PUT', '/v1/data/other', '1');
    expect(await metrics()).toMatchObject({ counter_server_query_cache_hit: 0 });
  });

  test('answers are compressed from the configured length on', async () => {
    const { app } = await testServer({ ...options, config: { server: { encoding: { gzip: { min_length: 17 } } } } });
    const get = (path: string) => app.fetch(new Request(`http://localhost${path}`, { headers: { 'accept-encoding': 'gzip' } }));
    const short = await get('/v1/data/text');
    expect(short.headers.get('content-encoding')).toBe(null);
    const long = await get('/v1/data/nested/1');
    expect(long.headers.get('content-encoding')).toBe('gzip');
    expect(long.headers.get('vary')).toBe('Accept-Encoding');
    expect(gunzipSync(Buffer.from(await long.arrayBuffer())).toString()).toBe('{"result":"one"}\n');
  });
});

describe('errors', () => {
  test.each([
    ['POST', '/v1/data/p/two', '{"input": {"a": 1, "b": 2}}', 500, 'internal_error', 'eval_conflict_error'],
    ['POST', '/v1/data/p/quotient?strict-builtin-errors', '{"input": {"n": 0}}', 500, 'internal_error', 'eval_builtin_error'],
    ['POST', '/v1/data/p', '[1]', 400, 'invalid_parameter', undefined],
    ['POST', '/v1/data/p', '{"input": ', 400, 'invalid_parameter', undefined],
    ['GET', '/v1/data/p?input=', undefined, 400, 'invalid_parameter', undefined],
    ['GET', '/v1/data/a%22b', undefined, 400, 'invalid_parameter', undefined],
    ['POST', '/v0/data/p/allow', '{}', 404, 'undefined_document', undefined],
    ['POST', '/v0/data/nosuch', '{}', 404, 'undefined_document', undefined],
    ['GET', '/v1/query?q=x', undefined, 400, 'invalid_parameter', 'rego_unsafe_var_error'],
    ['GET', '/v1/query?q=x%20%3D', undefined, 400, 'invalid_parameter', 'rego_parse_error'],
    ['GET', '/v1/query?q=', undefined, 400, 'invalid_parameter', undefined],
    ['GET', '/v1/query?q=http.send({},x)', undefined, 400, 'invalid_parameter', 'rego_type_error'],
    ['GET', '/v1/policies/nosuch', undefined, 404, 'resource_not_found', undefined],
    ['PUT', '/v1/policies/q', 'package q\n\np if nosuch(1)\n', 400, 'invalid_parameter', 'rego_type_error'],
    ['PUT', '/v1/policies/q', '', 400, 'invalid_parameter', undefined],
    ['PUT', '/v1/data/p/allow', '1', 400, 'invalid_parameter', undefined],
    ['PATCH', '/v1/data/list', '[{"op": "replace", "path": "-", "value": 1}]', 400, 'invalid_parameter', undefined],
    ['PUT', '/v1/data/text/x', '1', 404, 'resource_conflict', undefined],
    ['PATCH', '/v1/data/list', '[{"op": "remove", "path": "7"}]', 404, 'resource_not_found', undefined],
    ['PATCH', '/v1/data/list', '[{"op": "move", "path": "0", "from": "1"}]', 400, 'invalid_parameter', undefined],
    ['DELETE', '/v1/data/nosuch', undefined, 404, 'resource_not_found', undefined],
    ['POST', '/v1/compile/p/q', '{}', 400, 'invalid_parameter', undefined],
    ['GET', '/v1/status', undefined, 500, 'internal_error', undefined],
  ])('%s %s %s', async (method, path, body, status, code, detail) => {
    const { ask } = await testServer(options);
    const answer = await ask(method, path, body, json);
    expect(answer.status).toBe(status);
    const error = JSON.parse(answer.text);
    expect(error.code).toBe(code);
    expect(error.errors?.[0].code).toBe(detail);
    expect(answer.text).toMatch(/^\{\n {2}"/);
  });

  test('a document that was not written leaves everything as it was', async () => {
    const { ask } = await testServer(options);
    await ask('PATCH', '/v1/data', '[{"op": "add", "path": "/new", "value": 1}, {"op": "remove", "path": "/nosuch"}]');
    expect((await ask('GET', '/v1/data/new')).text).toBe('{}\n');
  });
});

describe('routing', () => {
  test.each([
    ['GET', '/nosuch', 404],
    ['GET', '/v1/dataa', 404],
    ['DELETE', '/v1/data', 405],
    ['POST', '/v1/policies', 405],
    ['PUT', '/v1/query', 405],
    ['GET', '/v1/query/x', 405],
    ['HEAD', '/v1/data/p', 405],
    ['HEAD', '/health', 405],
    ['HEAD', '/nosuch', 404],
    ['HEAD', '/metrics', 200],
    ['POST', '/metrics', 405],
    ['GET', '/v1/data/%zz', 400],
  ])('%s %s is answered %d', async (method, path, status) => {
    const { ask } = await testServer(options);
    expect((await ask(method, path)).status).toBe(status);
  });

  test.each([
    ['GET', '/health', 200],
    ['HEAD', '/metrics', 200],
    ['GET', '/health/', 301],
    ['GET', '/v1/data/', 404],
    ['PUT', '/v1/data/', 404],
    ['GET', '/v1/compile', 404],
  ])('at an address of diagnostics %s %s is answered %d', async (method, path, status) => {
    const { context } = await testServer(options);
    const app = createApp(context, { diagnosticsOnly: true });
    expect((await app.fetch(new Request(`http://localhost${path}`, { method }))).status).toBe(status);
  });

  test.each([
    ['GET', '/v1/data/', 301, '/v1/data', 'Moved Permanently'],
    ['GET', '/v1/data/p/?x=1', 301, '/v1/data/p?x=1', 'Moved Permanently'],
    ['GET', '//v1/data?x=1', 307, '/v1/data?x=1', 'Temporary Redirect'],
    ['GET', '/v1/data//p//', 307, '/v1/data/p/', 'Temporary Redirect'],
    ['PUT', '/v1/data//p', 307, '/v1/data/p', ''],
    ['GET', '/health/', 301, '/health', 'Moved Permanently'],
    ['GET', '/v1/compile', 307, '/v1/compile/', 'Temporary Redirect'],
    ['HEAD', '/v1/compile', 307, '/v1/compile/', ''],
  ])('%s %s is sent with %d to %s', async (method, path, status, location, text) => {
    const { app } = await testServer(options);
    const response = await app.fetch(new Request(`http://localhost${path}`, { method }));
    expect(response.status).toBe(status);
    expect(response.headers.get('location')).toBe(location);
    expect(await response.text()).toContain(text);
  });

  test('the root says in one line what answers, and where its documentation is', async () => {
    const { ask } = await testServer(options);
    const { text } = await ask('GET', '/?q=1');
    expect(text).toMatch(
      /^writ, a policy engine with the REST API of Open Policy Agent [\d.]+\. Version: \S+ .* Documentation: https:\S+\n$/,
    );
  });

  test('metrics are compressed where the client takes that', async () => {
    const { app } = await testServer(options);
    const ask = (headers: Record<string, string>) => app.fetch(new Request('http://localhost/metrics', { headers }));
    const response = await ask({ 'accept-encoding': 'gzip' });
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(gunzipSync(await response.arrayBuffer()).toString()).toContain('\n# TYPE process_');
    expect((await ask({})).headers.get('content-encoding')).toBeNull();
  });

  test('a long response is compressed less, unless the configuration names a level', async () => {
    const input = Array.from({ length: 30_000 }, (_, i) => `user ${(i * 7919) % 10_007}`);
    const sizeWith = async (gzip: { readonly compression_level?: number }) => {
      const { app } = await testServer({ policies: { p: 'package p\necho := input' }, config: { server: { encoding: { gzip } } } });
      const headers = { 'accept-encoding': 'gzip', 'content-type': 'application/json' };
      const request = new Request('http://localhost/v1/data/p/echo', { method: 'POST', body: JSON.stringify({ input }), headers });
      const bytes = await (await app.fetch(request)).arrayBuffer();
      expect(JSON.parse(gunzipSync(bytes).toString())).toEqual({ result: input });
      return bytes.byteLength;
    };
    const best = await sizeWith({ compression_level: 9 });
    expect(await sizeWith({})).toBeGreaterThan(best);
    expect(await sizeWith({})).toBe(await sizeWith({ compression_level: 3 }));
  });

  test('YAML that is no UTF-8 is refused', async () => {
    const { app } = await testServer(options);
    const body = Buffer.concat([Buffer.from('input: "'), Buffer.from([0xff]), Buffer.from('"')]);
    const request = { method: 'POST', body, headers: { 'content-type': 'application/yaml' } };
    const response = await app.fetch(new Request('http://localhost/v1/data/p', request));
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('yaml: invalid leading UTF-8 octet')]);
  });

  test('a path that is a function has no document', async () => {
    const { ask } = await testServer({ policies: { p: 'package pol\n\nfn(x) := x * 2\n' } });
    const { status, text } = await ask('GET', '/v1/data/pol/fn');
    const sentence = 'function data.pol.fn used as reference, not called\n\tdata.pol.fn\n\t^^^^^^^^^^^\n\thave: (number) => number';
    expect(status).toBe(500);
    expect(JSON.parse(text)).toEqual({ code: 'internal_error', message: `1 error occurred: 1:1: rego_type_error: ${sentence}` });
    expect((await ask('POST', '/v0/data/pol/fn', '1')).status).toBe(500);
    expect((await ask('GET', '/v1/data/pol')).text).toBe('{"result":{}}\n');
  });

  test('requests are counted by status, handler and method', async () => {
    const { ask } = await testServer(options);
    await ask('GET', '/v1/data/p');
    await ask('GET', '/nosuch');
    const { text } = await ask('GET', '/metrics');
    expect(text).toContain('http_request_duration_seconds_count{code="200",handler="v1/data",method="get"} 1');
    expect(text).toContain('http_request_duration_seconds_count{code="404",handler="catchall",method="get"} 1');
  });

  test.each([
    ['DELETE', '/v1/data', 405, 'v1/data'],
    ['PUT', '/v1/policies', 405, 'v1/policies'],
    ['GET', '/v1/query/x', 405, 'v1/query'],
    ['POST', '/v1/compile/', 301, 'v1/compile'],
    ['GET', '/v1/data/', 301, 'v1/data'],
    ['GET', '/v1/data/a//b', 307, 'v1/data'],
    ['GET', '//v1/data', 307, 'catchall'],
    ['GET', '/v1/datax', 404, 'catchall'],
    ['GET', '/v1/config/x', 404, 'catchall'],
    ['HEAD', '/health', 405, 'health'],
  ])('%s %s is answered %d and counted for %s', async (method, path, status, handler) => {
    const { ask, context } = await testServer(options);
    expect((await ask(method, path)).status).toBe(status);
    const counted = `http_request_duration_seconds_count{code="${status}",handler="${handler}",method="${method.toLowerCase()}"} 1`;
    expect(metricsText([context.durations.metric])).toContain(counted);
  });

  test('an answer to HEAD has the length of the body that it leaves out', async () => {
    const { app } = await testServer(options);
    const response = await app.fetch(new Request('http://localhost/health', { method: 'HEAD' }));
    expect([response.headers.get('content-length'), await response.text()]).toEqual(['19', '']);
  });
});

describe('queries', () => {
  test.each([
    ['x = 1; y = 2', '[{"x":1,"y":2}]'],
    ['1 == 2', '[{}]'],
    ['false', '[{}]'],
    ['some x in [5, 5, 6]', '[{"x":5},{"x":5},{"x":6}]'],
    ['data.list[_].id != "c"', '[{},{}]'],
    ['data.list[i].id == "b"', '[{"i":1}]'],
    ['data.p.f(2, x)', '[{"x":2}]'],
    ['data.p.f(2)', '[{}]'],
  ])('%s', async (query, result) => {
    const { ask } = await testServer(options);
    expect((await ask('POST', '/v1/query', JSON.stringify({ query }))).text).toBe(`{"result":${result}}\n`);
  });

  test.each(['x = data.nosuch', 'x := 1; x > 2', 'data.nosuch'])('%s has no solution', async (query) => {
    const { ask } = await testServer(options);
    expect((await ask('POST', '/v1/query', JSON.stringify({ query }))).text).toBe('{}\n');
  });
});

describe('health', () => {
  test.each([
    ['/health', 200, '{}\n'],
    ['/health?bundles&plugins', 200, '{}\n'],
    ['/health/live', 200, '{}\n'],
    ['/health/ready', 200, '{}\n'],
    ['/health/never', 500, '{"error":"health check (data.system.health.never) was undefined"}\n'],
  ])('%s', async (path, status, text) => {
    const { ask } = await testServer(options);
    expect(await ask('GET', path)).toEqual({ status, text });
  });
});

describe('authorization', () => {
  const policy = `package system.authz

default allow := false

allow if input.identity == "root"

allow := {"allowed": false, "reason": concat(".", input.path)} if input.identity == "why"

allow := {} if input.identity == "empty"

allow if {
	input.body.input.user == "alice"
	not input.identity
}
`;
  const secured: TestOptions = {
    policies: { ...options.policies, 'authz.rego': policy },
    authentication: 'token',
    authorization: 'basic',
  };

  test.each([
    ['GET', '/v1/data/p', undefined, 'Bearer root', 200, undefined],
    ['GET', '/v1/data/p', undefined, 'Bearer other', 401, 'request rejected by administrative policy'],
    ['GET', '/nosuch', undefined, '', 401, 'request rejected by administrative policy'],
    ['GET', '/v1/data/a%20b//c', undefined, 'Bearer why', 401, 'v1.data.a b..c'],
    ['GET', '/v1/data/p', undefined, 'Bearer empty', 500, 'document missing or undefined'],
    ['POST', '/v1/data/p/allow', '{"input": {"user": "alice"}}', '', 200, undefined],
    ['POST', '/v1/data/p/allow', '{"input": {"user": "bob"}}', '', 401, 'request rejected by administrative policy'],
  ])('%s %s %s as "%s"', async (method, path, body, authorization, status, message) => {
    const { ask } = await testServer(secured);
    const answer = await ask(method, path, body, authorization === '' ? {} : { authorization });
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text).message).toBe(message);
  });

  test.each(['HEAD', 'TRACE', 'CONNECT', 'OPTIONS', 'PUT', 'JUMP'])('%s is answered after it is authorized', async (method) => {
    const { app } = await testServer(secured);
    const statusOf = async (path: string, headers: Record<string, string> = {}) => {
      // A Request cannot have some of these methods: the server takes them from Node's.
      const incoming = { method, url: path, headers, rawHeaders: Object.entries(headers).flat(), socket: {} } as unknown as IncomingMessage;
      return (await app.fetch(new Request(`http://localhost${path}`, { headers }), { incoming })).status;
    };
    for (const path of ['/v1/data/p', '/v1/compile', '/health', '/metrics', '/nosuch']) {
      expect([path, await statusOf(path)]).toEqual([path, 401]);
      expect([path, await statusOf(path, { authorization: 'Bearer root' })]).not.toEqual([path, 401]);
    }
  });

  test('without a policy nobody is let in', async () => {
    const { ask } = await testServer({ authorization: 'basic' });
    expect(await ask('GET', '/health')).toMatchObject({
      status: 500,
      text: expect.stringContaining('authorization policy missing or undefined'),
    });
  });
});

describe('writes', () => {
  test('one change is seen whole by every decision', async () => {
    const { context } = await testServer(options);
    const { engine } = context;
    await engine.commit({
      data: [
        { op: 'write', path: ['a'], value: 0 },
        { op: 'write', path: ['b'], value: 0 },
      ],
    });
    await engine.commit({ policies: new Map([['same.rego', 'package same\n\nsame if data.a == data.b\n']]) });
    const seen = new Set<unknown>();
    const writes = (async () => {
      for (let i = 1; i <= 50; i++) {
        await engine.commit({
          data: [
            { op: 'write', path: ['a'], value: i },
            { op: 'write', path: ['b'], value: i },
          ],
        });
        if (i % 10 === 0) await engine.commit({ policies: new Map([['same.rego', `package same\n\n# ${i}\nsame if data.a == data.b\n`]]) });
      }
    })();
    for (let i = 0; i < 300; i++) seen.add((await engine.decide(['same', 'same'], undefined)).value);
    await writes;
    expect([...seen]).toEqual([true]);
  });

  test('a policy that others need is not deleted', async () => {
    const { ask } = await testServer({ policies: { lib: 'package dep\n\nh(x) := x\n', use: 'package dep\n\np := h(1)\n' } });
    const { status, text } = await ask('DELETE', '/v1/policies/lib');
    expect(status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({ code: 'invalid_operation', errors: [{ code: 'rego_type_error' }] });
    expect((await ask('GET', '/v1/data/dep/p')).text).toBe('{"result":1}\n');
  });

  test('all rules that a write meets are told, in the order of their places', async () => {
    const { ask } = await testServer({ policies: { b: 'package v.w\n\nz := 1\n\na.r := 2\n', a: 'package v.w\n\nm := 1\n' } });
    const { text } = await ask('PUT', '/v1/data/v', '7');
    const rows = [...JSON.parse(text).message.matchAll(/^(\w:\d+): .* path (\S+) found$/gm)].map(([, place, path]) => `${place} ${path}`);
    expect(rows).toEqual(['a:3 v/w/m', 'b:3 v/w/z', 'b:5 v/w/a/r']);
  });

  test('If-None-Match keeps what is there', async () => {
    const { ask } = await testServer(options);
    expect((await ask('PUT', '/v1/data/text', '1', { 'if-none-match': '*' })).status).toBe(304);
    expect((await ask('PUT', '/v1/data/fresh', '1', { 'if-none-match': '*' })).status).toBe(204);
    const both = await Promise.all([1, 2].map((value) => ask('PUT', '/v1/data/race', String(value), { 'if-none-match': '*' })));
    expect(both.map(({ status }) => status).toSorted()).toEqual([204, 304]);
  });
});
