/** `test --generate`: properties that must hold for made inputs. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand, withFiles } from '../../../test/harness/command.js';

const policy = `package authz

default allow := false

allow if input.user.role == "admin"

allow if {
	input.action == "read"
	input.user.level >= 5
	not input.user.blocked
}
`;

function files(properties: string): Readonly<Record<string, string>> {
  return { 'authz.rego': policy, 'authz_test.rego': `package authz_test\n\nimport data.authz\n\n${properties}` };
}

async function generated(given: Readonly<Record<string, string>>, ...args: string[]) {
  return await withFiles(given, async (dir) => {
    const own = args.map((arg) => arg.replace('{dir}', dir));
    const { exit, stdout, stderr } = await runCommand('test', '--generate', ...own, dir);
    return { exit, stdout: stdout.replaceAll(`${dir}/`, ''), stderr: stderr.replaceAll(`${dir}/`, '') };
  });
}

/** The input in a failure. */
function inputOf(stdout: string): unknown {
  return JSON.parse(/ with input (\{.*\}) \(input \d+\)/.exec(stdout)![1]!);
}

test('a property that holds for all inputs passes, as a test does', async () => {
  expect(await generated(files('prop_boolean if is_boolean(authz.allow)\n'))).toMatchObject({ exit: 0, stdout: 'PASS: 1/1\n' });
});

test('an input for which a property does not hold is shrunk', async () => {
  const blocked = 'prop_blocked if not input.user.blocked\n\nprop_blocked if not authz.allow\n';
  const { exit, stdout } = await generated(files(blocked));
  expect(exit).toBe(2);
  expect(stdout).toContain('data.authz_test.prop_blocked: FAIL');
  const input = inputOf(stdout) as { user: { role: string; blocked: unknown } };
  expect(Object.keys(input)).toEqual(['user']);
  expect(Object.keys(input.user).sort()).toEqual(['blocked', 'role']);
  expect(input.user.role).toBe('admin');
  expect((await generated(files(blocked))).stdout.replaceAll(/\([\d.]+\S+\)/g, '')).toBe(stdout.replaceAll(/\([\d.]+\S+\)/g, ''));
});

test('limits are found: a number above a constant, a text where a number is meant', async () => {
  const levels = 'prop_levels if not authz.allow\n\nprop_levels if input.user.role == "admin"\n\nprop_levels if input.user.level < 100\n';
  const { stdout } = await generated(files(levels));
  expect(inputOf(stdout)).toMatchObject({ action: 'read', user: { level: expect.anything() } });
});

test('inputs are of the schema, where there is one', async () => {
  const schema = {
    type: 'object',
    required: ['user', 'action'],
    additionalProperties: false,
    properties: {
      action: { enum: ['read', 'write'] },
      user: {
        type: 'object',
        required: ['level'],
        additionalProperties: false,
        properties: { level: { type: 'integer', minimum: 0, maximum: 10 }, blocked: { type: 'boolean' }, role: { const: 'reader' } },
      },
    },
  };
  const run = (rule: string) =>
    generated({ ...files(rule), 'schema/input.json': JSON.stringify(schema) }, '-s', '{dir}/schema/input.json', '--ignore', 'schema');
  expect(await run('prop_levels if not authz.allow\n\nprop_levels if input.user.level >= 5\n')).toMatchObject({ exit: 0 });
  const { stdout } = await run('prop_nobody if not authz.allow\n');
  expect(inputOf(stdout)).toMatchObject({ action: 'read', user: { level: expect.any(Number) } });
});

test('annotations name the schema of a property', async () => {
  const properties = '# METADATA\n# schemas:\n# - input: schema.order\nprop_count if input.count <= 3\n';
  const schema = { type: 'object', required: ['count'], properties: { count: { type: 'integer', minimum: 0, maximum: 4 } } };
  const given = { ...files(properties), 'schema/order.json': JSON.stringify(schema) };
  const { exit, stdout } = await generated(given, '-s', '{dir}/schema', '--ignore', 'schema');
  expect(exit).toBe(2);
  expect(inputOf(stdout)).toEqual({ count: 4 });
});

test('a sum above a limit is found', async () => {
  const price = `package price

total := sum([n | some i in input.items; n := i.price * i.count])

discount := 10 if total > 100
else := 0
`;
  const { exit, stdout } = await generated({
    'price.rego': price,
    'price_test.rego': 'package price_test\n\nimport data.price\n\nprop_small if price.discount <= 5\n\nprop_small if not price.discount\n',
  });
  expect(exit).toBe(2);
  expect(inputOf(stdout)).toHaveProperty('items');
});

test('a schema that refuses all inputs is told', async () => {
  const given = { ...files('prop_a if true\n'), 'schema.json': '{"not": {}}' };
  expect(await generated(given, '-s', '{dir}/schema.json')).toMatchObject({
    exit: 1,
    stderr: expect.stringContaining('data.authz_test.prop_a: no input of the schema'),
  });
});

test('failures are written as tests, which fail as the property did', async () => {
  await withFiles(files('prop_never if not authz.allow\n'), async (dir) => {
    const out = join(dir, 'found_test.rego');
    expect((await runCommand('test', '--generate', '-o', out, dir)).exit).toBe(2);
    expect(readFileSync(out, 'utf8')).toMatch(
      /\npackage generated_test\n\ntest_authz_test_prop_never if data\.authz_test\.prop_never with input as \{.*\}\n$/,
    );
    expect(await runCommand('test', dir)).toMatchObject({ exit: 2, stdout: expect.stringContaining('FAIL: 1/1') });
    const mine = join(dir, 'mine.txt');
    writeFileSync(mine, 'words');
    const { exit, stderr } = await runCommand('test', '--generate', '-o', mine, dir);
    expect([exit, stderr.replaceAll(`${dir}/`, '')]).toEqual([
      1,
      'error: mine.txt: it was not written by writ test --generate, and stays as it is\n',
    ]);
    expect(readFileSync(mine, 'utf8')).toBe('words');
  });
});

test('without the flag, such a rule is a rule', async () => {
  await withFiles(files('prop_never if not authz.allow\n\ntest_a if true\n'), async (dir) => {
    expect(await runCommand('test', dir)).toMatchObject({ exit: 0, stdout: 'PASS: 1/1\n' });
    expect(existsSync(join(dir, 'generated_test.rego'))).toBe(false);
  });
});

test.each([
  [['--seed', '2'], '--seed goes with --generate'],
  [['--generate', '--coverage'], 'coverage does not go with --generate'],
  [['--generate=0'], '--generate must be at least 1'],
  [['--generate', '--mutate'], '--mutate does not go with --generate'],
])('%s is refused', async (args, message) => {
  const { exit, stderr } = await runCommand('test', ...args, '.');
  expect(exit).toBe(1);
  expect(stderr).toContain(message);
});
