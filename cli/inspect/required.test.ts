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
