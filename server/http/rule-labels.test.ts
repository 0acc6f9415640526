/** Labels of rules in the events of the decision log. */
import { describe, expect, test } from 'vitest';
import { eventually } from '../../test/harness/disk.js';
import { testServer } from '../../test/harness/server/app.js';
import { serve } from '../../test/harness/server/http.js';
import { parseJson } from '../../values/json/json.js';
import type { PlainObject } from '../../values/value.js';
import { Logger } from '../services/logs/logger.js';

const policy = (url = '') => `# METADATA
# scope: package
# labels:
#   service: authz
#   severity: info
package p

default allow := false

# METADATA
# labels:
#   severity: low
#   team: core
allow if input.user == "alice"

# METADATA
# labels:
#   severity: high
allow if is_admin(input.user)

is_admin("root")

# METADATA
# labels:
#   severity: info
names contains name if some name in ["a", "b"]

# METADATA
# scope: document
# description: no labels of its own
chosen := 1 if {
	input.n == 1
} else := 2

fetched := http.send({"method": "GET", "url": "${url}"}).status_code
`;

async function logging(text = policy(), more: Record<string, string> = {}) {
  const events: PlainObject[] = [];
  const console = new Logger({
    level: 'info',
    format: 'json',
    write: (line) => {
      const event = parseJson(line) as PlainObject;
      if (event.msg === 'Decision Log') events.push(event);
    },
  });
  const { ask } = await testServer({ policies: { 'p.rego': text, ...more }, console, config: { decision_logs: { console: true } } });
  return { ask, events };
}

const service = { service: 'authz', severity: 'info' };
const alice = { service: 'authz', severity: 'low', team: 'core' };
const root = { service: 'authz', severity: 'high' };

test.each<readonly [string, string, string, unknown]>([
  ['POST', '/v1/data/p/allow', '{"input": {"user": "alice"}}', [alice]],
  ['POST', '/v1/data/p/allow', '{"input": {"user": "root"}}', [service, root]],
  ['POST', '/v1/data/p/allow', '{"input": {"user": "bob"}}', [service]],
  ['POST', '/v1/data/p/names', '{"input": {}}', [service]],
  ['POST', '/v1/data/p/chosen', '{"input": {"n": 2}}', [service]],
  ['POST', '/v1/data/other', '{"input": {}}', undefined],
  ['POST', '/v0/data/p/allow', '{"user": "alice"}', [alice]],
  ['POST', '/v1/query', '{"query": "data.p.allow == true", "input": {"user": "alice"}}', [alice]],
  ['POST', '/v1/batch/data/p/allow', '{"inputs": {"x": {"user": "alice"}}}', [alice]],
])('%s %s %s has %j', async (method, path, body, labels) => {
  const { ask, events } = await logging();
  await ask(method, path, body);
  await eventually(() => expect(events).toHaveLength(1));
  expect(events[0]!.rule_labels).toEqual(labels);
});

test.each([
  ['on one line', '# {"title": "t", "labels": {"a": "b"}}'],
  ['with a quoted name', '# title: t\n# "labels":\n#   a: b'],
  ['without a space', '#labels: {a: b}'],
])('labels may be written %s', async (_title, lines) => {
  const { ask, events } = await logging(`package p\n\n# METADATA\n${lines}\nx := 1\n`);
  await ask('POST', '/v1/data/p/x', '{"input": {}}');
  await eventually(() => expect(events).toMatchObject([{ rule_labels: [{ a: 'b' }] }]));
});

test('a label may have any name', async () => {
  const { ask, events } = await logging('package p\n\n# METADATA\n# labels:\n#   __proto__: a\n#   constructor: b\nx := 1\n');
  await ask('POST', '/v1/data/p/x', '{"input": {}}');
  await eventually(() => expect(events).toHaveLength(1));
  expect(JSON.stringify(events[0]!.rule_labels)).toBe('[{"__proto__":"a","constructor":"b"}]');
});

