import { describe, expect, test } from 'vitest';
import { type TestOptions, testServer } from '../../../../test/harness/server/app.js';
import {
  accessServer,
  admin,
  alice,
  archived,
  bob,
  fixture,
  one,
  question,
  read,
  two,
  write,
} from '../../../../test/harness/server/authzen.js';
import type { PlainObject } from '../../../../values/value.js';
import { parseAuthzen } from '../../../gateway/authzen/authzen-config.js';
import { ConfigError, ConfigSection } from '../../../services/config/config-section.js';
import { Logger } from '../../../services/logs/logger.js';

const active = { ...one, properties: { status: 'active' } };

describe('an evaluation', () => {
  test.each<[string, object, boolean]>([
    ['a permit', question, true],
    ['a permit to write', { subject: alice, action: write, resource: one }, true],
    ['a permit of another subject', { subject: bob, action: read, resource: one }, true],
    ['a denial', { subject: bob, action: write, resource: one }, false],
    ['a context', { ...question, context: { time: '2025-06-27T18:03-07:00', ip: '192.168.1.1' } }, true],
    ["a resource's properties", { subject: alice, action: write, resource: archived }, false],
    ["a subject's properties", { subject: admin, action: write, resource: archived }, true],
    ["an action's properties", { subject: alice, action: { name: 'delete', properties: { soft: true } }, resource: one }, true],
    ['other properties of an action', { subject: alice, action: { name: 'delete', properties: { soft: false } }, resource: one }, false],
    [
      'properties that nothing reads',
      { subject: { ...alice, properties: { department: 'Sales' } }, action: { ...read, properties: { method: 'GET' } }, resource: active },
      true,
    ],
    ['unknown members', { ...question, foo: 'bar', futureField: { nested: true } }, true],
  ])('is decided: %s', async (_title, body, decision) => {
    const { post } = await accessServer();
    for (let i = 0; i < 3; i++) expect(await post('evaluation', body)).toMatchObject({ status: 200, body: { decision } });
  });

  test.each<[string, unknown, string]>([
    ['without a subject', { action: read, resource: one }, 'subject is missing'],
    ['without an action', { subject: alice, resource: one }, 'action is missing'],
    ['without a resource', { subject: alice, action: read }, 'resource is missing'],
    ["without the subject's type", { ...question, subject: { id: 'alice' } }, 'subject.type is missing'],
    ["without the subject's id", { ...question, subject: { type: 'user' } }, 'subject.id is missing'],
    ["without the action's name", { ...question, action: {} }, 'action.name is missing'],
    ["without the resource's type", { ...question, resource: { id: 'record-1' } }, 'resource.type is missing'],
    ["without the resource's id", { ...question, resource: { type: 'record' } }, 'resource.id is missing'],
    ['with a text as subject', { ...question, subject: 'alice' }, 'subject must be an object but is string'],
    ['with null as subject', { ...question, subject: null }, 'subject must be an object but is null'],
    ['with a number as name', { ...question, action: { name: 123 } }, 'action.name must be a string but is number'],
    ['with null as id', { ...question, resource: { type: 'record', id: null } }, 'resource.id must be a string but is null'],
    [
      'with an array as properties',
      { ...question, subject: { ...alice, properties: [] } },
      'subject.properties must be an object but is array',
    ],
    ['with a text as context', { ...question, context: 'now' }, 'context must be an object but is string'],
    ['with an inherited name', '{"__proto__": {"subject": {"type": "a", "id": "b"}}}', 'subject is missing'],
    ['that is an array', [question], 'the body must be an object but is array'],
    ['that is empty', '', 'the body is empty'],
    ['of spaces', '  \n', 'the body is empty'],
    ['that is no JSON', '{"subject": ', 'the body is no JSON: '],
    ['that is too deep', `{"subject": ${'['.repeat(200_000)}`, ''],
    ['with a text behind it', `${JSON.stringify(question)} x`, 'the body is no JSON: '],
  ])('%s is refused', async (_title, body, message) => {
    const { post } = await accessServer();
    const answer = await post('evaluation', body);
    expect(answer.status).toBe(400);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(answer.body).toContain(message);
    expect(await post('evaluations', body)).toMatchObject({ status: 400 });
  });

  test.each(['text/plain', 'application/yaml', 'application/jsonp', ''])('of content type %j is refused', async (type) => {
    const { post } = await accessServer();
    expect(await post('evaluation', question, { 'content-type': type })).toMatchObject({ status: 400 });
  });

  test('may name a charset', async () => {
    const { post } = await accessServer();
    expect(await post('evaluation', question, { 'content-type': 'Application/JSON; charset=utf-8' })).toMatchObject({ status: 200 });
  });

  test.each<[string, object | string]>([
    ['evaluation', question],
    ['evaluation', '{'],
    ['evaluations', { ...question, evaluations: [{}] }],
  ])('has its id in the answer: %s %j', async (path, body) => {
    const { post } = await accessServer();
    expect((await post(path, body, { 'x-request-id': 'a-1 ~é' })).headers.get('x-request-id')).toBe('a-1 ~é');
    expect((await post(path, body)).headers.get('x-request-id')).toBeNull();
  });

  test.each<[string, string, object]>([
    ['an object with a decision', 'allow := {"decision": true}', { status: 200, body: { decision: true } }],
    [
      'an object with a context',
      'allow := {"decision": false, "context": {"reason": "no"}, "more": 1}',
      { status: 200, body: { decision: false, context: { reason: 'no' } } },
    ],
    ['an undefined rule', 'allow if false', { status: 200, body: { decision: false } }],
    ['a missing rule', 'other := 1', { status: 500, body: 'there is no decision at data.authzen.allow\n' }],
    ['a text', 'allow := "true"', { status: 500, body: expect.stringContaining('must be a boolean or an object but is string') }],
    ['a number', 'allow := 1', { status: 500 }],
    ['a set', 'allow := {true}', { status: 500 }],
    ['an object without a decision', 'allow := {"context": {}}', { status: 500, body: expect.stringContaining('is missing') }],
    ['a decision that is a text', 'allow := {"decision": "true"}', { status: 500 }],
    ['a context that is a text', 'allow := {"decision": true, "context": "x"}', { status: 500 }],
    ['a conflict', 'allow if true\nallow := false if true', { status: 500, body: expect.stringContaining('complete rules must not') }],
  ])('answers with the value of the decision: %s', async (_title, rule, answer) => {
    const { post } = await accessServer({}, { policies: { 'p.rego': `package authzen\n\n${rule}\n` } });
    expect(await post('evaluation', question)).toMatchObject(answer);
    const batch = await post('evaluations', { evaluations: [question] });
    const { decision = false } = ((answer as { body?: { decision?: boolean } }).body ?? {}) as { decision?: boolean };
    expect(batch).toMatchObject({ status: 200, body: { evaluations: [{ decision }] } });
  });

  test('asks the decision that its row names', async () => {
    const policies = {
      'p.rego':
        'package p\n\nallow := {"decision": true, "context": {"by": "type"}}\nread := {"decision": true, "context": {"by": "action"}}\nrobot := {"decision": true, "context": {"by": "subject"}}\n',
      'q.rego': 'package authzen\n\nallow := {"decision": true, "context": {"by": "default"}}\n',
    };
    const paths = [
      { subject_type: 'robot', path: 'p/robot' },
      { resource_type: 'record', action: 'read', path: '/p/read' },
      { resource_type: 'record', path: 'p/allow' },
    ];
    const { post } = await accessServer({ paths }, { policies });
    const by = async (body: object) => ((await post('evaluation', body)).body as { context: { by: string } }).context.by;
    expect(await by(question)).toBe('action');
    expect(await by({ ...question, action: write })).toBe('type');
    expect(await by({ ...question, subject: { type: 'robot', id: '1' } })).toBe('subject');
    expect(await by({ ...question, resource: { type: 'p', id: 'allow' } })).toBe('default');
  });

  test('is not served without the plugin', async () => {
    const { ask, context } = await testServer(fixture);
    for (const path of ['/access/v1/evaluation', '/access/v1/evaluations', '/.well-known/authzen-configuration'])
      expect(await ask('POST', path, JSON.stringify(question))).toMatchObject({ status: 404, text: '404 page not found\n' });
    expect(JSON.stringify(context.durations.states())).not.toContain('access');
  });

  test('has no other methods', async () => {
    const { ask } = await accessServer();
    expect(await ask('GET', '/access/v1/evaluation')).toMatchObject({ status: 405 });
    expect(await ask('POST', '/access/v1/evaluation/x', JSON.stringify(question))).toMatchObject({ status: 404 });
  });
});

