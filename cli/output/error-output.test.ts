import { expect, test } from 'vitest';
import { runAtTerminal, runCommand, withFiles } from '../../test/harness/command.js';

const files = { 'p.rego': 'package p\n\nallow if inptu\n\ndeny if other\n' };

test('at a terminal each error shows its line of source', () =>
  withFiles(files, async (dir) => {
    const { stderr, exit } = await runAtTerminal('check', dir);
    expect(exit).toBe(1);
    expect(stderr).toBe(
      [
        `${dir}/p.rego:3:10: rego_unsafe_var_error: var inptu is unsafe`,
        '3 | allow if inptu',
        '  |          ^^^^^',
        'hint: did you mean `input`?',
        '',
        `${dir}/p.rego:5:9: rego_unsafe_var_error: var other is unsafe`,
        '5 | deny if other',
        '  |         ^^^^^',
        '',
        '2 errors',
        '',
      ].join('\n'),
    );
  }));

test('elsewhere errors have the layout of the reference', () =>
  withFiles(files, async (dir) => {
    const { stderr } = await runCommand('check', dir);
    expect(stderr).toBe(
      `2 errors occurred:\n${dir}/p.rego:3: rego_unsafe_var_error: var inptu is unsafe\n${dir}/p.rego:5: rego_unsafe_var_error: var other is unsafe\n`,
    );
  }));

test.each([
  ['check', (dir: string) => ['check', dir]],
  ['test', (dir: string) => ['test', dir]],
  ['eval', (dir: string) => ['eval', '-f', 'pretty', '-d', dir, 'data.p']],
  ['build', (dir: string) => ['build', '-o', `${dir}/b.tar.gz`, dir]],
  ['fmt', (dir: string) => ['fmt', `${dir}/p.rego`]],
  ['deps', (dir: string) => ['deps', '-d', dir, 'data.p']],
  ['bench', (dir: string) => ['bench', '-d', dir, 'data.p']],
])('%s shows the line of a syntax error at a terminal', (_name, args) =>
  withFiles({ 'p.rego': 'package p\n\nallow if }\n' }, async (dir) => {
    const { stdout, stderr, exit } = await runAtTerminal(...args(dir));
    expect(exit).not.toBe(0);
    expect(stdout + stderr).toContain('3 | allow if }\n  |          ^');
  }),
);

test('errors of one cause are one, with all places', () =>
  withFiles({ 'p.rego': 'package p\n\np { usr }\n\nq { true }\n\nr { true }\n' }, async (dir) => {
    const { stderr } = await runAtTerminal('check', dir);
    expect(stderr).toContain(`p.rego:3:1: rego_parse_error: \`if\` keyword is required before rule body\n3 | p { usr }\n`);
    expect(stderr).toMatch(/\nalso at 5:1, 7:1\nhint: Rego v0 is read with/);
    expect((await runCommand('check', dir)).stderr).toMatch(/^3 errors occurred during loading:\n/);
  }));

test('JSON has no hints at a terminal either', () =>
  withFiles(files, async (dir) => {
    const { stderr } = await runAtTerminal('check', '-f', 'json', dir);
    expect(JSON.parse(stderr)).toEqual(JSON.parse((await runCommand('check', '-f', 'json', dir)).stderr));
    expect(stderr).not.toMatch(/hint|did you mean|excerpt/);
  }));

test.each([
  [
    'a query',
    ['eval', '-f', 'pretty', 'inptu.x'],
    '1:1: rego_unsafe_var_error: var inptu is unsafe\n1 | inptu.x\n  | ^^^^^\nhint: did you mean `input`?\n',
  ],
  [
    'a query that cannot be read',
    ['eval', '-f', 'pretty', 'input.x && input.y'],
    '1 | input.x && input.y\n  |          ^\nhint: expressions on lines',
  ],
])('the line of %s has a hint', async (_title, args, expected) => {
  const { stderr } = await runAtTerminal(...args);
  expect(stderr).toContain(expected);
  expect(stderr).not.toContain('2 errors');
});

test('an error of the evaluation shows the line of the expression', () =>
  withFiles({ 'p.rego': 'package p\n\nx := 1\nx := 2\n\ny := f(1)\n\nf(_) := z if {\n\tsome z in [1, 2]\n}\n' }, async (dir) => {
    const { stderr } = await runAtTerminal('eval', '-f', 'pretty', '-d', dir, 'data.p.y');
    expect(stderr).toMatch(/p\.rego:\d+:\d+: eval_conflict_error: .*\n\d+ \| .*\n +\| +\^\n/);
  }));

const derived = 'package p\n\nr if {\n\tmy_string := x\n\tsubstr := substring(my_string, 0, 1)\n\tsubstr == "f"\n}\n';

test('at a terminal an unknown name is one error, whatever is assigned from it', () =>
  withFiles({ 'p.rego': derived }, async (dir) => {
    const { stderr } = await runAtTerminal('check', dir);
    expect(stderr).toContain('var x is unsafe');
    expect(stderr).not.toMatch(/my_string is|substr is|did you mean|\d errors/);
    expect((await runCommand('check', dir)).stderr).toMatch(/^3 errors occurred:/);
  }));
