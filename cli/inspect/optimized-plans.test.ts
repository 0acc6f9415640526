/** Views of plans of `build -O` by the authors' files. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCommand, withFiles } from '../../test/harness/command.js';

const policy = `package authz

allow if {
	some grant in input.grants
	grant.user == input.user
	ok(grant)
}

ok(given) if given.level > data.limit
`;

describe.each(['1', '2'])('-O %s', (level) => {
  const inspect = (...args: readonly string[]) =>
    withFiles({ 'authz.rego': policy, 'data.json': '{"limit": 2}' }, async (dir) => {
      const bundle = join(dir, 'b.tar.gz');
      const built = await runCommand(
        ...['build', '-t', 'plan', '-O', level, '-e', 'authz/allow', '--debug-info=sources', '-o', bundle],
        ...[join(dir, 'authz.rego'), join(dir, 'data.json')],
      );
      expect(built).toMatchObject({ exit: 0, stderr: '' });
      const { exit, stdout, stderr } = await runCommand('inspect', bundle, ...args);
      expect([exit, stderr]).toEqual([0, '']);
      return stdout.replaceAll(`${dir}/`, '');
    });

  test.each([
    ['authz.rego:5', /Dot l\d+ := l\d+\["user"\]/],
    ['authz.rego:5:2', /Dot l\d+ := l\d+\["user"\]/],
    ['authz.rego:9', /Call l\d+ := gt\(/],
    ['authz.rego:3', /AssignVarOnce l2 := true/],
    ['/optimized/authz.rego:3', /AssignVarOnce l2 := true/],
  ])('--at %s', async (place, statement) => {
    expect(await inspect('--at', place)).toMatch(statement);
  });

  test.each([
    ['authz.rego:5', 'allow'],
    ['authz.rego:9', level === '1' ? 'ok' : 'allow'],
    ['authz.rego:9:20', level === '1' ? 'ok' : 'allow'],
    ['/optimized/authz.rego:3', 'allow'],
  ])('the function with statements at %s', async (place, name) => {
    const functions = [...(await inspect('--listing', place)).matchAll(/^func g0\.data\.authz\.(\w+)/gm)].map(([, found]) => found);
    expect(functions).toEqual([name]);
  });

  test('--source shows the file of the author before the one that was written', async () => {
    const text = await inspect('--source');
    expect(text).toMatch(/^authz\.rego\n +1 \| package authz\n/);
    expect(text).toMatch(/\n\/optimized\/authz\.rego\n/);
    expect(text).toMatch(/ 5 \| {5}grant\.user == input\.user\n.*Dot /);
  });

  test('--listing names the variables of authors', async () => {
    const text = await inspect('--listing', 'authz/allow');
    expect(text).toMatch(/l\d+ = grant/);
    expect(text).not.toContain('__local');
  });
});

test('without debug information, the plan itself has the places of authors', () =>
  withFiles({ 'authz.rego': policy, 'data.json': '{"limit": 2}' }, async (dir) => {
    const [bundle, file] = [join(dir, 'b.tar.gz'), join(dir, 'authz.rego')];
    await runCommand('build', '-t', 'plan', '-O', '1', '-e', 'authz/allow', '-o', bundle, file, join(dir, 'data.json'));
    const at = await runCommand('inspect', bundle, '--at', `${file}:5`);
    expect(at.stdout).toMatch(/Equal /);
    const { stdout } = await runCommand('inspect', bundle, '--source');
    expect(stdout).toMatch(/ 9 \| ok\(given\) if given\.level > data\.limit\n.*Dot /);
  }));
