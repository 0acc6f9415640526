import { expect, test } from 'vitest';
import { runAtTerminal, runCommand, runWith, withFiles } from '../../test/harness/command.js';

const policy = `package docs

default allow := false

allow if {
	input.user.role == "admin"
}

allow if {
	input.user.name == owner
	input.action in {"read", "write"}
}

owner := "ann"

roles(user) := json.unmarshal(json.marshal(user))
`;

/** The report without durations and directories. */
async function reported(tests: string, ...flags: string[]): Promise<string> {
  return await reportedBy(runCommand, tests, ...flags);
}

async function reportedBy(run: typeof runCommand, tests: string, ...flags: string[]): Promise<string> {
  return await withFiles({ 'docs.rego': policy, 'docs_test.rego': `package docs_test\n\n${tests}\n` }, async (dir) => {
    const { stdout } = await run('test', '--why', ...flags, dir);
    return stdout.replaceAll(`${dir}/`, '').replace(/ \([\d.]+\S+\)/g, '');
  });
}

test.each<readonly [string, string, readonly string[]]>([
  [
    'the rules of a decision under another input',
    'test_a if {\n\tdata.docs.allow with input as {"user": {"name": "ann"}, "action": "delete"}\n}',
    [
      '  4 |     data.docs.allow with input as {"user": {"name": "ann"}, "action": "delete"}',
      `    |     ${'^'.repeat(75)} data.docs.allow is false`,
      '      with input as {"action": "delete", "user": {"name": "ann"}}',
      '      data.docs.allow is false by default (docs.rego:3): none of its 2 rules holds',
      '      ✗ allow  docs.rego:9',
      '        11 |     input.action in {"read", "write"}',
      `           |     ${'^'.repeat(33)} "delete" in {"read", "write"} is false`,
      '             input.action = "delete"',
      '      ✗ allow  docs.rego:5',
      '        6 |     input.user.role == "admin"',
      '          |     ^^^^^^^^^^^^^^^ input.user has no "role": it has "name"',
    ],
  ],
  [
    'a rule that holds under not',
    'test_a if {\n\tnot data.docs.allow with input.user.role as "admin"\n}',
    ['  4 |     not data.docs.allow with input.user.role as "admin"', '      data.docs.allow is true: the rule at docs.rego:5 holds'],
  ],
  [
    'two values, and where they differ',
    'test_a if {\n\tgot := data.docs.roles({"a": [1, 2, {"c": 4}], "d": "the same long text", "e": "left"})\n\tgot == {"a": [1, 2, {"c": 5}, 6], "d": "the same long text", "f": "right"}\n}',
    ['      ~ .a[2].c: 4, not 5', '      + .a[3]: 6', '      - .e: "left"', '      + .f: "right"'],
  ],
  [
    'sets, and what each lacks',
    'test_a if {\n\tgot := {x | some x in ["a longer text", "another text", "one more text"]}\n\tgot == {"a longer text", "another one here", "one more text"}\n}',
    ['      - "another text"', '      + "another one here"'],
  ],
  [
    'an element of every',
    'test_a if every x in [1, 2] { x < 2 }',
    ['                 every x in [1, 2] { x < 2 }'.trimStart(), '2 < 2 is false', 'x = 2'],
  ],
  [
    'cases that fail',
    'test_a[note] if {\n\tsome note, n in {"x": 1, "y": 2}\n\tn < 2\n}',
    ['  y: FAIL', '  data.docs_test.test_a.y', '  5 |     n < 2', '2 < 2 is false'],
  ],
  [
    'an empty set under not',
    'test_a if not some_denials\n\nsome_denials contains x if {\n\tsome x in input.xs\n}',
    ['some_denials is an empty set, which is defined and not false: ask `count(some_denials) == 0`'],
  ],
  [
    'an empty object under not',
    'test_a if {\n\tx := {}\n\tnot x\n}',
    ['x is an empty object, which is defined and not false: ask `count(x) == 0`'],
  ],
  ['a package that is misspelt', 'test_a if data.doc.allow', ['data has no "doc": did you mean "docs"?']],
  [
    'a package that is like no other, by an import',
    'import data.rules\n\ntest_a if rules.allow',
    ['data has no "rules": it has "docs", "docs_test"'],
  ],
  [
    'a value that is not true',
    'test_a := 1 == 2',
    ['  data.docs_test.test_a is false: the rule at docs_test.rego:3 holds', '1 == 2 = false'],
  ],
  [
    'a text of several lines, and the line that differs',
    'test_a if {\n\tconcat("\\n", ["a first line of text", "a second line"]) == "a first line of text\\na second lime"\n}',
    ['      ~ line 2, character 12: "a second line", not "a second lime"'],
  ],
  [
    'lines that a text lacks',
    'test_a if {\n\tconcat("\\n", ["a first line of text", "a second line", "a third one"]) == "a first line of text\\na third one"\n}',
    ['      - line 2: "a second line"'],
  ],
  [
    'the parenthesis before an operator',
    'test_a if (count(["a", "b"]) + 3) % 2 == 0',
    ['  3 | test_a if (count(["a", "b"]) + 3) % 2 == 0', '    |           ^^', ' (count(["a", "b"]) + 3) % 2 is 1, not 0'],
  ],
  ['a name that is like a rule', 'test_a if data.docs.alow with input as {}', ['data.docs has no "alow": did you mean "allow"?']],
  [
    'another input for each candidate',
    'test_a if {\n\tsome who in ["bob", "eve"]\n\tdata.docs.allow with input as {"user": {"name": who}}\n}',
    [
      '      data.docs.allow is false',
      '        with input as {"user": {"name": "bob"}}',
      '        with input as {"user": {"name": "eve"}}',
      '      the first of them:',
    ],
  ],
])('a failed test shows %s', async (_title, tests, lines) => {
  const text = await reported(tests);
  expect(text).toContain('data.docs_test.test_a: FAIL\n');
  for (const line of lines) expect(text).toContain(line);
});

