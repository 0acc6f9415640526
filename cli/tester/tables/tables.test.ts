/** Cases from tables, fixtures from folders, and thresholds of files. */
import { expect, test } from 'vitest';
import { runCommand, withFiles } from '../../../test/harness/command.js';

const policy = `package authz

default allow := false

allow if input.user.role == "admin"

allow if {
	input.op == "read"
	input.doc.public
}
`;

const table = `decision: authz/allow
input: {principal: user, resource: doc, action: op}
principals:
  ada: {role: admin}
  bob: {role: reader}
resources:
  page: {public: true}
  draft: {public: false}
cases:
  - principals: [ada]
    expected: {read: true, write: true}
  - principals: [bob]
    resources: [page]
    expected: {read: true, write: false}
  - principals: [bob]
    resources: [draft]
    expected: {read: false}
`;

async function tested(files: Readonly<Record<string, string>>, ...args: string[]) {
  return await withFiles(files, async (dir) => {
    const { exit, stdout, stderr } = await runCommand('test', ...args.map((arg) => arg.replace('{dir}', dir)), dir);
    return {
      exit,
      stdout: stdout.replaceAll(`${dir}/`, '').replaceAll(/ \([\d.]+(?:ns|µs|ms|s)\)/g, ''),
      stderr: stderr.replaceAll(`${dir}/`, ''),
    };
  });
}

const files = { 'authz.rego': policy, 'authz_test.rego': 'package authz_test\n\n# cases: cases.yaml\n', 'cases.yaml': table };

test('a table gives a result for each principal, action and resource', async () => {
  expect(await tested(files, '-v')).toEqual({
    exit: 0,
    stderr: '',
    stdout: `cases.yaml:3:
data.authz_test.test_cases_cases: PASS
  ada read draft: PASS
  ada read page: PASS
  ada write draft: PASS
  ada write page: PASS
  bob read draft: PASS
  bob read page: PASS
  bob write page: PASS
--------------------------------------------------------------------------------
PASS: 7/7
`,
  });
});

test('a case with another answer fails, and an undefined one is none', async () => {
  const wrong = table.replace('expected: {read: false}', 'expected: {read: true, write: undefined}');
  const { exit, stdout } = await tested({ ...files, 'cases.yaml': wrong });
  expect(exit).toBe(2);
  expect(stdout).toContain('  bob read draft: FAIL\n  bob write draft: FAIL\n');
  const absent = table.replace('authz/allow', 'authz.denied');
  expect((await tested({ ...files, 'cases.yaml': absent })).stdout).toContain('  ada read page: FAIL\n');
});

test.each([
  ['cases: []\n', 'principals must be an object'],
  [table.replace('authz/allow', ''), 'decision must be a path such as authz/allow'],
  [table.replace('[ada]', '[eve]'), 'cases[0].principals: there is no "eve"'],
  [table.replace('resources: [page]', 'resource: [page]'), 'cases[1] has resource, but a case has principals, resources, expected'],
  [table.replace('[draft]', '[page]'), 'the case bob read page is there twice'],
  [table.replace('principal: user', 'principal: doc'), 'input has two parts of one name'],
  ['a: [', 'error converting YAML to JSON: '],
])('a table that is none has its place: %#', async (text, message) => {
  const { exit, stderr } = await tested({ ...files, 'cases.yaml': text });
  expect(exit).toBe(1);
  expect(stderr).toContain('authz_test.rego:3: cases: ');
  expect(stderr).toContain(message);
});

test('a table that is not there is named, and prose is none', async () => {
  const { 'cases.yaml': _, ...without } = files;
  expect(await tested(without)).toMatchObject({
    exit: 1,
    stderr: expect.stringContaining('authz_test.rego:3: cases: open cases.yaml: no such file'),
  });
  const prose = { 'a_test.rego': 'package a_test\n\n# cases: the empty list, and others\ntest_a if true\n' };
  expect(await tested(prose)).toMatchObject({ exit: 0, stdout: 'PASS: 1/1\n' });
});

test('tables are no data, and each module may have several', async () => {
  const given = {
    'authz.rego': policy,
    'authz_test.rego': `package authz_test

# cases: cases.yaml
# cases: tables/more.json

test_no_data if not data.principals
`,
    'cases.yaml': table,
    'tables/more.json': JSON.stringify({
      decision: 'data.authz.allow',
      principals: { ada: { role: 'x' } },
      resources: { page: {} },
      input: { principal: 'user' },
      cases: [{ expected: { write: false } }],
    }),
  };
  expect(await tested(given)).toMatchObject({ exit: 0, stdout: 'PASS: 9/9\n' });
});

test('mutants are noticed by the cases of tables', async () => {
  const { exit, stdout } = await tested(files, '--mutate');
  expect(exit).toBe(0);
  expect(stdout).toMatch(/^NOTICED: [1-9]/m);
});

test('fixtures of a folder stand below data.fixtures', async () => {
  const given = {
    'p/a_test.rego': `package a_test

test_large if count(data.fixtures.orders.large.lines) == 2

test_all[name] if {
	some name, order in data.fixtures.orders
	order.id > 0
}
`,
    'fix/orders/large.json': '{"id": 1, "lines": [1, 2]}',
    'fix/orders/small.yaml': 'id: 2\n',
    'fix/README.md': 'words',
  };
  const run = (...args: string[]) =>
    withFiles(given, async (dir) => await runCommand('test', '--fixtures', `${dir}/fix`, ...args, `${dir}/p`));
  expect(await run()).toMatchObject({ exit: 0, stdout: 'PASS: 3/3\n' });
  expect(await tested({ 'a_test.rego': 'package a\n\ntest_a if true\n' }, '--fixtures', '{dir}/none')).toMatchObject({
    exit: 1,
    stderr: expect.stringContaining('none: no such file or directory'),
  });
});

test('each file has a threshold of coverage', async () => {
  const given = {
    'a.rego': 'package a\n\np if input.x\n\nq if input.y\n',
    'b.rego': 'package b\n\np if input.x\n',
    'a_test.rego': 'package a_test\n\ntest_a if {\n\tdata.a.p with input.x as true\n\tdata.b.p with input.x as true\n}\n',
  };
  expect(await tested(given, '--file-threshold', '80', '-v')).toMatchObject({
    exit: 2,
    stderr: 'Code coverage threshold not met in a.rego: got 50.00 instead of 80.00\n\ta.rego:5\n',
  });
  expect((await tested(given, '--file-threshold', '50')).exit).toBe(0);
  expect((await tested(given, '--file-threshold', '101')).exit).toBe(1);
});