describe('evaluations', () => {
  const evaluations = async (body: unknown, authzen?: PlainObject, options?: TestOptions) =>
    await (await accessServer(authzen, options)).post('evaluations', body);

  test.each<[string, object, (boolean | string)[]]>([
    [
      'with default subject and action',
      { subject: alice, action: read, evaluations: [{ resource: one }, { resource: two }] },
      [true, true],
    ],
    ['in their order', { subject: bob, resource: one, evaluations: [{ action: read }, { action: write }] }, [true, false]],
    ['with properties', { subject: alice, action: write, evaluations: [{ resource: active }, { resource: archived }] }, [true, false]],
    [
      "with subjects' properties",
      { action: write, resource: archived, evaluations: [{ subject: alice }, { subject: admin }] },
      [false, true],
    ],
    ['without defaults', { evaluations: [question, { subject: bob, action: write, resource: one }] }, [true, false]],
    [
      'with a default context',
      { subject: alice, action: read, context: { time: 1 }, evaluations: [{ resource: one }, { resource: two, context: {} }] },
      [true, true],
    ],
    [
      'with members of a default',
      {
        subject: alice,
        action: write,
        resource: { type: 'record' },
        evaluations: [{ resource: { id: 'record-1', properties: { status: 'active' } } }, { resource: archived }],
      },
      [true, false],
    ],
    ['with a part that is missing', { subject: alice, action: read, evaluations: [{ resource: one }, {}] }, [true, 'resource is missing']],
    [
      'with faulty requests',
      { ...question, evaluations: [{}, 1, { subject: 'x' }, { action: { name: 1 } }] },
      [true, 'evaluations[1] must be an object', 'subject must be an object', 'action.name must be a string'],
    ],
    // The properties of a default are not those of another entity.
    [
      'that replace properties',
      { subject: admin, action: write, resource: archived, evaluations: [{}, { subject: bob }, { resource: two }] },
      [true, false, false],
    ],
  ])('%s', async (_title, body, decisions) => {
    const expected = decisions.map((decision) =>
      typeof decision === 'boolean'
        ? { decision }
        : { decision: false, context: { error: { status: 400, message: expect.stringContaining(decision) } } },
    );
    expect(await evaluations(body)).toMatchObject({ status: 200, body: { evaluations: expected } });
  });

  test.each<[string, readonly boolean[]]>([
    ['execute_all', [true, false, true, false]],
    ['deny_on_first_deny', [true, false]],
    ['permit_on_first_permit', [true]],
  ])('%s', async (semantic, decisions) => {
    const options = { evaluations_semantic: semantic, another: 1 };
    const actions = ['read', 'delete', 'write', 'x'].map((name) => ({ action: { name } }));
    const { body } = await evaluations({ subject: alice, resource: one, options, evaluations: actions });
    expect((body as { evaluations: { decision: boolean }[] }).evaluations.map(({ decision }) => decision)).toEqual(decisions);
  });

  test('an error is a denial for the short ways', async () => {
    const options = { evaluations_semantic: 'deny_on_first_deny' };
    const { body } = await evaluations({ ...question, options, evaluations: [{}, { subject: 1 }, {}] });
    expect((body as { evaluations: object[] }).evaluations).toHaveLength(2);
    const permit = await evaluations({
      ...question,
      options: { evaluations_semantic: 'permit_on_first_permit' },
      evaluations: [1, {}, {}],
    });
    expect((permit.body as { evaluations: object[] }).evaluations).toMatchObject([{ decision: false }, { decision: true }]);
  });

  test.each<[string, object]>([
    ['no evaluations', question],
    ['an empty list', { ...question, evaluations: [] }],
  ])('%s: the request itself', async (_title, body) => {
    expect((await evaluations(body)).body).toEqual({ decision: true });
  });

  test.each<[string, object, string]>([
    ['an object', { ...question, evaluations: {} }, 'evaluations must be an array but is object'],
    ['another semantic', { ...question, evaluations: [{}], options: { evaluations_semantic: 'all' } }, 'must be one of execute_all,'],
    ['a semantic of null', { ...question, evaluations: [{}], options: { evaluations_semantic: null } }, 'must be one of execute_all,'],
    ['options of a text', { ...question, evaluations: [{}], options: 'all' }, 'options must be an object but is string'],
    ['a faulty default', { ...question, subject: 'alice', evaluations: [{}] }, 'subject must be an object but is string'],
    ['a faulty default context', { ...question, context: [], evaluations: [{}] }, 'context must be an object but is array'],
    ['nothing at all', { evaluations: [] }, 'subject is missing'],
  ])('with %s are refused', async (_title, body, message) => {
    expect(await evaluations(body)).toMatchObject({ status: 400, body: expect.stringContaining(message) });
  });

  test('have a largest number', async () => {
    const config = { server: { max_batch_inputs: 3 } };
    const many = (count: number) => ({ ...question, evaluations: Array.from({ length: count }, () => ({})) });
    expect(await evaluations(many(3), {}, { config })).toMatchObject({ status: 200 });
    expect(await evaluations(many(4), {}, { config })).toMatchObject({ status: 400, body: expect.stringContaining('at most 3') });
  });

  test('that come too late are denied', async () => {
    const slow =
      'package authzen\n\nallow if {\n\tinput.action.name == "slow"\n\tevery x in numbers.range(1, 1000000) { every y in numbers.range(1, 1000000) { x * y > 0 } }\n}\n\nallow if input.action.name == "read"\n';
    const options = { policies: { 'p.rego': slow }, config: { server: { decision_timeout_seconds: 0.3 } } };
    const slowFirst = {
      ...question,
      evaluations: [{ action: { name: 'slow' } }, {}],
      options: { evaluations_semantic: 'permit_on_first_permit' },
    };
    const events: PlainObject[] = [];
    const console = new Logger({ level: 'info', format: 'json', write: (line) => void events.push(JSON.parse(line) as PlainObject) });
    const late = { decision: false, context: { error: { status: 500, message: expect.stringContaining('timed out') } } };
    const logging = { ...options, console, config: { ...options.config, decision_logs: { console: true } } };
    expect(await evaluations(slowFirst, {}, logging)).toMatchObject({ status: 200, body: { evaluations: [late, late] } });
    // That which did not begin is logged as it was sent: thousands may share a large default.
    const inputs = events.filter(({ msg }) => msg === 'Decision Log').map(({ input }) => input);
    expect(inputs).toEqual([{ ...question, action: { name: 'slow' } }, {}]);
    expect(await evaluations({ ...slowFirst, options: {} }, {}, options)).toMatchObject({
      body: { evaluations: [late, { decision: true }] },
    });
  });
});