test.each([
  ['a collection of variables', 'test_a if {\n\tx := 1\n\tdata.docs.allow with input as {"points": x}\n}', /^\s+\{"points": x\}\s+=/m],
  ['a set of variables', 'test_a if {\n\tx := 1\n\t{x, 2} == {3, 4, count([x])}\n}', /^\s+\{x, 2\}\s+=/m],
  ['a rule that is explained', 'test_a if data.docs.owner == "bob"', /data\.docs\.owner = "ann"/],
  ['a rule in a call', 'test_a if count(data.docs.owner) == 2', /data\.docs\.owner = "ann"/],
  ['a rule under not', 'test_a if not data.docs.owner', /data\.docs\.owner = "ann"/],
  ['the value of a rule without a body', 'test_a if data.docs.owner == "bob"', /✓ owner/],
  ['what is assigned', 'f(x) := z if z := count([x, x])\n\ntest_a if f(1) == 3', /count\(\[x, x\]\) = 2/],
  ['a modifier', 'test_a if not data.docs.owner with input as {"a": 1}', /with input as .* holds/],
])('a failed test does not repeat %s', async (_title, tests, repeated) => {
  const text = await reported(tests);
  expect(text).toContain('data.docs_test.test_a: FAIL\n');
  expect(text).not.toMatch(repeated);
});

