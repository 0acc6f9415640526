import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withFiles } from '../../test/harness/command.js';
import { runCommandLine } from '../run.js';

const files = {
  'a.rego': 'package a\n\nallow if data.b.ok\n',
  'b.rego': 'package b\n\nok if data.users.ann == 1\n\nf(x) := x + 1\n',
  'c.rego': 'package c\n\nsafe := 1\n',
  'users.json': '{"users": {"ann": 1, "bob": 2}, "other": 3}',
  'a_test.rego': 'package a_test\n\ntest_allow if data.a.allow\n\ntest_mock if data.c.safe == 1 with data.c.safe as data.b.f(0)\n',
  'c_test.rego':
    'package c_test\n\ntest_safe if data.c.safe == 1\n\ntest_mocked if abs(1) == 2 with abs as data.b.f\n\ntest_every if every name in ["a"] { data[name].allow }\n',
};

/** The output of `test --watch -v` by run, after each change of files. */
async function watched(changes: readonly Readonly<Record<string, string | undefined>>[], ...flags: string[]): Promise<readonly string[]> {
  return await withFiles(files, async (dir) => {
    const runs: string[] = [];
    let text = '';
    let left = changes;
    const stdout = (part: string): void => {
      text += part;
      if (!text.endsWith('Watching for changes ...\n')) return;
      runs.push(
        text
          .split('*'.repeat(80))[0]!
          .replaceAll(`${dir}/`, '')
          .replace(/ \([\d.]+\S+\)/g, ''),
      );
      text = '';
      const [change, ...others] = left;
      left = others;
      setTimeout(() => {
        if (change === undefined) process.emit('SIGINT');
        for (const [name, content] of Object.entries(change ?? {})) {
          const path = join(dir, name);
          writeFileSync(path, content ?? readFileSync(path));
        }
      }, 50);
    };
    const io = { stdin: () => new Uint8Array(), stdout, stderr: stdout, env: {}, color: false };
    await runCommandLine(['test', '--watch', '-v', ...flags, dir], io);
    return runs;
  });
}

/** The tests that a run reports. */
function ran(text: string): readonly string[] {
  return [...new Set([...text.matchAll(/^data\.(\w+\.test_\w+): (?:PASS|FAIL)$/gm)].map(([, name]) => name!))];
}

const all = ['a_test.test_allow', 'a_test.test_mock', 'c_test.test_safe', 'c_test.test_mocked', 'c_test.test_every'];

test.each<readonly [string, Readonly<Record<string, string | undefined>>, string, readonly string[]]>([
  ['a rule', { 'c.rego': 'package c\n\nsafe := 2 - 1\n' }, 'c.rego changed: 2 of 5 tests depend on it.', [all[1]!, all[2]!]],
  [
    'a rule below another one',
    { 'b.rego': `${files['b.rego']}\n` },
    'b.rego changed: 4 of 5 tests depend on it.',
    [all[0]!, all[1]!, all[3]!, all[4]!],
  ],
  [
    'a document',
    { 'users.json': '{"users": {"ann": 2, "bob": 2}, "other": 3}' },
    'data.users.ann changed: 2 of 5 tests depend on it.',
    [all[0]!, all[4]!],
  ],
  [
    'another document',
    { 'users.json': '{"users": {"ann": 1, "bob": 3}, "other": 3}' },
    'data.users.bob changed: no test depends on it.',
    [],
  ],
  [
    'a test',
    { 'a_test.rego': 'package a_test\n\ntest_new if data.a.allow\n' },
    'a_test.rego changed: 1 of 4 tests depends on it.',
    ['a_test.test_new'],
  ],
  ['a new rule', { 'd.rego': 'package a\n\nallow if true\n' }, 'd.rego changed: 2 of 5 tests depend on it.', [all[0]!, all[4]!]],
  ['nothing', { 'c.rego': undefined }, 'No policy and no document is different: all 5 tests run.', all],
])('a change of %s has the tests run that read it', async (_title, change, line, tests) => {
  const [first, second] = await watched([change]);
  expect(ran(first!)).toEqual(all);
  expect(second).toContain(line);
  expect(ran(second!)).toEqual(tests);
});

test('after an error the tests run that all changes since the last run touch', async () => {
  const broken = { 'c.rego': 'package c\n\nsafe := \n' };
  const [, second, third] = await watched([broken, { 'c.rego': 'package c\n\nsafe := 0\n' }]);
  expect(second).toContain('rego_parse_error');
  expect(ran(third!)).toEqual([all[1], all[2]]);
});

test('tests that failed and do not run again are told', async () => {
  const [, second, third] = await watched([{ 'c.rego': 'package c\n\nsafe := 0\n' }, { 'users.json': '{"users": {"bob": 1}}' }]);
  expect(second).toContain('data.c_test.test_safe: FAIL');
  expect(third).toContain('Not run again, still failing:\n  data.c_test.test_safe\n');
});

test('the coverage is that of all tests', async () => {
  const [first, second] = await watched([{ 'c.rego': 'package c\n\nsafe := 2 - 1\n' }], '--coverage');
  expect(Object.keys(JSON.parse(second!).files)).toEqual(Object.keys(JSON.parse(first!).files));
});
