import { describe, expect, test } from 'vitest';
import { compileModules } from '../../compiler/pipeline.js';
import { recompile } from '../../compiler/recompile.js';
import { parseModule } from '../../compiler/syntax/parse.js';
import { builtins } from '../../runtime/builtins/registry.js';
import { Programs } from './programs.js';

const texts = {
  'lib.rego': 'package lib\nlevel(x) := x + 1',
  'a.rego': 'package app.a\nimport data.lib\nallow if lib.level(input.n) > 2\nall := data.app.parts',
  'b.rego': 'package app.parts.b\np := 1',
  'c.rego': 'package other\nq := data.app.later',
};
const options = { builtins, language: 'v1' } as const;
const parsed = (name: string, text: string) => [name, parseModule(name, text)] as const;

/** The programs at some paths before and after a module is written. */
async function around(name: string, text: string | undefined, paths: readonly string[]): Promise<readonly boolean[]> {
  const before = compileModules({ modules: new Map(Object.entries(texts).map(([key, value]) => parsed(key, value))) });
  const first = new Programs(before, options);
  const targets = async (programs: Programs) =>
    await Promise.all(paths.map(async (path) => (await programs.forPath(path.split('/')))?.target));
  const made = await targets(first);
  const after = recompile(before, new Map([text === undefined ? [name, undefined] : parsed(name, text)]));
  expect(after.diagnostics).toEqual([]);
  const next = await targets(new Programs(after, options, first));
  // Readers of the previous version get its programs.
  expect((await targets(first)).map((target) => target !== undefined)).toEqual(made.map((target) => target !== undefined));
  return next.map((target, i) => target === made[i]);
}

describe('a write makes programs anew', () => {
  test.each<[string, string, string | undefined, readonly boolean[]]>([
    ['of what calls a function that changed', 'lib.rego', 'package lib\nlevel(x) := x + 2', [false, true, true]],
    ['of a package that has one rule more', 'd.rego', 'package app.parts.d\np := 1', [true, false, true]],
    ['of what read a path at which there were no rules', 'd.rego', 'package app\nlater := 1', [true, true, false]],
    ['and no others', 'd.rego', 'package unrelated\np := 1', [true, true, true]],
    ['of a package that lost its rules', 'b.rego', undefined, [true, false, true]],
  ])('%s', async (_title, name, text, expected) => {
    expect(await around(name, text, ['app/a/allow', 'app/a/all', 'other/q'])).toEqual(expected);
  });
});
