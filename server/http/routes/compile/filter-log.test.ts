/** Decisions of data filters in the log. */
import { expect, test } from 'vitest';
import { testServer } from '../../../../test/harness/server/app.js';
import { parseJson } from '../../../../values/json/json.js';
import type { PlainObject } from '../../../../values/value.js';
import { Logger } from '../../../services/logs/logger.js';

const policies = {
  p: `package p

# METADATA
# compile:
#   unknowns: [input.t]
#   mask_rule: masks
# labels:
#   name: mine
allow if input.t.owner == input.user

# METADATA
# labels:
#   name: public
allow if public

public if input.t.public == true

# METADATA
# labels:
#   name: staff
allow if {
	input.role == "staff"
	input.t.kind == "internal"
}

masks.t.card.replace.value := "*"

bad if upper(input.t.owner) == "A"
`,
};

async function logged(path: string, body: object) {
  const events: PlainObject[] = [];
  const write = (line: string): void => {
    const event = parseJson(line) as PlainObject;
    if (event.msg === 'Decision Log') events.push(event);
  };
  const console = new Logger({ level: 'info', format: 'json', write });
  const { ask } = await testServer({ policies, console, config: { decision_logs: { console: true } } });
  const { text } = await ask('POST', path, JSON.stringify(body), { accept: 'application/vnd.opa.sql.postgresql+json' });
  return { answer: JSON.parse(text), events };
}

test('a filter is logged with its query, masks, unknowns and options, and the labels of its rules', async () => {
  const options = { targetSQLTableMappings: { postgresql: { t: { $self: 'rows' } } } };
  const { answer, events } = await logged('/v1/compile/p/allow', { input: { user: 'ann' }, options });
  const result = {
    query: "WHERE (rows.owner = E'ann' OR rows.public = TRUE)",
    masks: { t: { card: { replace: { value: '*' } } } },
  };
  expect(answer).toEqual({ result });
  expect(events).toHaveLength(1);
  expect(events[0]).toMatchObject({
    path: 'p/allow',
    input: { user: 'ann' },
    result,
    custom: { type: 'open-policy-agent/compile', options, unknowns: ['input.t'], mask_rule: 'data.p.masks' },
    rule_labels: [{ name: 'mine' }, { name: 'public' }],
    metrics: { timer_compile_translate_queries_ns: expect.any(Number), timer_server_handler_ns: expect.any(Number) },
    type: 'openpolicyagent.org/decision_logs',
  });
  expect(events[0]!.decision_id).toMatch(/^[0-9a-f-]{36}$/);
});

test('a filter that allows no rows is logged without a result', async () => {
  const { events } = await logged('/v1/compile/p/allow', { unknowns: ['input.x'], input: { user: 'ann' } });
  expect(events).toHaveLength(1);
  expect(events[0]).not.toHaveProperty('result');
  expect(events[0]).toMatchObject({ custom: { unknowns: ['input.x'] } });
});

test('a policy that is no filter is logged with its error', async () => {
  const { answer, events } = await logged('/v1/compile/p/bad', { unknowns: ['input.t'] });
  expect(events).toMatchObject([{ path: 'p/bad', error: answer.errors, custom: { unknowns: ['input.t'] } }]);
  expect(answer.errors[0].message).toBe('invalid builtin `upper`');
});
