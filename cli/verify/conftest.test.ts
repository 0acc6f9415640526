import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runWith, withFiles } from '../../test/harness/command.js';

async function conftest(files: Record<string, string>, args: readonly string[], env: Record<string, string> = {}) {
  return await withFiles(files, async (folder) => {
    const given = args.map((arg) => arg.replace('@', `${folder}/`));
    const { exit, stdout, stderr } = await runWith({ env, stdin: () => new Uint8Array() }, ['conftest', ...given]);
    const after = Object.fromEntries(Object.keys(files).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
    return { exit, stdout, stderr: stderr.replaceAll(`${folder}/`, ''), after };
  });
}

const rough = 'package main\ndeny contains  "x" if   input.a\n';
const neat = 'package main\n\ndeny contains "x" if input.a\n';

describe('conftest fmt', () => {
  test('writes policies in the canonical layout, and says nothing', async () => {
    const { exit, stdout, stderr, after } = await conftest({ 'p/a.rego': rough, 'p/b.rego': neat }, ['fmt', '@p']);
    expect({ exit, stdout, stderr }).toEqual({ exit: 0, stdout: '', stderr: '' });
    expect(after).toEqual({ 'p/a.rego': neat, 'p/b.rego': neat });
  });

  test('changes nothing with --check', async () => {
    const { exit, stderr, after } = await conftest({ 'a.rego': rough }, ['fmt', '--check', '@a.rego']);
    expect([exit, stderr, after['a.rego']]).toEqual([1, 'Error: files not formatted\n', rough]);
    expect((await conftest({ 'a.rego': neat }, ['fmt', '--check', '@a.rego'])).exit).toBe(0);
  });

  test('changes no file where one does not parse', async () => {
    const { exit, stderr, after } = await conftest({ 'a.rego': rough, 'b.rego': 'package' }, ['fmt', '@']);
    expect([exit, after['a.rego']]).toEqual([1, rough]);
    expect(stderr).toMatch(/^Error: get rego files: .*b\.rego:1/s);
  });

  test.each([
    [['fmt', '@'], 'Error: no policies found in ['],
    [['fmt', '--rego-version', 'v2', '@'], 'Error: failed to parse rego-version flag: invalid Rego version: v2'],
    [['fmt', '@gone'], 'Error: get rego files: '],
  ])('%j ends with an error', async (args, message) => {
    const { exit, stderr } = await conftest({ 'a.txt': '' }, args);
    expect(exit).toBe(1);
    expect(stderr.startsWith(message), stderr).toBe(true);
  });
});

describe('conftest reformat', () => {
  const results = '[{"filename": "a", "namespace": "main", "successes": 1}]';

  test('has colours: it has no flag for them', async () => {
    const { stdout } = await conftest({ 'r.json': results }, ['reformat', '@r.json'], { CONFTEST_NO_COLOR: 'true' });
    expect(stdout).toBe('\n\u001b[32m1 test, 1 passed, 0 warnings, 0 failures, 0 exceptions\u001b[0m\n');
    expect((await conftest({ 'r.json': results }, ['reformat', '--no-color', '@r.json'])).exit).toBe(1);
  });

  test.each([
    ['null', 0, ''],
    ['{}', 1, 'Error: failed to parse JSON input: '],
    ['[1]', 1, 'Error: failed to parse JSON input: '],
    ['x', 1, 'Error: failed to parse JSON input: invalid character'],
    ['', 1, 'Error: failed to parse JSON input: unexpected end'],
  ])('of %j', async (text, exit, message) => {
    const found = await conftest({ 'r.json': text }, ['reformat', '@r.json']);
    expect(found.exit, found.stdout).toBe(exit);
    expect(found.stderr.startsWith(message), found.stderr).toBe(true);
  });

  test('of a file that is gone', async () => {
    const { stderr } = await conftest({ 'r.json': '' }, ['reformat', '@gone.json']);
    expect(stderr).toBe('Error: failed to open input file: open gone.json: no such file or directory\n');
  });
});

test('--version tells the releases in lines that scripts read', async () => {
  const { exit, stdout } = await conftest({}, ['--version']);
  expect(stdout).toMatch(/^Conftest: \d+\.\d+\.\d+ \(writ .*\)\nOPA: \d+\.\d+\.\d+\n$/);
  expect(exit).toBe(0);
});

test('a report in another form is refused once the tests have run', async () => {
  const policy = (body: string) => ({ 'p/a.rego': `package main\n\ntest_a if ${body}\n` });
  const asked = ['verify', '-p', '@p', '-o', 'json', '--report', 'full'];
  const refused = 'Error: report flag is supported with stdout only\n';
  expect((await conftest(policy('true'), asked)).stderr).toBe(refused);
  expect(await conftest(policy('true'), [...asked, '--quiet'])).toMatchObject({ exit: 0, stdout: '', stderr: '' });
  expect((await conftest(policy('false'), [...asked, '--quiet'])).stderr).toBe(refused);
  expect((await conftest(policy('x'), asked)).stderr).toMatch(/^Error: running verification: load: loading policies/);
});

test('a report names the place where each case of a test failed', async () => {
  const text = [
    'package main',
    '',
    'test_t[name] if {',
    '\tsome name, n in {"one": 1, "two": 2, "three": 3, "ten": 10}',
    '\tn != 1',
    '\tn < 10',
    '}',
  ].join('\n');
  const { stdout } = await conftest({ 'p/a_test.rego': `${text}\n` }, ['verify', '-p', '@p', '--report', 'full']);
  const failures = stdout.slice(stdout.indexOf('  one: FAIL', stdout.indexOf('FAILURES'))).replace(/\S*(?=a_test)/g, '');
  expect(failures.slice(0, failures.indexOf('---'))).toBe(
    '  one: FAIL\n    \n      a_test.rego:5:\n        \tn != 1\n    \n' +
      '  ten: FAIL\n    \n      a_test.rego:6:\n        \tn < 10\n    \n\n',
  );
  expect(stdout).toContain('| | TestCase internal.test_case(["ten"])  \n');
});

test.each([
  ['a.toml', `a = ${'['.repeat(20_000)}${']'.repeat(20_000)}\n`],
  ['a.xml', `${'<a>'.repeat(20_000)}${'</a>'.repeat(20_000)}\n`],
])('%s that nests too deeply for its reader ends the run with its path', async (name, text) => {
  await withFiles({ [name]: text }, async (folder) => {
    const path = join(folder, name);
    const stderr = `Error: parse configurations: parser unmarshal: values nest too deeply, path: ${path}\n`;
    expect(await runWith({}, ['conftest', 'parse', path])).toMatchObject({ exit: 1, stderr });
  });
});

test('a link that leads nowhere in a folder ends the run with its path', async () => {
  await withFiles({ 'p/a.rego': neat, 'd/a.yaml': 'a: 1\n' }, async (folder) => {
    symlinkSync('gone', join(folder, 'd/b.yaml'));
    const { exit, stderr } = await runWith({}, ['conftest', 'test', '-p', join(folder, 'p'), join(folder, 'd')]);
    expect(exit).toBe(1);
    expect(stderr).toMatch(/^Error: running test: parse files: get files from directory: .*no such file or directory\n$/);
  });
});