describe('reasons', () => {
  const policy = `package authzen

default allow := false

# METADATA
# custom:
#   reason_user: Only owners may write.
allow if {
	input.action.name == "write"
	input.resource.properties.owner == input.subject.id
}

# METADATA
# custom:
#   reason_user: {en: Reading is over., es: Leer se acabó., n: 1}
allow if {
	input.action.name == "read"
	is_open
}

is_open if input.context.open

told := {"decision": false, "context": {"reason_user": {"en": "mine"}, "more": 1}}

nested := {"decision": allow}
`;
  const options = { policies: { 'p.rego': policy } };
  const because = (summary: string) => ({ en: expect.stringContaining(summary) });

  test.each<[string, object, object]>([
    ['of the rule that fails last', { action: write }, { reason_user: { en: 'Only owners may write.' } }],
    ['by language', { action: read }, { reason_user: { en: 'Reading is over.', es: 'Leer se acabó.' } }],
  ])('are shown where asked for: %s', async (_title, more, context) => {
    const { post } = await accessServer({}, options);
    const { body } = await post('evaluation?explain=why', { ...question, ...more });
    expect(body).toEqual({ decision: false, context: { ...context, reason_admin: because('data.authzen.allow is false by default') } });
    expect((await post('evaluation', { ...question, ...more })).body).toEqual({ decision: false });
    const batch = await post('evaluations?explain=why', { ...question, ...more, evaluations: [{}] });
    expect(batch.body).toEqual({ evaluations: [body] });
  });

  test('are shown always where configured, but not of what is permitted', async () => {
    const { post } = await accessServer({ reasons: true }, options);
    expect((await post('evaluation', question)).body).toMatchObject({ context: { reason_admin: because('by default') } });
    expect((await post('evaluation', { ...question, context: { open: true } })).body).toEqual({ decision: true });
  });

  test("are the policy's own before others", async () => {
    const { post } = await accessServer({ reasons: true, path: 'authzen/told' }, options);
    const context = { reason_user: { en: 'mine' }, more: 1, reason_admin: because('data.authzen.told') };
    expect((await post('evaluation', question)).body).toEqual({ decision: false, context });
  });

  test('are those of rules below', async () => {
    const { post } = await accessServer({ reasons: true, path: 'authzen/nested' }, options);
    expect((await post('evaluation', question)).body).toMatchObject({ context: { reason_user: { en: 'Reading is over.' } } });
  });

  test('are no secrets', async () => {
    const mask = 'package system.log\n\nmask contains "/input/subject/id"\n';
    const masking = { ...options, policies: { ...options.policies, 'mask.rego': mask } };
    const { post } = await accessServer({ reasons: true }, masking);
    const { body } = await post('evaluation', { ...question, action: write, resource: { ...one, properties: { owner: 'bob' } } });
    expect(JSON.stringify(body)).toContain('[masked]');
    expect(JSON.stringify(body)).not.toContain('alice');
  });

  test.each<[string, string]>([
    ['a conflict', 'allow if true\n\nallow := false if true'],
    ['a value of another type', 'allow := "x"'],
  ])('of an error are none: %s', async (_title, rules) => {
    const { post } = await accessServer({ reasons: true }, { policies: { 'p.rego': `package authzen\n\n${rules}\n` } });
    expect(await post('evaluation', question)).toMatchObject({ status: 500 });
  });

  test('are in the log where it wants them', async () => {
    const events: PlainObject[] = [];
    const console = new Logger({ level: 'info', format: 'json', write: (line) => void events.push(JSON.parse(line) as PlainObject) });
    const { post } = await accessServer({}, { ...options, console, config: { decision_logs: { console: true, why: true } } });
    expect((await post('evaluation', question)).body).toEqual({ decision: false });
    expect(events.filter(({ msg }) => msg === 'Decision Log')).toMatchObject([{ result: false, why: expect.any(Array) }]);
  });
});

