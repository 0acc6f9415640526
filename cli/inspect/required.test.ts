import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand, withFiles } from '../../test/harness/command.js';

interface Capabilities {
  readonly builtins?: readonly { readonly name: string }[];
  readonly future_keywords?: readonly string[];
  readonly features?: readonly string[];
}

async function needed(module: string, ...flags: string[]): Promise<unknown> {
  return await withFiles({ 'a.rego': module }, async (directory) => {
    const { stdout } = await runCommand('inspect', '-f', 'json', ...flags, `${directory}/a.rego`);
    const { capabilities } = JSON.parse(stdout) as { capabilities: Capabilities };
    return [capabilities.builtins?.map(({ name }) => name), capabilities.future_keywords];
  });
}

test.each([
  ['of modifiers', 'p if data.q with time.now_ns as 1', ['time.now_ns'], undefined],
  ['of modifiers by values', 'f(x) := x\n\np if f(1) with f as abs', ['abs'], undefined],
  ['of operators', 'p if 1 in input.x', ['eq', 'internal.member_2'], undefined],
  [
    'of nested bodies',
    'p if every x in input { some y in {z | z := upper(x)}; startswith(y, "a") }',
    ['eq', 'startswith', 'upper'],
    undefined,
  ],
  ['of links', 'p := 1 if false\n\nelse := round(2.1)', ['round'], undefined],
  [
    'that the compiler replaces',
    'p if { input.x == 1; x := rego.metadata.rule(); print(x) }',
    ['eq', 'equal', 'internal.print', 'print', 'rego.metadata.rule'],
    undefined,
  ],
])('built-ins %s are needed', async (_title, rules, builtins, keywords) => {
  expect(await needed(`package a\n\n${rules}\n`)).toEqual([builtins, keywords]);
});

test.each([
  ['not', 'p if not { input.x }'],
  ['or', 'p if input.x or input.y'],
  ['and', 'p if input.x and input.y'],
])('the keyword %s of version 1 is needed where it is imported', async (name, rule) => {
  expect(await needed(`package a\n\nimport future.keywords.${name}\n\n${rule}\n`)).toEqual([undefined, [name]]);
});

test('keywords of version 0 are needed where they are imported', async () => {
  expect(await needed('package a\n\nimport future.keywords.in\n\np { 1 in input }\n', '--v0-compatible')).toEqual([
    ['eq', 'internal.member_2'],
    ['in'],
  ]);
});

/** The manifest of a path below a folder that has a bundle of one policy and its archive. */
async function manifestOf(path: string): Promise<unknown> {
  const files = { 'b/.manifest': '{"revision": "r1", "roots": ["p"]}', 'b/p.rego': 'package p\n\nx := 1\n' };
  return await withFiles(files, async (folder) => {
    const [bundle, archive] = [join(folder, 'b'), join(folder, 'b.tar.gz')];
    expect(await runCommand('build', '-b', bundle, '-o', archive)).toMatchObject({ exit: 0 });
    const { stdout } = await runCommand('inspect', '-f', 'json', join(folder, path));
    return (JSON.parse(stdout) as { manifest?: unknown }).manifest;
  });
}

test.each<[string, unknown]>([
  ['b', { revision: 'r1', roots: ['p'] }],
  ['b.tar.gz', { revision: 'r1', roots: ['p'], rego_version: 1 }],
  ['b/p.rego', undefined],
])('the manifest of %s is %j', async (path, manifest) => {
  expect(await manifestOf(path)).toEqual(manifest);
});

test.each([
  ['comparisons', 'p if { input.x == 1; q := {y | y := input.z[_]; y != 2}; not {1} == q } else := x == 3 if { x := input.y }'],
  ['prints', 'p if print("a", input.x)'],
  ['annotations', 'p := rego.metadata.chain() if rego.metadata.rule().title == "a"'],
  ['templates and loops', 'p := $"a {input.x}" if { every x in input.xs { x > 1 }; some y in input.xs; 0, y in input.xs }'],
  ['arithmetic', 'p := (1 + 2 - 3 * 4 / 5) % 6 if { {1} & {2} | {3} - {4}; -input.x <= 5 }'],
  ['a function of the same name', 'equal(x, y) := x if y\n\np if equal(1, 2)'],
])('a policy is valid under the capabilities that it is said to need: %s', async (_title, rules) => {
  await withFiles({ 'a.rego': `package a\n\n${rules}\n` }, async (directory) => {
    const policy = join(directory, 'a.rego');
    const { stdout } = await runCommand('inspect', '-f', 'json', policy);
    const { capabilities } = JSON.parse(stdout) as { capabilities: Capabilities };
    await withFiles({ 'c.json': JSON.stringify(capabilities) }, async (other) => {
      const checked = await runCommand('check', '--capabilities', join(other, 'c.json'), policy);
      expect(checked).toEqual({ exit: 0, stdout: '', stderr: '' });
    });
  });
});
