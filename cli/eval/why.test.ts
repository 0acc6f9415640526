import { describe, expect, test } from 'vitest';
import { runCommand, withFiles } from '../../test/harness/command.js';
import { moduleOf, type WhyCase } from '../../test/harness/why/case.js';
import { whyCases } from '../../test/harness/why/cases.js';
import { expectExplanation } from '../../test/harness/why/explanation-schema.js';

const files = (one: WhyCase) => ({
  't.rego': moduleOf(one),
  'data.json': JSON.stringify(one.data ?? {}),
  ...(one.input !== undefined && { 'input.json': JSON.stringify(one.input) }),
});

async function evaluated(one: WhyCase, ...flags: string[]): Promise<Awaited<ReturnType<typeof runCommand>>> {
  return await withFiles(files(one), async (directory) => {
    const given = one.input === undefined ? [] : ['-i', `${directory}/input.json`];
    const options = [
      ...(one.regoVersion ? ['--v0-compatible'] : []),
      ...(one.depth === undefined ? [] : ['--why-depth', String(one.depth)]),
    ];
    const query = `data.${one.path.replaceAll('/', '.')}`;
    const sources = ['-d', `${directory}/t.rego`, '-d', `${directory}/data.json`];
    const { stdout, ...rest } = await runCommand('eval', ...sources, ...given, ...options, ...flags, query);
    return { ...rest, stdout: stdout.replaceAll(`${directory}/`, '') };
  });
}

describe('eval --why explains', () => {
  test.each(whyCases)('$title', async (one) => {
    const { stdout } = await evaluated(one, '--why');
    expect(stdout.split('\n')).toEqual([...one.text, '']);
  });
});

const [first] = whyCases;

test('the answer and the exit code are those without an explanation', async () => {
  for (const one of whyCases) {
    const plain = await evaluated(one);
    const explained = await evaluated(one, '--why', '--format', 'json');
    const { explanation, ...rest } = JSON.parse(explained.stdout) as { explanation: unknown };
    expect([rest, explained.exit, explained.stderr]).toEqual([JSON.parse(plain.stdout), plain.exit, plain.stderr]);
    expectExplanation(explanation);
  }
});

test('a query of several expressions is explained', async () => {
  const one: WhyCase = { ...first!, path: 't.allow; input.x == 1', input: { user: { role: 'admin' } } };
  const { stdout } = await evaluated(one, '--why');
  expect(stdout).toBe(`the query has no solution: one of its expressions does not hold

  1 | data.t.allow; input.x == 1
    |               ^^^^^^^ input has no "x": it has "user"
`);
});

test('a plan alone has no source', async () => {
  const plan = 'fixtures/bundles/example';
  const { stdout, exit } = await runCommand('eval', '--why', '-b', plan, '-i', `${plan}-input.json`, 'data.authz.allow');
  expect({ stdout, exit }).toEqual({
    stdout: 'data.authz.allow is true; a plan answers it, and there is no policy source beside the plan to explain it with\n',
    exit: 0,
  });
});

test('a bundle with a plan and policies is explained from the policies', async () => {
  const { stdout } = await withFiles(files(first!), async (directory) => {
    const bundle = `${directory}/bundle.tar.gz`;
    await runCommand('build', '-t', 'plan', '-e', 't/allow', '-o', bundle, `${directory}/t.rego`);
    return await runCommand('eval', '--why', '-b', bundle, '-i', `${directory}/input.json`, 'data.t.allow');
  });
  expect(stdout.split('\n')).toHaveLength(first!.text.length + 1);
  expect(stdout).toContain('input.user.role is "viewer", not "admin"');
});

test('values that the mask policy hides are not shown', async () => {
  const policy = ['package system.log', '', 'mask contains "/input/user/role"'];
  const { stdout } = await withFiles({ ...files(first!), 'mask.rego': policy.join('\n') }, (directory) =>
    runCommand('eval', '--why', '-d', directory, '-i', `${directory}/input.json`, 'data.t.allow'),
  );
  expect(stdout).toContain('input.user.role is [masked], not "admin"');
});

test('there is colour where a terminal has it', async () => {
  const { runWith } = await import('../../test/harness/command.js');
  const { stdout } = await withFiles(files(first!), (directory) =>
    runWith({ color: true }, ['eval', '--why', '-d', `${directory}/t.rego`, '-i', `${directory}/input.json`, 'data.t.allow']),
  );
  expect(stdout).toContain('\u001b[31m✗\u001b[39m');
  expect(
    stdout
      .replace(/\u001b\[\d+m/g, '')
      .split('\n')
      .slice(0, 2),
  ).toEqual(first!.text.slice(0, 2));
});

test.each([
  [['--format', 'raw'], '--why prints with --format pretty or json'],
  [['--explain', 'full'], 'specify --why, --explain or --partial, but only one of them'],
  [['--partial'], 'specify --why, --explain or --partial, but only one of them'],
  [['--why-depth', '-1'], '--why-depth and --why-size must not be negative'],
])('%j is refused', async (flags, message) => {
  const { stderr, exit } = await runCommand('eval', '--why', ...flags, '1');
  expect(stderr).toContain(message);
  expect(exit).not.toBe(0);
});
