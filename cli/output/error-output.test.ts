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

const typed = {
  'ref.rego':
    'package a\n\n# METADATA\n# schemas:\n#   - input: schema.input\nallow if {\n\tinput.document.ownr == "x"\n}\n\ndeny if input.document.owner + "a" == 1\n',
  'schemas/input.json': JSON.stringify({
    type: 'object',
    properties: { document: { type: 'object', properties: { id: { type: 'string' }, owner: {} }, additionalProperties: false } },
    additionalProperties: false,
  }),
};

test('at a terminal a type error marks the wrong segment, and shows what there is and what is wanted', () =>
  withFiles(typed, async (dir) => {
    const { stderr } = await runAtTerminal('check', '-s', `${dir}/schemas`, `${dir}/ref.rego`);
    expect(stderr.replaceAll(`${dir}/`, '').split('\n')).toEqual([
      'ref.rego:7:17: rego_type_error: undefined ref: input.document.ownr',
      '7 |     input.document.ownr == "x"',
      '  |                    ^^^^',
      '    have: "ownr"',
      '    want (one of): ["id" "owner"]',
      'hint: did you mean `owner`?',
      '',
      'ref.rego:10:9: rego_type_error: plus: invalid argument(s)',
      '10 | deny if input.document.owner + "a" == 1',
      `   |         ${'^'.repeat(26)}`,
      '     have: (any, string, ???)',
      '     want: (x: number, y: number, z: number)',
      'hint: texts are joined by a template, `$"{a}{b}"`, or by `concat("", [a, b])`',
      '',
      '2 errors',
      '',
    ]);
    const { errors } = JSON.parse((await runCommand('check', '-f', 'json', '-s', `${dir}/schemas`, `${dir}/ref.rego`)).stderr);
    expect(errors[0].location).toMatchObject({ row: 7, col: 2 });
  }));

const docs = {
  'docs.rego': 'package app.docs\n\nallow if input.x\n\nrole[x] := 1 if some x in input.xs\n',
  'data.json': '{"app": {"owners": {"ann": 1}}}',
};

test.each([
  ['data.app.docs.alow', 'data.app.docs has no "alow": did you mean "allow"?'],
  ['data.appp.docs.allow', 'data has no "appp": did you mean "app"?'],
  ['data.app.owners.anm', 'data.app.owners has no "anm": did you mean "ann"?'],
  ['data.app["dcos"]', 'data.app has no "dcos": did you mean "docs"?'],
  ['data.app.docs.zzz', 'data.app.docs has no "zzz"'],
])('at a terminal an undefined %s is told beside the document', (query, hint) =>
  withFiles(docs, async (dir) => {
    const { stdout, stderr, exit } = await runAtTerminal('eval', '-d', dir, query);
    expect([exit, JSON.parse(stdout), stderr]).toEqual([0, {}, `hint: ${hint}\n`]);
    expect((await runCommand('eval', '-d', dir, query)).stderr).toBe('');
  }),
);

test('it is told for documents and for plans alone, too', () =>
  withFiles(docs, async (dir) => {
    const told = async (...args: string[]) => (await runAtTerminal('eval', ...args)).stderr;
    expect(await told('-d', `${dir}/data.json`, 'data.app.ownres.ann')).toBe('hint: data.app has no "ownres": did you mean "owners"?\n');
    const plan = ['-b', 'fixtures/bundles/example'];
    expect(await told(...plan, 'data.authz.alow')).toBe('hint: data.authz has no "alow": did you mean "allow"?\n');
    expect(await told(...plan, 'data.authz.allow')).toBe('');
  }));

test.each(['data.app.docs.allow', 'data.app.docs.role.x', 'data.app.docs.role', 'data.app.docs.allow == true', 'input.x'])(
  'a rule at %s that does not hold is no misspelt name',
  (query) => withFiles(docs, async (dir) => expect((await runAtTerminal('eval', '-d', dir, query)).stderr).toBe('')),
);

test.each([
  ['docs.allow', 'did you mean `data.app.docs`?'],
  ['app.docs.allow', 'did you mean `data.app`?'],
  ['inptu.x', 'did you mean `input`?'],
])('at a terminal the errors of eval are shown beside the document: %s', (query, hint) =>
  withFiles(docs, async (dir) => {
    const { stdout, stderr, exit } = await runAtTerminal('eval', '-d', dir, query);
    expect(exit).toBe(2);
    expect(JSON.parse(stdout).errors[0].code).toBe('rego_unsafe_var_error');
    expect(stderr).toContain(`1 | ${query}\n  | ^`);
    expect(stderr).toContain(`hint: ${hint}\n`);
  }),
);

test.each([
  ['data.app.docs.allow', 'app/docs/allow'],
  ['app/docs/alow', 'app/docs/allow'],
  ['appp/docs', 'app/docs'],
  ['app.docs.allow', 'app/docs/allow'],
])('an entrypoint %s that refers to no rule hints at %s', (entrypoint, meant) =>
  withFiles(docs, async (dir) => {
    const { stdout } = await runCommand('build', '-t', 'plan', '-e', entrypoint, '-o', `${dir}/b.tar.gz`, dir);
    expect(stdout).toBe(`error: entrypoint "${entrypoint}" does not refer to a rule or policy decision\nhint: did you mean "${meant}"?\n`);
  }),
);