test.each([
  [
    'operands of calls',
    'test_a if {\n\tx := {"a": [1]}\n\tcount(x.a) + count([y | some y in x.a]) == 3\n}',
    'Fail count(x.a) + count([y | some y in x.a]) = 3',
  ],
  [
    'values of modifiers',
    'test_a if {\n\tx := {"a": 1}\n\tdata.docs.allow with input as {"a": x.a}\n}',
    'Fail data.docs.allow with input as {"a": x.a}',
  ],
  ['results of functions', 'f(x) := x\n\ntest_a if {\n\tx := {"a": 1}\n\tf(x.a) == 2\n}', 'Fail f(x.a) = 2'],
  [
    'bodies',
    'test_a if {\n\tx := {"a": 1}\n\tevery y in [1, 2] { y + x.a == 2 }\n}',
    'Fail every y in [1, 2] { plus(y, x.a); y + x.a = 2 }',
  ],
  ['keys', 'test_a if {\n\tsome y in data.docs.nothing\n\ty\n}\n\ntest_b if every x in [{"a": 2}] { some y in x; y == 1 }', 'y = x[_]'],
])('at a terminal a trace of -v has the text of %s, and no generated name', async (_title, tests, line) => {
  const text = await reportedBy(runAtTerminal, tests, '--why=off', '-v');
  expect(text).toContain(line);
  expect(text).not.toMatch(/__local|\$term|\$0/);
  const values = await reportedBy(runAtTerminal, tests, '--why=off', '--var-values', '-v');
  expect(values).not.toMatch(/__local|\$term|\$0/);
});

test('results of tests that run in threads are explained, too', async () => {
  const tests = Array.from({ length: 8 }, (_, i) => `test_${i} if ${i} > 3`).join('\n');
  const text = await reported(tests, '--parallel', '2');
  expect(text.match(/ > 3 is false/g)).toHaveLength(4);
  expect(text).toContain('PASS: 4/8\nFAIL: 4/8\n');
});

const failing = { 'a_test.rego': 'package a_test\n\ntest_a if 1 > 2\n\ntest_b if 1 < 2\n' };

test('the report of the reference has no explanations', () =>
  withFiles(failing, async (dir) => {
    for (const flags of [[], ['--why=off'], ['-v'], ['-f', 'json']]) {
      expect((await runCommand('test', ...flags, dir)).stdout).not.toContain('1 > 2 is false');
    }
  }));

test('at a terminal it has, unless something else is asked for', () =>
  withFiles(failing, async (dir) => {
    const shown = async (...flags: string[]) => (await runAtTerminal('test', ...flags, dir)).stdout.includes('1 > 2 is false');
    expect(await shown()).toBe(true);
    for (const flags of [['--why=off'], ['-v'], ['--explain', 'fails'], ['--var-values'], ['-f', 'json']])
      expect(await shown(...flags)).toBe(false);
    expect(await shown('-v', '--why')).toBe(true);
  }));

test('at a terminal outcomes have colours', () =>
  withFiles(failing, async (dir) => {
    const { stdout } = await runWith({ color: true, isTerminal: () => true }, ['test', '-v', dir]);
    expect(stdout).toMatch(/\u001b\[31mdata\.a_test\.test_a: FAIL/);
    expect(stdout).toMatch(/\u001b\[32mdata\.a_test\.test_b: PASS/);
    expect((await runWith({}, ['test', '-v', dir])).stdout).not.toContain('\u001b');
  }));

test.each([
  ['test', {}, [], 'there are no policies here: no file ends in .rego'],
  ['test', failing, ['--run', 'zzz'], 'there is no test: no rule whose name matches --run zzz in 1 file'],
  ['test', { 'a.rego': 'package a\n\nallow := true\n' }, [], 'there is no test: no rule whose name begins with test_ in 1 file'],
  ['check', { 'a.json': '{}' }, [], 'there are no policies here: no file ends in .rego'],
] as const)('at a terminal %s says that there is nothing to do', (command, files, flags, hint) =>
  withFiles(files, async (dir) => {
    expect(await runAtTerminal(command, ...flags, dir)).toMatchObject({ exit: 0, stderr: `hint: ${hint}\n` });
    expect((await runCommand(command, ...flags, dir)).stderr).toBe('');
  }),
);

test('--var-values names the rule that a test with cases compares', async () => {
  const text = await reported(
    'level := "mid"\n\ntest_levels[name] if {\n\tsome name, tc in {"a": {"want": "high"}}\n\tlevel == tc.want with input as {}\n}',
    '--why=off',
    '--var-values',
    '-v',
  );
  expect(text).toContain('data.docs_test.level: "mid", tc: {"want": "high"}}');
  expect(text).toContain('\tlevel == tc.want with input as {}\n    \t|        |\n    \t|        {"want": "high"}\n    \t"mid"\n');
});