test('the policy of the server authorizes requests, and sees their bodies', async () => {
  const authz =
    'package system.authz\n\ndefault allow := false\n\nallow if {\n\tinput.path == ["access", "v1", "evaluation"]\n\tinput.body.subject.id == "alice"\n}\n';
  const { post } = await accessServer({}, { policies: { ...fixture.policies, 'authz.rego': authz }, authorization: 'basic' });
  expect(await post('evaluation', question)).toMatchObject({ status: 200, body: { decision: true } });
  const id = { 'x-request-id': '1' };
  const refused = await post('evaluation', { ...question, subject: bob }, id);
  expect(refused).toMatchObject({ status: 401, body: 'request rejected by administrative policy\n' });
  expect(refused.headers.get('x-request-id')).toBe('1');
  expect(await post('evaluations', question)).toMatchObject({ status: 401 });
});

test('decisions are logged', async () => {
  const events: PlainObject[] = [];
  const console = new Logger({ level: 'info', format: 'json', write: (line) => void events.push(JSON.parse(line) as PlainObject) });
  const { post } = await accessServer({}, { console, config: { decision_logs: { console: true } } });
  await post('evaluation', { ...question, more: 1 });
  await post('evaluations', { ...question, evaluations: [{}, { action: write }] });
  await post('evaluation', {});
  const [single, ...batch] = events.filter(({ msg }) => msg === 'Decision Log');
  expect(batch).toHaveLength(2);
  expect(single).toMatchObject({ path: 'authzen/allow', input: question, result: true });
  expect(batch.map(({ batch_decision_id }) => batch_decision_id)).toEqual([expect.any(String), batch[0]!.batch_decision_id]);
  expect(batch.map(({ result }) => result)).toEqual([true, true]);
});

