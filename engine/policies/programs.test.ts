import { describe, expect, test } from 'vitest';
import { compileModules } from '../../compiler/pipeline.js';
import { recompile } from '../../compiler/recompile.js';
import { parseModule } from '../../compiler/syntax/parse.js';
import { Engine } from '../../library/index.js';
import { builtins } from '../../values/builtins/registry.js';
import { allAtOnce } from '../../values/steps.js';
import type { PathProgram } from './program-source.js';
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

describe('what the version before decided in generated code', () => {
  const allow = ['app', 'a', 'allow'];

  /** Programs of a version in which a path is decided often, and of one with other rules. */
  async function versions(often: readonly string[]): Promise<readonly [Programs, Programs]> {
    const before = compileModules({ modules: new Map(Object.entries(texts).map(([key, value]) => parsed(key, value))) });
    const first = new Programs(before, options);
    const { target } = (await first.forPath(often))!;
    allAtOnce(target.executable.heat!(target.plan, target.executable));
    const after = recompile(before, new Map([parsed('lib.rego', 'package lib\nlevel(x) := x + 2')]));
    return [first, new Programs(after, options, first)];
  }

  test('is planned ahead, and decided in generated code from the first decision', async () => {
    const [first, next] = await versions(allow);
    const known = first.forPath(allow) as PathProgram;
    await next.planAhead(Number.POSITIVE_INFINITY);
    // The version before goes on until the commit is done.
    expect(first.forPath(allow)).toEqual(known);
    const { target } = next.forPath(allow) as PathProgram;
    expect(target).not.toBe(known.target);
    expect(target.executable.isHot!(target.plan)).toBe(true);
    expect(next.forPath(allow)).toEqual({ target, rest: [] });
  });

  test('is planned when it is asked for, where there was no time', async () => {
    const [, next] = await versions(allow);
    await next.planAhead(0);
    expect(next.forPath(allow)).toBeInstanceOf(Promise);
  });

  test('alone is planned', async () => {
    const [first, next] = await versions(['app', 'a', 'all']);
    await first.forPath(allow);
    await next.planAhead(Number.POSITIVE_INFINITY);
    expect(next.forPath(allow)).toBeInstanceOf(Promise);
  });
});

describe('a path into a package that a rule with a variable is above', () => {
  const texts = {
    'a.rego': 'package a\n\nh[input.k] := 1\n',
    'b.rego': 'package a.h\n\nx[k] := v if some k, v in {"x": 1}\n\nx[k] := v if some k, v in {"x": 2}\n\ny if input.k\n\nz["8"] := 3\n',
  };
  test.each([
    ['a/h/y', '{"result":true}'],
    ['a/h/k', '{"result":1}'],
    ['a/h/none', '{}'],
    ['a/h/z', '{"result":{"8":3}}'],
    ['a/h/z/8', '{"result":3}'],
  ])('%s is decided without the other rules there', async (path, wanted) => {
    const engine = await Engine.open({ policies: texts });
    expect(engine.decideText(path, '{"k": "k"}')).toBe(wanted);
    const { result } = await engine.explain(path, { k: 'k' });
    if (!path.endsWith('8')) expect(JSON.stringify({ result })).toBe(wanted);
  });

  test('the rules in conflict are decided as before', async () => {
    const engine = await Engine.open({ policies: texts });
    for (const path of ['a/h/x', 'a/h', 'a']) expect(() => engine.decideText(path, '{"k": "k"}')).toThrow('eval_conflict_error');
  });
});
