import { expect, test } from 'vitest';
import { runAtTerminal, runCommand, withFiles } from '../../test/harness/command.js';

const files = {
  'authz/authz.rego': 'package authz\n\ndefault allow := false\n\nallow if input.user == "ann"\n',
  'authz/p.rego': 'package p\n\nq if not data.authz.alow\n\nr if data.authz.alow\n',
};

/** What `check` prints for the files, and more of them. */
async function checked(args: readonly string[], more: Readonly<Record<string, string>> = {}, run = runCommand) {
  return await withFiles({ ...files, ...more }, async (dir) => {
    const { exit, stdout, stderr } = await run('check', ...args, `${dir}/authz`);
    return { exit, stdout: stdout.replaceAll(`${dir}/`, ''), stderr: stderr.replaceAll(`${dir}/`, '') };
  });
}

const sentence = '`data.authz.alow`: no rule or document has this name; did you mean `allow`?';
const page = 'docs/lint/writ/unresolved-reference.md';

test('warnings are lines on stderr, and the exit code is 0', async () => {
  expect(await checked([])).toEqual({
    exit: 0,
    stdout: '',
    stderr: `authz/p.rego:3:21: warning: unresolved-reference: ${sentence} (${page})\nauthz/p.rego:5:17: warning: unresolved-reference: ${sentence} (${page})\n`,
  });
});

test('a terminal shows the line once, the page, and what to know', async () => {
  expect((await checked([], {}, runAtTerminal)).stderr).toBe(
    `authz/p.rego:3:21: warning: unresolved-reference: ${sentence}
3 | q if not data.authz.alow
  |                     ^^^^
    see ${page}
also at 5:17
hint: \`not\` holds for what nothing has: this condition is always true
`,
  );
});

test('warnings as JSON', async () => {
  const { stderr, stdout } = await checked(['-f', 'json']);
  expect(stdout).toBe('');
  expect(JSON.parse(stderr).warnings[0]).toEqual({
    message: sentence,
    code: 'unresolved-reference',
    location: { file: 'authz/p.rego', row: 3, col: 21 },
    page,
  });
});

test('warnings and errors as workflow commands', async () => {
  const { stdout } = await checked(['-f', 'github']);
  expect(stdout.split('\n')[0]).toBe(`::warning file=authz/p.rego,line=3,col=21,title=unresolved-reference::${sentence}%0A${page}`);
  const broken = await checked(['-f', 'github'], { 'authz/x.rego': 'package x\n\ny if z\n' });
  expect(broken).toEqual({
    exit: 1,
    stdout: '::error file=authz/x.rego,line=3,col=6,title=rego_unsafe_var_error::var z is unsafe\n',
    stderr: '',
  });
});

test.each([['--strict'], ['--fail-on-warn']])('with %s warnings fail the check', async (flag) => {
  expect((await checked([flag])).exit).toBe(1);
});

test.each([
  ['a document', 'authz/authz/d.json', '{"alow": 1}'],
  ['a document that cannot be read', 'authz/alow.json', '{'],
  ['a name in the configuration', '.writ.yaml', 'warnings:\n  known: [data.authz.alow]\n'],
  ['a code in the configuration', '.writ.yaml', 'warnings:\n  ignore: [unresolved-reference]\n'],
  ['a code in some files', '.writ.yaml', 'warnings:\n  ignore:\n    - {code: unresolved-reference, files: authz/*.rego}\n'],
  ['a rule in the configuration of the linter', '.regal/config.yaml', 'rules:\n  writ:\n    unresolved-reference:\n      level: ignore\n'],
  ['a category in the configuration of the linter', '.regal.yaml', 'rules:\n  writ:\n    default:\n      level: ignore\n'],
  [
    'a rule in some files, in the configuration of the linter',
    '.regal/config.yaml',
    'rules:\n  writ:\n    unresolved-reference:\n      ignore:\n        files: ["p.rego"]\n',
  ],
])('%s silences a warning', async (_title, name, text) => {
  expect(await checked([], { [name]: text })).toEqual({ exit: 0, stdout: '', stderr: '' });
});

test.each([
  ['warnings: [x]', '`warnings` must be an object'],
  ['warnings: {kown: [x]}', '`warnings` has no key `kown`: it has `known` and `ignore`'],
  ['warnings: {ignore: [{files: x}]}', '`code` must be a text'],
  ['a: [', 'yaml:'],
])('a configuration that is wrong is an error: %s', async (text, message) => {
  const { exit, stderr } = await checked([], { '.writ.yaml': `${text}\n` });
  expect(exit).toBe(1);
  expect(stderr).toMatch(/^\S*\.writ\.yaml: /);
  expect(stderr).toContain(message);
});

test.each([
  ['a policy', 'lib/lib.rego', 'package lib.roles\n\nadmin := 1\n'],
  ['a document', 'data/users.yaml', 'lib:\n  roles: {}\n'],
  ['the document of a folder', 'lib/data.json', '{"roles": 1}'],
])('check does not tell what another file of the project has: %s', async (_title, name, text) => {
  const p = 'package p\n\nq if data.lib.roles\n';
  const { stderr } = await checked([], { '.writ.yaml': '', 'authz/p.rego': p, [name]: text });
  expect(stderr).toBe('');
});

const settings = {
  'authz/data.json': '{"settings": {"limit": 3}}',
  'authz/p.rego': 'package p\n\nq if data.settings.limt == 3\n',
};
const misspelt = '`data.settings.limt`: no rule or document has this name; did you mean `limit`?';