describe('the metadata', () => {
  const metadataOf = async (authzen: PlainObject, path = '') => {
    const { app } = await accessServer(authzen);
    const response = await app.fetch(new Request(`http://pdp.test:8181/.well-known/authzen-configuration${path}`));
    return { status: response.status, text: await response.text() };
  };

  test.each<[string, PlainObject, string, string]>([
    ['has the configured URL', { url: 'https://pdp.example.com' }, '', 'https://pdp.example.com'],
    ['has no slash at its end', { url: 'https://pdp.example.com/' }, '', 'https://pdp.example.com'],
    ['is below its path for a URL with a path', { url: 'https://pdp.example.com/tenant1' }, '/tenant1', 'https://pdp.example.com/tenant1'],
    ['has the URL of the request', {}, '', 'http://pdp.test:8181'],
  ])('%s', async (_title, authzen, path, url) => {
    const { status, text } = await metadataOf(authzen, path);
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({
      policy_decision_point: url,
      access_evaluation_endpoint: `${url}/access/v1/evaluation`,
      access_evaluations_endpoint: `${url}/access/v1/evaluations`,
    });
  });

  test.each<[PlainObject, string]>([
    [{ url: 'https://pdp.example.com/tenant1' }, ''],
    [{ url: 'https://pdp.example.com/tenant1' }, '/tenant2'],
    [{}, '/tenant1'],
  ])('%j is not at %j', async (authzen, path) => {
    expect(await metadataOf(authzen, path)).toMatchObject({ status: 404 });
  });
});

test.each<[PlainObject, string]>([
  [{ path: '' }, 'plugins.authzen.path: path must be non-empty'],
  [{ path: 1 }, 'plugins.authzen.path: must be a string'],
  [{ paths: {} }, 'plugins.authzen.paths: must be an array'],
  [{ paths: [{ action: 'x' }] }, 'plugins.authzen.paths[0]: needs a path'],
  [{ paths: [{ path: 'x', resource_type: 1 }] }, 'plugins.authzen.paths[0].resource_type: must be a string'],
  [{ url: 'pdp.example.com' }, 'plugins.authzen.url: must be an http or https URL'],
  [{ url: 'https://x/?q' }, 'plugins.authzen.url: must be an http or https URL'],
  [{ url: 'https://u:p@x' }, 'plugins.authzen.url: must be an http or https URL'],
  [{ reasons: 'yes' }, 'plugins.authzen.reasons: must be a boolean'],
  [{ search: { page_size: 0 } }, 'plugins.authzen.search.page_size: must be positive'],
])('%j is no configuration', (authzen, message) => {
  const parse = () => parseAuthzen(new ConfigSection({ plugins: { authzen } }, ''));
  expect(parse).toThrow(ConfigError);
  expect(parse).toThrow(message);
});
