/** An example module, and the outcomes of its calls: for tests on several platforms. */
import { join } from 'node:path';
import { expect } from 'vitest';
import { runCommand } from './command.js';

const policy = `package authz

default allow := false

allow if input.user in data.admins

allow if {
	some grant in data.grants[input.user]
	grant.action == input.action
	startswith(input.path, grant.prefix)
}

reasons contains sprintf("%s may not %s", [input.user, input.action]) if not allow

broken := to_number(input.user) + 1

hashes := [crypto.sha256("a"), regex.match("^a+$", input.user), time.format(0), json.marshal({1, 2})]
`;
const data = '{"admins": ["ann"], "grants": {"bob": [{"action": "read", "prefix": "/docs"}]}}';
export const exampleFiles = { 'policies/p.rego': policy, 'policies/data.json': data };

const entrypoints = ['authz/allow', 'authz/reasons', 'authz/broken', 'authz/hashes'].flatMap((name) => ['-e', name]);

/** Calls of a module, whose outcomes a script prints. */
export const calls = `
const outcome = (run) => { try { const value = run(); return value === undefined ? 'undefined' : value; }
  catch (error) { return [error.name, error.code, error.message, error.location ?? null]; } };
console.log(JSON.stringify([
  outcome(() => m.entrypoints),
  outcome(() => m.revision),
  outcome(() => m.decide('authz/allow', { user: 'ann' })),
  outcome(() => m.authz.allow({ user: 'bob', action: 'read', path: '/docs/1' })),
  outcome(() => m.default.authz.reasons({ user: 'bob', action: 'write', path: '/docs/1' })),
  outcome(() => m.decide('authz/broken', { user: 'x' })),
  outcome(() => m.decide('authz/hashes', { user: 'aaa' })),
  outcome(() => m.decide('authz/broken', { user: 'x' }, { strictBuiltinErrors: true })),
  outcome(() => m.decide('authz/allow', { user: 'bob' }, { instructions: 0 })),
  outcome(() => m.decide('nowhere')),
  outcome(() => m.decide('authz/allow', { user: new Date(0) })),
  outcome(() => m.decide('authz/allow', {}, { timeout: 1 })),
  outcome(() => m.policy.withData({ admins: ['eve'] }).decide('authz/allow', { user: 'eve' })),
  outcome(() => m.decide('authz/allow', { user: 'eve' })),
  outcome(() => { m.policy.setData({ admins: ['eve'] }); return m.authz.allow({ user: 'eve' }); }),
  outcome(() => m.policy.setData([])),
]));`;

const file = (directory: string) => join(directory, 'policies/p.rego');

export const expected = (directory: string) => [
  ['authz/allow', 'authz/reasons', 'authz/broken', 'authz/hashes'],
  'r7',
  true,
  true,
  ['bob may not write'],
  'undefined',
  ['ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb', true, '1970-01-01T00:00:00Z', '[1,2]'],
  [
    'EvaluationError',
    'eval_builtin_error',
    `${file(directory)}:15: eval_builtin_error: to_number: strconv.ParseFloat: parsing "x": invalid syntax`,
    { file: file(directory), row: 15, col: 11 },
  ],
  [
    'EvaluationError',
    'eval_cancel_error',
    `${file(directory)}:8: eval_cancel_error: instruction limit reached`,
    { file: file(directory), row: 8, col: 28 },
  ],
  ['ModuleError', 'undefined_entrypoint', `there is no entrypoint "nowhere"; entrypoints are ${expectedNames}`, null],
  ['ModuleError', 'invalid_input', 'input.user is a Date: give its toISOString()', null],
  ['ModuleError', 'invalid_option', expect.stringMatching(/^there is no option timeout; options are timeMs, /), null],
  true,
  false,
  true,
  ['ModuleError', 'invalid_data', 'data is no object', null],
];

const expectedNames = 'authz/allow, authz/reasons, authz/broken, authz/hashes';

export async function buildExample(directory: string, output: string, ...more: string[]): Promise<string> {
  const path = join(directory, output);
  const done = await runCommand('build', '-t', 'js', ...entrypoints, '-r', 'r7', ...more, '-o', path, join(directory, 'policies'));
  expect(done).toEqual({ exit: 0, stdout: '', stderr: '' });
  return path;
}
