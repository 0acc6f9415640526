/** Plans without policies in source: what they can answer, and what is refused. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCommand, withFiles } from '../../test/harness/command.js';

const plan = 'fixtures/bundles/example';
const given = ['-b', plan, '-i', `${plan}-input.json`];

const flags = [['partial'], ['coverage']] as const;

async function failed(...args: string[]): Promise<string> {
  const { stdout, exit } = await runCommand('eval', ...args);
  expect(exit).toBe(2);
  const { errors } = JSON.parse(stdout) as { errors: readonly { message: string }[] };
  return errors.map(({ message }) => message).join('\n');
}

describe('eval of a plan alone', () => {
  test('answers', async () => {
    const { stdout } = await runCommand('eval', ...given, '-f', 'raw', 'data.authz.allow');
    expect(stdout).toBe('true\n');
  });

  test.each(flags)('with --%s is refused', async (flag) => {
    for (const query of ['data.authz.allow', 'data.authz', 'data', 'authz/allow', 'data.roles.bob', 'x := data.authz.allow']) {
      const message = await failed(...given, `--${flag}`, query);
      expect(message).toBe(`--${flag} needs policies in source, and there are only plans`);
    }
  });

  test.each(['data.authz.allow', 'authz/allow', 'data'])('with --profile %s is timed by lines that the plan names', async (query) => {
    const { stdout, exit } = await runCommand('eval', ...given, '--profile-limit', '0', '--profile-sort', 'line', query);
    const { profile } = JSON.parse(stdout) as { profile: readonly { location: { file: string; row: number }; num_eval: number }[] };
    expect(exit).toBe(0);
    const rows = profile.filter(({ location }) => location.file !== '').map(({ location, num_eval }) => [location.row, num_eval > 0]);
    expect(rows.length).toBeGreaterThan(2);
    expect(rows).toEqual(rows.toSorted(([a], [b]) => Number(b) - Number(a)).map(([row]) => [row, true]));
  });

  test('with --profile other queries need policies in source', async () => {
    expect(await failed(...given, '--profile', 'x := data.authz.allow')).toContain('needs policies in source');
  });

  test('with data alone nothing is refused', async () => {
    await withFiles({ 'data.json': '{"a": 1}' }, async (directory) => {
      for (const [flag] of flags) {
        const { exit } = await runCommand('eval', '-d', directory, `--${flag}`, 'data.a');
        expect(exit).toBe(0);
      }
    });
  });
});

test.each([
  ['data.a[""]', 5],
  ['data.a["b/c"]', 6],
  ['data.a["/"]', undefined],
  ['data["a/b"]', undefined],
  ['data.data.x', 1],
  ['data.data', { x: 1 }],
  ['data.a["%41"]', 7],
])('a key is one key of the data, whatever is in it: %s', async (query, value) => {
  const data = { a: { '': 5, 'b/c': 6, b: { c: 8 }, '%41': 7, A: 9 }, data: { x: 1 } };
  await withFiles({ 'data.json': JSON.stringify(data) }, async (directory) => {
    const { stdout } = await runCommand('eval', '-d', join(directory, 'data.json'), query);
    expect(JSON.parse(stdout).result?.[0].expressions[0].value).toEqual(value);
  });
});

describe('eval of a plan beside policies', () => {
  const policies = { 't.rego': 'package t\n\nallow if input.a == 1\n' };

  test.each(flags)('with --%s is refused for what the plan alone answers', async (flag) => {
    await withFiles(policies, async (directory) => {
      const both = [...given, '-d', directory, `--${flag}`];
      expect(await failed(...both, 'data.authz.allow')).toBe(
        `--${flag} needs policies in source, and there is only a plan for data.authz.allow`,
      );
      expect(await failed(...both, '--package', 'authz', 'allow')).toBe(
        `--${flag} needs policies in source, and there is only a plan for allow`,
      );
      expect(await failed(...both, 'authz/allow')).toBe(`--${flag} needs policies in source, and authz/allow is the name of a plan`);
      expect((await runCommand('eval', ...both, 'data.t.allow')).exit).toBe(0);
    });
  });

  test.each([
    ['data.authz.allow', 'true'],
    ['data.authz', '{"allow":true}'],
    ['data.t', '{"allow":true}'],
    ['count(data.t)', '1'],
  ])('answers %s from both', async (query, answer) => {
    await withFiles({ 't.rego': 'package t\n\nallow if true\n' }, async (directory) => {
      const { stdout, exit } = await runCommand('eval', ...given, '-d', directory, '-f', 'raw', query);
      expect({ stdout, exit }).toEqual({ stdout: `${answer}\n`, exit: 0 });
    });
  });

  test.each(['x := data.authz.allow', 'not data.authz.allow', 'data.authz[x]', 'count(data.authz)', 'data[x]'])(
    '%s is refused, which the compiler would take for undefined',
    async (query) => {
      await withFiles(policies, async (directory) => {
        expect(await failed(...given, '-d', directory, query)).toContain(
          'needs policies in source, and there is only a plan for authz/allow',
        );
      });
    },
  );

  test.each(flags)('with --%s is answered from the source of the plan', async (flag) => {
    await withFiles(policies, async (directory) => {
      const bundle = `${directory}/bundle.tar.gz`;
      await runCommand('build', '-t', 'plan', '-e', 't/allow', '-o', bundle, `${directory}/t.rego`);
      const { stdout, exit } = await runCommand('eval', '-b', bundle, `--${flag}`, 'data.t.allow');
      expect(exit).toBe(0);
      expect((JSON.parse(stdout) as { [key: string]: unknown })[flag]).toBeDefined();
    });
  });
});

describe('bench of a plan alone', () => {
  const bench = (...args: string[]) => runCommand('bench', ...given, '--benchmem=false', ...args);

  test.each(['data.authz.allow', 'authz/allow', 'data.authz["allow"]', 'data.roles.bob'])('measures %s', async (query) => {
    const { stdout, stderr, exit } = await bench('-f', 'json', query);
    expect({ stderr, exit }).toEqual({ stderr: '', exit: 0 });
    expect((JSON.parse(stdout) as { N: number }).N).toBeGreaterThan(0);
  });

  test('fails where the answer is undefined', async () => {
    const { stderr, exit } = await bench('data.authz.nothing');
    expect({ stderr, exit }).toEqual({ stderr: '1 error occurred: undefined result\n', exit: 1 });
  });

  test('needs policies in source for other queries and partial evaluation', async () => {
    expect((await bench('x := data.authz.allow')).stderr).toContain('needs policies in source, and there are only plans');
    expect((await bench('--partial', 'data.authz.allow')).stderr).toContain('--partial needs policies in source, and there are only plans');
  });
});
