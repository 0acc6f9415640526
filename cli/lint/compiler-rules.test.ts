import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand, runWith, withFiles } from '../../test/harness/command.js';

const policy = 'package p\n\nallow if data.roles[input.user]\n';

interface Violation {
  readonly title: string;
  readonly category: string;
  readonly level: string;
  readonly location: object;
}

/** The findings of the category `writ`, and how the command ends. */
async function linted(args: readonly string[], files: Readonly<Record<string, string>> = {}) {
  return await withFiles({ 'p/p.rego': policy, ...files }, async (dir) => {
    const { exit, stdout } = await runCommand(...args, '--format', 'json', '--disable-category', 'idiomatic', `${dir}/p`);
    const { violations } = JSON.parse(stdout.replaceAll(`${dir}/`, '')) as { violations: readonly Violation[] };
    return { exit, found: violations.filter(({ category }) => category === 'writ') };
  });
}

test('lint shows what the compiler warns about, as warnings', async () => {
  const { exit, found } = await linted(['lint']);
  expect(exit).toBe(0);
  expect(found).toEqual([
    {
      title: 'unresolved-reference',
      description: '`data.roles`: no rule or document has this name',
      category: 'writ',
      level: 'warning',
      related_resources: [{ description: 'documentation', ref: 'docs/lint/writ/unresolved-reference.md' }],
      location: {
        end: { row: 3, col: 20 },
        text: 'allow if data.roles[input.user]',
        file: 'p/p.rego',
        col: 15,
        row: 3,
      },
    },
  ]);
});

test('the configuration makes them errors', async () => {
  const config = 'rules:\n  writ:\n    default:\n      level: error\n';
  const { exit, found } = await linted(['lint'], { '.regal/config.yaml': config });
  expect({ exit, levels: found.map(({ level }) => level) }).toEqual({ exit: 3, levels: ['error'] });
});

test.each<[string, Readonly<Record<string, string>>]>([
  ['a comment of Regal', { 'p/p.rego': policy.replace('allow', '# regal ignore:unresolved-reference\nallow') }],
  ['a comment of writ', { 'p/p.rego': policy.replace('allow', '# writ:ignore unresolved-reference\nallow') }],
  ['the configuration of the linter', { '.regal.yaml': 'rules: {writ: {unresolved-reference: {level: ignore}}}' }],
  ['the configuration of warnings', { '.writ.yaml': 'warnings: {ignore: [unresolved-reference]}' }],
  ['a document', { 'p/data.json': '{"roles": {}}' }],
])('%s silences a finding', async (_title, files) => expect((await linted(['lint'], files)).found).toEqual([]));

test('a comment of writ silences rules of Regal', async () => {
  await withFiles({ 'p/p.rego': 'package p\n\n# writ:ignore prefer-snake-case\naB := 1\n' }, async (dir) => {
    const { exit } = await runCommand('lint', '-D', '-e', 'prefer-snake-case', `${dir}/p`);
    expect(exit).toBe(0);
  });
});

test('called as Regal, there are none unless they are named', async () => {
  expect((await linted(['regal', 'lint'])).found).toEqual([]);
  expect((await linted(['regal', 'lint', '--enable-all'])).found).toEqual([]);
  expect((await linted(['regal', 'lint', '--enable-category', 'writ'])).found).toHaveLength(1);
});

test('policies that do not compile are said to be without these rules', async () => {
  await withFiles({ 'p/p.rego': 'package p\n\nallow if x\n' }, async (dir) => {
    const { stderr } = await runCommand('lint', '-D', '--enable-category', 'writ', `${dir}/p`);
    expect(stderr).toBe('note: rules of the category writ did not run: var x is unsafe (writ check tells all)\n');
  });
});

test.each([
  ['level := "high" if input.score >= 7\n\nlevel := "critical" if input.score >= 9'],
  ['level := 1 if input.user.name == "root"\n\nlevel := 2 if not input.user.known'],
  ['level := 1 if { input.a.b; not input.c }\n\nlevel := 2 if { input.a.b.d in ["x"]; startswith(input.e, "/") }'],
])('the input of a conflict ends in a conflict: %j', async (rules) => {
  await withFiles({ 'p.rego': `package p\n\n${rules}\n` }, async (dir) => {
    const { stdout } = await runCommand('lint', '-D', '-e', 'conflicting-rules', '-f', 'json', dir);
    const [{ description }] = JSON.parse(stdout).violations as [{ description: string }];
    const input = /for the input (.*): the evaluation/.exec(description)![1]!;
    const stdin = () => new TextEncoder().encode(input);
    const { stdout: answer } = await runWith({ stdin }, ['eval', '-d', dir, '-I', 'data.p.level']);
    expect(answer).toContain('eval_conflict_error');
  });
});

test('findings are kept between runs, until a document is added', async () => {
  await withFiles({ 'p/p.rego': policy, 'cache/x': '' }, async (dir) => {
    const found = async (): Promise<number> => {
      const args = ['lint', '-D', '--enable-category', 'writ', '-f', 'json', `${dir}/p`];
      const { stdout } = await runWith({ env: { XDG_CACHE_HOME: join(dir, 'cache') } }, args);
      return (JSON.parse(stdout) as { violations: unknown[] }).violations.length;
    };
    expect([await found(), await found()]).toEqual([1, 1]);
    writeFileSync(join(dir, 'p/data.json'), '{"roles": {}}');
    expect(await found()).toBe(0);
  });
});

test('a schema types the input, and contradictions are errors', async () => {
  const schema = JSON.stringify({ type: 'object', properties: { role: { enum: ['a', 'b'] } }, additionalProperties: false });
  const files = (body: string) => ({ 's.json': schema, 'p/p.rego': `package p\n\nallow if ${body}\n` });
  const found = await withFiles(files('input.role == "c"'), async (dir) => {
    const { stdout } = await runCommand('lint', '-s', `${dir}/s.json`, '--format', 'json', `${dir}/p`);
    return (JSON.parse(stdout) as { violations: Violation[] }).violations.map(({ title }) => title);
  });
  expect(found).toContain('impossible-condition');
  await withFiles(files('input.size'), async (dir) => {
    const { exit, stderr } = await runCommand('lint', '-s', `${dir}/s.json`, `${dir}/p`);
    expect({ exit, stderr }).toMatchObject({ exit: 1, stderr: expect.stringContaining('undefined ref: input.size') });
  });
});