test('a request of http.send is not sent again for the labels', async () => {
  const { url, requests } = await serve((_, response) => response.end());
  const { ask, events } = await logging(policy(url));
  await ask('POST', '/v1/data/p/fetched', '{"input": {}}');
  await eventually(() => expect(events).toMatchObject([{ result: 200, rule_labels: [service] }]));
  expect(requests).toHaveLength(1);
  expect(events[0]).not.toHaveProperty('nd_builtin_cache');
});

test('the event is that of the decision, although a write follows', async () => {
  const { ask, events } = await logging('package p\n\n# METADATA\n# labels:\n#   a: b\nx := data.n\n');
  await ask('PUT', '/v1/data/n', '{"k": 1}');
  await ask('POST', '/v1/data/p/x', '{"input": {}}');
  await ask('PUT', '/v1/data/n/k', '2');
  await eventually(() => expect(events).toMatchObject([{ result: { k: 1 }, rule_labels: [{ a: 'b' }] }]));
});

test('the mask decision sees the labels', async () => {
  const mask = 'package system.log\n\nmask contains "/input/user" if input.rule_labels[_].team == "core"\n';
  const { ask, events } = await logging(policy(), { 'm.rego': mask });
  await ask('POST', '/v1/data/p/allow', '{"input": {"user": "alice"}}');
  await eventually(() => expect(events).toMatchObject([{ erased: ['/input/user'], rule_labels: [alice] }]));
});

describe('rule_labels in answers', () => {
  test.each<readonly [string, string, string, unknown]>([
    ['POST', '/v1/data/p/allow?rule_labels', '{"input": {"user": "alice"}}', [alice]],
    ['POST', '/v1/data/p/allow?rule_labels=true', '{"input": {"user": "root"}}', [service, root]],
    ['POST', '/v1/data/p/names?rule_labels&pretty', '{"input": {}}', [service]],
    ['GET', `/v1/data/p/allow?rule_labels&input=${encodeURIComponent('{"user": "alice"}')}`, '', [alice]],
    ['GET', '/v1/query?rule_labels&q=data.p.names%5Bx%5D', '', [service]],
    ['POST', '/v1/query?rule_labels', '{"query": "data.p.allow == true", "input": {"user": "alice"}}', [alice]],
    ['POST', '/v1/data/p/allow', '{"input": {"user": "alice"}}', undefined],
    ['POST', '/v1/data/p/allow?rule_labels=false', '{"input": {"user": "alice"}}', undefined],
    ['POST', '/v1/data/other?rule_labels', '{"input": {}}', undefined],
    ['POST', '/v1/query?rule_labels', '{"query": "x := 1"}', undefined],
  ])('%s %s %s has %j', async (method, path, body, labels) => {
    const { ask } = await testServer({ policies: { 'p.rego': policy() } });
    const { status, text } = await ask(method, path, body === '' ? undefined : body);
    expect(status).toBe(200);
    const answer = parseJson(text) as PlainObject;
    expect(answer.rule_labels).toEqual(labels);
    const plain = await ask(method, path.replace(/rule_labels(=\w+)?&?/, ''), body === '' ? undefined : body);
    expect(answer.result).toEqual((parseJson(plain.text) as PlainObject).result);
  });

  test('are those of the logged event', async () => {
    const { ask, events } = await logging();
    const { text } = await ask('POST', '/v1/data/p/allow?rule_labels&explain=full&metrics', '{"input": {"user": "root"}}');
    const answer = parseJson(text) as PlainObject;
    expect(answer).toMatchObject({ result: true, rule_labels: [service, root], explanation: expect.any(Array) });
    await eventually(() => expect(events).toHaveLength(1));
    expect(events[0]!.rule_labels).toEqual(answer.rule_labels);
  });

  test('come without a second request of the policy', async () => {
    let asked = 0;
    const { url } = await serve((_, response) => response.end(String(++asked)));
    const { ask } = await testServer({ policies: { 'p.rego': policy(url) } });
    const { text } = await ask('GET', '/v1/data/p/fetched?rule_labels');
    expect(parseJson(text)).toEqual({ result: 200, rule_labels: [service] });
    expect(asked).toBe(1);
  });
});
