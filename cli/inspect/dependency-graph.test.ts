/** `deps -f dot|mermaid`: which rules read which documents. */
import { describe, expect, test } from 'vitest';
import { runCommand, withFiles } from '../../test/harness/command.js';

const files = {
  'a.rego': `package app.a

allow if {
  data.lib.is_admin(input.user)
  not denied
}

denied if input.user.name in data.blocked

denied if input.user["a\\"b <c>"]
`,
  'lib.rego': 'package lib\n\nis_admin(user) if "admin" in data.roles[user.name]\n',
};

async function deps(...args: string[]) {
  return await withFiles(files, (directory) => runCommand('deps', '-d', directory, ...args));
}

async function lines(...args: string[]): Promise<string[]> {
  return (await deps(...args)).stdout.split('\n').map((line) => line.trim());
}

describe('dot', () => {
  test('without a query: all rules and what they read, in the order of names', async () => {
    const { stdout, exit } = await deps('-f', 'dot');
    expect(exit).toBe(0);
    expect(stdout).toBe(`digraph dependencies {
  rankdir=LR;
  node [fontname="monospace"];
  "data.app.a.allow" [shape=box];
  "data.app.a.denied" [shape=box];
  "data.blocked" [shape=cylinder];
  "data.lib.is_admin" [shape=box];
  "data.roles" [shape=cylinder];
  "input.user" [shape=box, style=rounded];
  "input.user.name" [shape=box, style=rounded];
  "input.user[\\"a\\\\\\"b <c>\\"]" [shape=box, style=rounded];
  "data.app.a.allow" -> "data.app.a.denied";
  "data.app.a.allow" -> "data.lib.is_admin";
  "data.app.a.allow" -> "input.user";
  "data.app.a.denied" -> "data.blocked";
  "data.app.a.denied" -> "input.user.name";
  "data.app.a.denied" -> "input.user[\\"a\\\\\\"b <c>\\"]";
  "data.lib.is_admin" -> "data.roles";
}
`);
  });

  test('packages', async () => {
    expect(await lines('-f', 'dot', '--packages')).toEqual([
      'digraph dependencies {',
      'rankdir=LR;',
      'node [fontname="monospace"];',
      '"data.app.a" [shape=folder];',
      '"data.blocked" [shape=cylinder];',
      '"data.lib" [shape=folder];',
      '"data.roles" [shape=cylinder];',
      '"input" [shape=box, style=rounded];',
      '"data.app.a" -> "data.blocked";',
      '"data.app.a" -> "data.lib";',
      '"data.app.a" -> "input";',
      '"data.lib" -> "data.roles";',
      '}',
      '',
    ]);
  });

  test('of a rule: what it reads, directly or not', async () => {
    const found = await lines('-f', 'dot', 'data.lib.is_admin');
    expect(found.filter((line) => line.includes('->'))).toEqual(['"data.lib.is_admin" -> "data.roles";']);
  });

  test('of more than a path: the query has a node', async () => {
    const found = await lines('-f', 'dot', 'data.app.a.denied; input.x == 1');
    expect(found).toContain('"data.app.a.denied; input.x == 1" [shape=box, style=bold];');
    expect(found).toContain('"data.app.a.denied; input.x == 1" -> "input.x";');
  });
});

describe('mermaid', () => {
  test('names that the language or HTML would read are escaped', async () => {
    const found = await lines('-f', 'mermaid', 'data.app.a.denied');
    expect(found).toEqual([
      'flowchart LR',
      'n0["data.app.a.denied"]',
      'n1[("data.blocked")]',
      'n2(["input.user.name"])',
      'n3(["input.user[#34;a#92;#34;b #60;c#62;#34;]"])',
      'n0 --> n1',
      'n0 --> n2',
      'n0 --> n3',
      '',
    ]);
  });
});

test.each([
  ['data.app.a.alow', 'hint: data.app.a has no "alow": did you mean "allow"?\n'],
  ['data.libs.is_admin', 'hint: data has no "libs": did you mean "lib"?\n'],
  ['x := data.app.a.alow; x', 'hint: data.app.a has no "alow": did you mean "allow"?\n'],
  ['data.documents', ''],
  ['input.usr', ''],
])('a misspelt path has a hint: %s', async (query, hint) => {
  const { stderr, exit } = await deps(query);
  expect([exit, stderr]).toEqual([0, hint]);
});

test.each([
  [['-f', 'json', '--packages', 'data'], '--packages goes with --format dot or mermaid'],
  [[], 'specify exactly one query argument'],
  [['data.a', 'data.b'], 'specify exactly one query argument'],
])('wrong flags: %j', async (args, message) => {
  const { stderr, exit } = await deps(...args);
  expect([exit, stderr]).toEqual([1, expect.stringContaining(message)]);
});
