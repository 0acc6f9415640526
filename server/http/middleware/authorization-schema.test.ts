import { expect, test } from 'vitest';
import { Engine } from '../../../engine/engine.js';
import { authorizationFaults } from './authorization-schema.js';

async function faults(policies: Readonly<Record<string, string>>, decision = 'system/authz/allow'): Promise<string | undefined> {
  const engine = new Engine();
  await engine.commit({ policies: new Map(Object.entries(policies)) });
  return authorizationFaults(engine.policies(), decision.split('/'))?.message;
}

const authz = (...bodies: readonly string[]) =>
  ['package system.authz', 'import data.lib', 'default allow := false', ...bodies.map((body) => `allow if { ${body} }`)].join('\n\n');
const lib =
  'package lib\n\nadmin(who) if data.roles[who]\n\nadmin(who) if {\n\twho == ""\n\tinput.roles.admin\n}\n\nother if input.other\n';

test.each([
  ['input.identity == "x"; input.method == "GET"; input.path == ["v1", "data"]'],
  ['"x" in input.path; input.path[0] == "v1"; startswith(input.path[1], "d")'],
  ['input.params.a[0] == "x"; input.headers["X-One"][_] == "y"; input.params == {"a": ["b"]}'],
  ['input.body.input.user == "x"'],
  ['input.body == 1'],
  ['input.client_certificates[0].Subject.CommonName == "x"'],
  ['json.marshal(input) == ""'],
  ['some key in ["identity", "method"]; input[key] == "x"'],
])('a policy may read what requests have: %s', async (body) => {
  expect(await faults({ 'authz.rego': authz(body) })).toBeUndefined();
});

test.each([
  ['input.identty == "x"', 'authz.rego:7: rego_type_error: undefined ref: input.identty'],
  ['input.path == "x"', 'authz.rego:7: rego_type_error: match error'],
  ['input.path == [1, 2]', 'authz.rego:7: rego_type_error: match error'],
  ['lib.admin(input.identity)', 'lib.rego:7: rego_type_error: undefined ref: input.roles.admin'],
  ['data[input.method].other', 'lib.rego:10: rego_type_error: undefined ref: input.other'],
])('it may not read what they do not have, here or in what it uses: %s', async (body, message) => {
  expect(await faults({ 'authz.rego': authz(body), 'lib.rego': lib })).toContain(message);
});

test('what has another input is not looked at', async () => {
  const app = 'package app\n\nallow if input.anything\n';
  const policies = { 'authz.rego': `${authz('input.method == "GET"')}\n\nunused if input.anything\n`, 'lib.rego': lib, 'app.rego': app };
  expect(await faults(policies)).toBeUndefined();
  expect(await faults(policies, 'app/allow')).toContain('undefined ref: input.anything');
  expect(await faults(policies, 'no/such/rule')).toBeUndefined();
  expect(await faults({})).toBeUndefined();
});
