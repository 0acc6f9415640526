import { expect, test } from 'vitest';
import { runCommand, withFiles } from '../../../test/harness/command.js';
import { expectExplanation } from '../../../test/harness/why/explanation-schema.js';

const files = {
  'a,b:c_test.rego': `package a_test

test_ok if 1 < 2

test_fails if {
	x := "50%"
	x == "60%"
}

todo_test_later if false

test_cases[note] if {
	some note, n in {"x": 1, "y": 2}
	n < 2
}

test_error if 1 / 0 == 1
`,
};

async function report(format: string): Promise<string> {
  return await withFiles(files, async (dir) => {
    const { stdout, exit } = await runCommand('test', '-f', format, dir);
    expect(exit).toBe(2);
    return stdout
      .replaceAll(`${dir}/`, '')
      .replace(/\([\d.]+\S+\)/g, '(1ms)')
      .replace(/duration_ms: [\d.]+/g, 'duration_ms: 1');
  });
}

test('workflow commands mark the lines of tests that fail', async () => {
  const lines = (await report('github')).split('\n');
  const at = (row: number, name: string) => `file=a%2Cb%3Ac_test.rego,line=${row},title=data.a_test.${name}`;
  expect(lines).toEqual([
    `::error ${at(5, 'test_fails')}::data.a_test.test_fails: FAIL (1ms)%0A7 |     x == "60%25"%0A  |     ^^^^^^^^^^ x is "50%25", not "60%25"`,
    `::notice ${at(10, 'todo_test_later')}::data.a_test.todo_test_later: SKIPPED`,
    expect.stringMatching(/^::error .*test_cases::data\.a_test\.test_cases: FAIL \(1ms\)%0A14 \| {5}n < 2%0A.* 2 < 2 is false/),
    expect.stringMatching(/^::error .*test_error::data\.a_test\.test_error: FAIL/),
    'PASS: 2/6',
    'FAIL: 3/6',
    'SKIPPED: 1/6',
    expect.stringMatching(/^::warning file=a%2Cb%3Ac_test\.rego,line=7,col=2,title=impossible-condition::/),
    '',
  ]);
});

test('TAP has a point for each test, and says why one failed', async () => {
  const text = await report('tap');
  expect(text.split('\n').slice(0, 14)).toEqual([
    'TAP version 14',
    '1..5',
    'ok 1 - data.a_test.test_ok',
    'not ok 2 - data.a_test.test_fails',
    '  ---',
    '  at: "a,b:c_test.rego:5:1"',
    '  severity: fail',
    '  duration_ms: 1',
    '  message: |2-',
    '    7 |     x == "60%"',
    '      |     ^^^^^^^^^^ x is "50%", not "60%"',
    '  ...',
    'ok 3 - data.a_test.todo_test_later # SKIP todo',
    'not ok 4 - data.a_test.test_cases',
  ]);
});

test('JSON has the explanations of tests that failed, where they are asked for', async () => {
  await withFiles(files, async (dir) => {
    const asked = JSON.parse((await runCommand('test', '-f', 'json', '--why', dir)).stdout) as Record<string, unknown>[];
    const plain = JSON.parse((await runCommand('test', '-f', 'json', dir)).stdout) as Record<string, unknown>[];
    expect(plain.some((result) => 'explanations' in result)).toBe(false);
    expect(asked.filter((result) => 'explanations' in result).map(({ name }) => name)).toEqual(['test_fails', 'test_cases', 'test_error']);
    const all = asked.flatMap(({ explanations }) => (explanations ?? []) as object[]);
    for (const one of all) expectExplanation(one);
    expect(JSON.stringify(all)).toContain('60%');
  });
});

test('JUnit says why a test, and each of its cases, failed', async () => {
  const lines = await report('junit');
  expect(lines).toContain(
    '<failure message="a,b:c_test.rego:5: test_fails failed">7 |     x == &quot;60%&quot;\n  |     ^^^^^^^^^^ x is &quot;50%&quot;, not &quot;60%&quot;</failure>',
  );
  expect(lines).toMatch(/name="test_cases\[y\]"[^>]*>\n *<failure [^>]*>14 \| {5}n &lt; 2\n.* 2 &lt; 2 is false\n {5}n = 2<\/failure>/);
});