test.each([
  ['check', 'authz'],
  ['test', 'authz'],
])('%s tells a misspelt key of a document that it has', async (command, folder) => {
  await withFiles({ ...files, ...settings, '.git/HEAD': '' }, async (dir) => {
    const { stderr } = await runAtTerminal(command, `${dir}/${folder}`);
    expect(stderr).toContain(misspelt);
    expect(stderr).not.toContain('is not among the files');
  });
});

test('check does not tell a key of a document that another file of the project has, too', async () => {
  const { stderr } = await checked([], { ...settings, '.git/HEAD': '', 'more/data.json': '{"settings": {"limt": 3}}' });
  expect(stderr).toBe('');
});

test('test says which file has a name, where it is not given', async () => {
  const more = { '.git/HEAD': '', 'tests/a_test.rego': 'package a_test\n\ntest_a if not data.authz.allow\n' };
  await withFiles({ ...files, ...more }, async (dir) => {
    const { stderr } = await runAtTerminal('test', `${dir}/tests`);
    expect(stderr).toContain('`data.authz.allow`: no rule or document has this name\n');
    expect(stderr.replaceAll(`${dir}/`, '')).toContain('hint: authz/authz.rego has it, and is not among the files of the command\n');
  });
});

const tests = {
  'authz.rego': files['authz/authz.rego'],
  'authz_test.rego': 'package authz_test\n\ntest_bob if not data.authz.alow with input as {"user": "bob"}\n',
};

/** What a command prints about the tests. */
async function ran(run: typeof runCommand, ...args: string[]) {
  return await withFiles(tests, async (dir) => {
    const { exit, stdout, stderr } = await run(...args.map((arg) => (arg === 'DIR' ? dir : arg)));
    return { exit, stdout: stdout.replaceAll(`${dir}/`, ''), stderr: stderr.replaceAll(`${dir}/`, '') };
  });
}

const line = `authz_test.rego:3:28: warning: unresolved-reference: ${sentence} (${page})\n`;

test.each(['pretty', 'json', 'junit', 'tap', 'lcov'])('test -f %s tells warnings on stderr', async (format) => {
  const { exit, stderr } = await ran(runCommand, 'test', '-f', format, 'DIR');
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: line });
});

test('test -f github tells warnings at their lines', async () => {
  const { stdout, stderr } = await ran(runCommand, 'test', '-f', 'github', 'DIR');
  expect(stderr).toBe('');
  expect(stdout).toBe(`PASS: 1/1\n::warning file=authz_test.rego,line=3,col=28,title=unresolved-reference::${sentence}%0A${page}\n`);
});

test.each([
  ['pretty', ''],
  ['json', ''],
  ['tap', 'warning: unresolved-reference: `data.roles`: no rule or document has this name'],
])('in a pipe, test -f %s tells of names that may come at run time: %j', async (format, told) => {
  const policy = 'package a\n\nadmin if data.roles[input.user]\n\ntest_a if 1 < 2\n';
  await withFiles({ 'a.rego': policy }, async (dir) => {
    const { stderr } = await runCommand('test', '-f', format, dir);
    if (told === '') expect(stderr).toBe('');
    else expect(stderr).toContain(told);
  });
});

test('test says at a terminal that a test under `not` passes on nothing, once', async () => {
  const { stdout, stderr } = await ran(runAtTerminal, 'test', '--count', '3', 'DIR');
  expect(stdout).toContain('PASS: 1/1');
  expect(stderr.match(/^hint: `not` holds for what nothing has: the test passes whatever the policy says$/gm)).toHaveLength(1);
});

test.each(['test', 'eval'])('%s --fail-on-warn fails', async (command) => {
  const args = command === 'test' ? ['DIR'] : ['-d', 'DIR', 'data.authz_test'];
  const { exit, stderr } = await ran(runCommand, command, '--fail-on-warn', ...args);
  expect({ exit, stderr }).toEqual({ exit: 1, stderr: line });
});

test.each([
  ['the rules that the query reads', 'data.authz_test', /authz_test\.rego:3:28: warning: /],
  ['the query', 'not data.authz.alow', /^1:16: warning: unresolved-reference: /],
])('eval tells at a terminal of %s', async (_title, query, told) => {
  const { exit, stderr } = await ran(runAtTerminal, 'eval', '-d', 'DIR', query);
  expect(exit).toBe(0);
  expect(stderr).toMatch(told);
});

test.each([
  ['in a pipe', runCommand, 'data.authz_test'],
  ['of rules that the query does not read', runAtTerminal, 'data.authz.allow'],
])('eval tells nothing %s', async (_title, run, query) => {
  expect((await ran(run, 'eval', '-d', 'DIR', query)).stderr).toBe('');
});

test('a key of an input that is no word is looked for in other policies as it stands', async () => {
  const policies = {
    'authz/p.rego': 'package p\n\nq if input.name == "a"\n',
    'authz/p_test.rego': 'package p_test\n\ntest_q if not data.p.q with input as {"(name": "a"}\n',
    'other.rego': 'package other\n\nx := input["(nama"]\n',
    '.manifest': '{}',
  };
  const message =
    'authz/p_test.rego:3:39: warning: unresolved-reference: `input["(name"]`: no rule reads this part of the input; did you mean `name`?';
  expect((await checked([], policies)).stderr).toContain(message);
  const mentions = { ...policies, 'other.rego': 'package other\n\nx := input["(name"]\n' };
  expect((await checked([], mentions)).stderr).toBe('');
});
