/** `--var-values`: each event of a trace with the values of what it names. */
import { expect, test } from 'vitest';
import { runCommand } from '../../test/harness/command.js';
import { temporaryDirectory, writeFiles } from '../../test/harness/disk.js';

const policy = `package a

s := "mid" if input.x > 1

names contains n if some n in ["u", "v"]

f(x) := x + 1

hit if {
	y := f(input.x)
	data.a.s == "mid"
	some k, v in {"a": 1, "b": 2}
	v > 1
}
`;

async function traced(query: string): Promise<readonly string[]> {
  const folder = writeFiles(temporaryDirectory(), { 'a.rego': policy, 'i.json': '{"x": 10}' });
  const flags = ['--explain', 'full', '-f', 'pretty', '--var-values', '-d', `${folder}/a.rego`, '-i', `${folder}/i.json`];
  const { stdout } = await runCommand('eval', ...flags, query);
  return stdout.split('\n').map((line) =>
    line
      .replace(/^\S+:(\d+) +(\| )*/, '$1 ')
      .replace(/ +/g, ' ')
      .trim(),
  );
}

test.each([
  ['a solution of a query has the values of its variables and rules', 'data.a.s', '1 Exit data.a.s = _ {_: "mid", data.a.s: "mid"}'],
  ['an expression has those of its own variables', 'data.a.hit', '13 Eval gt(v, 1) {v: 1}'],
  ['a rule that was asked for has its value', 'data.a.hit', '11 Redo data.a.s = "mid" {data.a.s: "mid"}'],
  ['a rule that was not asked for has none', 'data.a.hit', '11 Eval data.a.s = "mid" {}'],
  ['a set has those of its members that were found', 'data.a.names.u', '1 Exit data.a.names.u = _ {_: "u", data.a.names.u: "u"}'],
  ['a rule has the variables of its head', 'data.a.names', '5 Exit data.a.names {n: "u"}'],
  [
    'a rule below modifiers has its value there',
    'y := data.a.s with input.x as 7; y == "mid"',
    '1 Redo y = data.a.s with input.x as 7 {data.a.s: "mid", y: "mid"}',
  ],
] as const)('%s', async (_title, query, line) => {
  expect((await traced(query)).join('\n')).toContain(line);
});
