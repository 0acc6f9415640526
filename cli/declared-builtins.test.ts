/**
 * Functions that only a capabilities file declares: they compile, tests may replace them, and a
 * call is an error at evaluation.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand, withFiles } from '../test/harness/command.js';
import { capabilitiesOf } from '../values/builtins/capabilities.js';
import { builtins } from '../values/builtins/registry.js';

const { builtins: rows, ...rest } = JSON.parse(JSON.stringify(capabilitiesOf(builtins.values(), 1)));
const string = { type: 'string' };
const own = { name: 'ec.oci.blob', decl: { type: 'function', args: [string], result: string } };

const files = {
  'caps.json': JSON.stringify({ ...rest, builtins: [...rows, own] }),
  'p.rego': 'package p\n\nuse := ec.oci.blob("a")\n\nother := 1\n\nabsent if not ec.oci.blob("a")\n',
  'p_test.rego': `package p_test

import data.p

_mock(_) := "m"

test_other if p.other == 1

test_function if p.use == "m" with ec.oci.blob as _mock

test_builtin if p.use == "A" with ec.oci.blob as upper

test_value if p.use == "v" with ec.oci.blob as "v"
`,
};

test('a call ends the evaluation, and only then', async () => {
  await withFiles(files, async (dir) => {
    const run = async (query: string, ...more: string[]) =>
      await runCommand('eval', '-f', 'raw', '--capabilities', join(dir, 'caps.json'), ...more, '-d', join(dir, 'p.rego'), query);
    expect(await run('data.p.other')).toMatchObject({ exit: 0, stdout: '1\n' });
    for (const query of ['data.p.use', 'data.p.absent', 'data.p']) {
      const { exit, stderr } = await run(query);
      expect({ exit, stderr }).toEqual({
        exit: 2,
        stderr: expect.stringMatching(/p\.rego:[37]: eval_internal_error: unsupported built-in/),
      });
    }
    expect(await runCommand('check', '--capabilities', join(dir, 'caps.json'), dir)).toMatchObject({ exit: 0 });
    expect(await runCommand('check', join(dir, 'p.rego'))).toMatchObject({ exit: 1 });
  });
});

test('tests replace it by a function, a built-in or a value', async () => {
  await withFiles(files, async (dir) => {
    const { exit, stdout } = await runCommand(
      'test',
      '--capabilities',
      join(dir, 'caps.json'),
      join(dir, 'p.rego'),
      join(dir, 'p_test.rego'),
    );
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: 'PASS: 4/4\n' });
  });
});

test('a plan declares it; running the plan needs the capabilities as well', async () => {
  await withFiles(files, async (dir) => {
    const out = join(dir, 'out.tar.gz');
    const capabilities = ['--capabilities', join(dir, 'caps.json')];
    expect(
      await runCommand('build', '-t', 'plan', '-e', 'p/use', '-e', 'p/other', ...capabilities, '-o', out, join(dir, 'p.rego')),
    ).toMatchObject({
      exit: 0,
    });
    expect((await runCommand('eval', '-b', out, 'data.p.other')).stdout).toContain('there is no function or built-in ec.oci.blob');
    expect((await runCommand('eval', '-f', 'raw', '-b', out, ...capabilities, 'data.p.other')).stdout).toBe('1\n');
    expect((await runCommand('eval', '-f', 'raw', '-b', out, ...capabilities, 'data.p.use')).stderr).toContain('unsupported built-in');
    const plan = join(dir, 'plan.json');
    await runCommand('build', '-t', 'plan', '-e', 'p/use', ...capabilities, '-o', plan, join(dir, 'p.rego'));
    expect(JSON.parse(readFileSync(plan, 'utf8')).static.builtin_funcs).toEqual([own]);
  });
});
