import { describe, expect, test } from 'vitest';
import { Engine } from '../../library/index.js';
import { testServer } from '../../test/harness/server/app.js';
import { moduleOf } from '../../test/harness/why/case.js';
import { whyCases } from '../../test/harness/why/cases.js';
import { expectExplanation } from '../../test/harness/why/explanation-schema.js';
import { Logger } from '../services/logs/logger.js';

const version1 = whyCases.filter(({ regoVersion }) => regoVersion === undefined);
const body = (input: unknown) => (input === undefined ? '{}' : JSON.stringify({ input }));

describe('explain=why', () => {
  test.each(version1)('$title', async (one) => {
    const { ask } = await testServer({ policies: { 't.rego': moduleOf(one) }, data: one.data ?? {} });
    const depth = one.depth ?? 1;
    const plain = await ask('POST', `/v1/data/${one.path}`, body(one.input));
    const { status, text } = await ask('POST', `/v1/data/${one.path}?explain=why&depth=${depth}`, body(one.input));
    const { explanation, ...rest } = JSON.parse(text) as { explanation: unknown };
    expect([status, rest]).toEqual([plain.status, JSON.parse(plain.text)]);
    expectExplanation(explanation);
    const library = await Engine.open({ policies: { 't.rego': moduleOf(one) }, data: one.data ?? {} });
    expect(explanation).toEqual(JSON.parse(JSON.stringify((await library.explain(one.path, one.input, { depth })).explanation)));
    const pretty = await ask('POST', `/v1/data/${one.path}?explain=why&pretty&depth=${depth}`, body(one.input));
    expect((JSON.parse(pretty.text) as { explanation: unknown }).explanation).toEqual(one.text);
  });
});

const policy = `package t

allow if input.user == "al"
`;

test('GET explains too', async () => {
  const { ask } = await testServer({ policies: { 't.rego': policy } });
  const { text } = await ask('GET', `/v1/data/t/allow?explain=why&pretty&input=${encodeURIComponent('{"user":"bob"}')}`);
  expect((JSON.parse(text) as { explanation: readonly string[] }).explanation.at(-1)).toBe(
    '    |          ^^^^^^^^^^^^^^^^^^ input.user is "bob", not "al"',
  );
});

test('a depth that is no small number is refused', async () => {
  const { ask } = await testServer({ policies: { 't.rego': policy } });
  for (const depth of ['-1', 'x', '101']) {
    expect(await ask('POST', `/v1/data/t/allow?explain=why&depth=${depth}`, '{}')).toMatchObject({ status: 400 });
  }
});

test('a function has no explanation, and the error is that of the decision', async () => {
  const { ask } = await testServer({ policies: { 't.rego': 'package t\nf(x) := x' } });
  expect(await ask('GET', '/v1/data/t/f?explain=why')).toEqual(await ask('GET', '/v1/data/t/f'));
});

test('values that the mask policy hides are not shown; the event is that of the decision log', async () => {
  const mask = 'package custom\nmask contains "/input/user" if { input.labels.id; input.path == "t/allow" }';
  const config = { decision_logs: { console: true, mask_decision: '/custom/mask' } };
  const { ask } = await testServer({ policies: { 't.rego': policy, 'm.rego': mask }, config });
  const { text } = await ask('POST', '/v1/data/t/allow?explain=why', '{"input": {"user": "bob"}}');
  expect(text).not.toContain('bob');
  expect(text).toContain('[masked]');
});

test('the decision log tells rules and outcomes, and no values', async () => {
  const lines: { readonly why?: unknown }[] = [];
  const console = new Logger({ level: 'info', format: 'json', write: (text) => lines.push(JSON.parse(text)) });
  const { ask } = await testServer({ policies: { 't.rego': policy }, config: { decision_logs: { console: true, why: true } }, console });
  expect(JSON.parse((await ask('POST', '/v1/data/t/allow', '{"input": {"user": "bob"}}')).text)).not.toHaveProperty('explanation');
  await ask('POST', '/v1/data/t/allow?explain=why', '{"input": {"user": "al"}}');
  expect(lines.map(({ why }) => why)).toEqual([
    [{ rule: 'data.t.allow', file: 't.rego', row: 3, outcome: 'fails', failed_row: 3, reason: 'differs' }],
    [{ rule: 'data.t.allow', file: 't.rego', row: 3, outcome: 'holds' }],
  ]);
});

test.each([
  ['a batch', '/v1/batch/data/t/allow', { inputs: { a: { user: 'bob' } } }],
  ['a webhook', '/v0/data/t/allow', { user: 'bob' }],
])('%s has the same in its event', async (_title, path, body) => {
  const lines: { readonly why?: unknown }[] = [];
  const console = new Logger({ level: 'info', format: 'json', write: (text) => lines.push(JSON.parse(text)) });
  const { ask } = await testServer({ policies: { 't.rego': policy }, config: { decision_logs: { console: true, why: true } }, console });
  await ask('POST', path, JSON.stringify(body));
  expect(lines.map(({ why }) => why)).toMatchObject([[{ rule: 'data.t.allow', outcome: 'fails', reason: 'differs' }]]);
});

test('a decision of a batch that fails has its explanation in the event, and its error in the answer', async () => {
  const lines: { readonly why?: unknown; readonly error?: unknown; readonly decision_id?: string }[] = [];
  const console = new Logger({ level: 'info', format: 'json', write: (text) => lines.push(JSON.parse(text)) });
  const policies = { 't.rego': 'package t\n\nx := 1 if input.a\n\nx := 2 if input.b\n' };
  const { ask } = await testServer({ policies, config: { decision_logs: { console: true, why: true } }, console });
  const { status, text } = await ask('POST', '/v1/batch/data/t/x', '{"inputs": {"1": {"a": 1, "b": 1}, "2": {"a": 1}}}');
  expect(status).toBe(207);
  const failed = lines.find(({ error }) => error !== undefined)!;
  expect(failed.why).toMatchObject([{ rule: 'data.t.x', outcome: 'holds' }, { rule: 'data.t.x' }]);
  expect(JSON.parse(text).responses).toMatchObject({ 1: { decision_id: failed.decision_id }, 2: { result: 1 } });
});

test('a policy of the administrator can refuse explanations by the parameter', async () => {
  const authz = 'package system.authz\n\ndefault allow := true\n\nallow := false if "why" in input.params.explain\n';
  const { ask } = await testServer({ policies: { 't.rego': policy, 'authz.rego': authz }, authorization: 'basic' });
  for (const search of ['?explain=why', '?pretty&explain=notes&explain=why', '?%65xplain=wh%79']) {
    expect(await ask('POST', `/v1/data/t/allow${search}`, '{}'), search).toMatchObject({
      status: 401,
      text: expect.not.stringContaining('input.user'),
    });
  }
  // Neither the policy nor the route takes a parameter with a semicolon.
  for (const search of ['', '?explain=notes', '?depth=1', '?explain=why;a=b']) {
    const { status, text } = await ask('POST', `/v1/data/t/allow${search}`, '{}');
    expect([status, text], search).toEqual([200, expect.not.stringContaining('input.user')]);
  }
});
