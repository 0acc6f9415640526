/** A bundle owns its roots: nothing of others below them is left when it is active. */
import { describe, expect, test } from 'vitest';
import { compile } from '../../../compiler/compile.js';
import type { PlainObject, Value } from '../../../values/value.js';
import { type Bundle, emptyBundle } from '../../bundle/bundle.js';
import { emptyManifest } from '../../bundle/manifest.js';
import type { Change } from '../../change.js';
import { Engine } from '../../engine.js';

function bundle(roots: readonly string[], modules: Readonly<Record<string, string>> = {}, data: PlainObject = {}): Bundle {
  return {
    ...emptyBundle,
    manifest: { ...emptyManifest, roots },
    data,
    modules: Object.entries(modules).map(([name, text]) => {
      const path = `/${name}`;
      return { path, url: path, bundlePath: path, text, bytes: new TextEncoder().encode(text) };
    }),
  };
}

function planBundle(roots: readonly string[], policy: string, entrypoint: string): Bundle {
  const plan = JSON.parse(JSON.stringify(compile({ policies: { 'p.rego': policy }, entrypoints: [entrypoint] })));
  return { ...bundle(roots), plans: [{ path: '/plan.json', url: '/plan.json', bundlePath: '/plan.json', policy: plan }] };
}

const activate = (engine: Engine, bundles: Readonly<Record<string, Bundle | undefined>>) =>
  engine.commit({ bundles: new Map(Object.entries(bundles)) }, { ignoreRoots: true });
const policies = (texts: Readonly<Record<string, string | undefined>>): Change => ({ policies: new Map(Object.entries(texts)) });
const ids = (engine: Engine) => engine.policies().map(({ id }) => id);
const decide = async (engine: Engine, path: string, input?: Value) => (await engine.decide(path.split('/'), input)).value;

const owned = bundle(['app'], { 'app.rego': 'package app\n\ndefault allow := false\n\nallow if input.user == "root"\n' });

describe('at its activation, a bundle with the root app', () => {
  test.each([
    ['a rule that would allow', 'package app\n\nallow if input.user == "dev"'],
    ['a second default', 'package app\n\ndefault allow := true'],
    ['a rule with another value', 'package app\n\nallow := "local"'],
    ['a rule of another kind', 'package app\n\nallow contains "local"'],
    ['a policy of a package below', 'package app.sub.deep\n\nx := 1'],
    ['a policy of a package below, with a name that is no word', 'package app["a b/c"]\n\nx := 1'],
  ])('removes %s', async (_what, text) => {
    const engine = new Engine();
    await engine.commit(policies({ 'local.rego': text }));
    await activate(engine, { b: owned });
    expect(ids(engine)).toEqual(['b/app.rego']);
    expect(await decide(engine, 'app', { user: 'dev' })).toEqual({ allow: false });
  });

  test.each([
    ['of a package with a longer name', 'package apple\n\nok := 1', 'apple/ok'],
    ['of a package elsewhere', 'package other.app\n\nok := 1', 'other/app/ok'],
    ['of a package above, beside the root', 'package a\n\nok := 1', 'a/ok'],
  ])('leaves a policy %s', async (_what, text, path) => {
    const engine = new Engine();
    await engine.commit(policies({ 'local.rego': text }));
    await activate(engine, { b: owned });
    expect(ids(engine)).toEqual(['b/app.rego', 'local.rego']);
    expect(await decide(engine, path)).toBe(1);
  });

  test('leaves the policies that come with it in one change', async () => {
    const engine = new Engine();
    await engine.commit(policies({ 'a.rego': 'package app\n\nx := 1' }));
    await engine.commit({ bundles: new Map([['b', owned]]), ...policies({ 'b.rego': 'package app\n\ny := 2' }) }, { ignoreRoots: true });
    expect(await decide(engine, 'app')).toEqual({ allow: false, y: 2 });
  });

  test('changes nothing where it cannot be activated', async () => {
    const engine = new Engine();
    await engine.commit(policies({ 'local.rego': 'package app\n\nallow := "local"' }));
    await expect(activate(engine, { b: bundle(['app'], { 'a.rego': 'package app\n\nx := y' }) })).rejects.toThrow('unsafe');
    await activate(engine, { c: bundle(['app/deep']) });
    await expect(activate(engine, { b: owned })).rejects.toThrow('overlapping roots');
    expect(await decide(engine, 'app')).toEqual({ allow: 'local' });
  });
});

test('a policy of a package above a root stays, as in the reference', async () => {
  const engine = new Engine();
  await engine.commit(policies({ 'local.rego': 'package app\n\nok := 1' }));
  await activate(engine, { b: bundle(['app/sub'], { 'a.rego': 'package app.sub\n\nx := 2' }) });
  expect(await decide(engine, 'app')).toEqual({ ok: 1, sub: { x: 2 } });
});

test('without roots in its manifest a bundle removes all other policies', async () => {
  const engine = new Engine();
  await engine.commit(policies({ 'a.rego': 'package a\n\nx := 1', 'authz.rego': 'package system.authz\n\ndefault allow := false' }));
  await activate(engine, { b: bundle([''], { 'authz.rego': 'package system.authz\n\ndefault allow := true' }) });
  expect(ids(engine)).toEqual(['b/authz.rego']);
  expect(await decide(engine, 'system/authz/allow')).toBe(true);
});

test('a bundle without any root removes nothing', async () => {
  const engine = new Engine();
  await engine.commit(policies({ 'a.rego': 'package a\n\nx := 1' }));
  await activate(engine, { b: bundle([]) });
  expect(ids(engine)).toEqual(['a.rego']);
});

test('a root may be written as in a URL', async () => {
  const engine = new Engine();
  await engine.commit(policies({ 'a.rego': 'package app["x y"]\n\nz := 1' }));
  await activate(engine, { b: bundle(['app/x%20y'], { 'b.rego': 'package app["x y"]\n\nz := 2' }) });
  expect(await decide(engine, 'app')).toEqual({ 'x y': { z: 2 } });
  await expect(engine.commit(policies({ 'c.rego': 'package app["x y"]\n\nw := 3' }))).rejects.toThrow('is owned by bundle "b"');
});

describe('a later version', () => {
  test('whose roots grow removes the policies there, and one whose roots shrink leaves none behind', async () => {
    const engine = new Engine();
    await activate(engine, { b: owned });
    await engine.commit(policies({ 'lib.rego': 'package lib\n\nok if true' }));
    expect(await decide(engine, 'lib/ok')).toBe(true);
    await activate(engine, { b: bundle(['lib', 'app'], { 'lib.rego': 'package lib\n\ndefault ok := false' }, { app: { d: 1 } }) });
    expect(await decide(engine, 'lib/ok')).toBe(false);
    expect(await decide(engine, 'app')).toEqual({ d: 1 });
    await activate(engine, { b: bundle(['other']) });
    expect(ids(engine)).toEqual([]);
    expect(await decide(engine, 'app')).toBeUndefined();
  });

  test.each([['b'], ['a']])('may take a root over from another bundle in the same change, the new owner being %s', async (owner) => {
    const former = owner === 'a' ? 'b' : 'a';
    const engine = new Engine();
    await activate(engine, { [former]: bundle(['x', 'y'], { 'x.rego': 'package x\n\nrule := 1' }, { x: { d: 1 }, y: { d: 1 } }) });
    const taking = bundle(['x'], { 'x.rego': 'package x\n\nrule := 2' }, { x: { d: 2 } });
    const bundles = new Map([
      ['a', owner === 'a' ? taking : bundle(['y'], {}, { y: { d: 3 } })],
      ['b', owner === 'b' ? taking : bundle(['y'], {}, { y: { d: 3 } })],
    ]);
    await engine.commit({ bundles }, { ignoreRoots: true });
    expect(await decide(engine, 'x')).toEqual({ rule: 2, d: 2 });
    expect(await decide(engine, 'y')).toEqual({ d: 3 });
    await activate(engine, { a: undefined, b: undefined });
    expect([ids(engine), engine.bundles()]).toEqual([[], []]);
  });
});

describe('plans', () => {
  test('of a bundle own its roots as policies do', async () => {
    const engine = new Engine();
    await engine.commit(policies({ 'local.rego': 'package app\n\nallow if input.user == "dev"\n\nextra := 1' }));
    await activate(engine, { b: planBundle(['app'], 'package app\n\ndefault allow := false', 'app/allow') });
    expect(await decide(engine, 'app', { user: 'dev' })).toEqual({ allow: false });
    expect(ids(engine)).toEqual([]);
  });

  test('without roots answer nothing within the roots of a bundle', async () => {
    const engine = new Engine();
    const local = (entrypoint: string) => planBundle([], `package ${entrypoint.split('/')[0]}\n\nallow := "local"`, entrypoint);
    await activate(engine, { local: local('app/allow'), other: local('apple/allow') });
    expect(await decide(engine, 'app/allow')).toBe('local');
    await activate(engine, { b: owned });
    expect(await decide(engine, 'app/allow')).toBe(false);
    expect(await decide(engine, 'apple/allow')).toBe('local');
    await activate(engine, { b: planBundle(['app'], 'package app\n\nallow := "bundle"', 'app/allow') });
    expect(await decide(engine, 'app/allow')).toBe('bundle');
  });
});

describe('a change that skips roots', () => {
  const skip = { skipsRoots: true, ignoreRoots: true };

  test('writes the policies and documents that are no bundle’s', async () => {
    const engine = new Engine();
    await activate(engine, {
      b: bundle(['app', 'x/y'], { 'app.rego': 'package app\n\nr := "bundle"' }, { app: { d: 1 }, x: { y: { d: 1 } } }),
    });
    const change: Change = {
      policies: new Map([
        ['b/app.rego', 'package other\n\nr := "local"'],
        ['local.rego', 'package app\n\nr := "local"'],
        ['free.rego', 'package free\n\nr := "local"'],
      ]),
      data: [
        { op: 'write', path: ['app'], value: { d: 2 } },
        { op: 'write', path: ['x'], value: { y: { d: 2, e: 2 }, z: 2 } },
        { op: 'write', path: ['free'], value: { d: 2 } },
      ],
    };
    for (let n = 0; n < 2; n++) {
      await engine.commit(change, skip);
      expect(ids(engine)).toEqual(['b/app.rego', 'free.rego']);
      expect(await decide(engine, 'app')).toEqual({ r: 'bundle', d: 1 });
      expect(await decide(engine, 'x')).toEqual({ y: { d: 1 }, z: 2 });
      expect(await decide(engine, 'free')).toEqual({ r: 'local', d: 2 });
    }
    await engine.commit({ data: [{ op: 'write', path: ['x'], value: { w: 3 } }] }, skip);
    expect(await decide(engine, 'x')).toEqual({ y: { d: 1 }, w: 3 });
    await engine.commit({ data: [{ op: 'write', path: ['x'], value: 'no object' }] }, skip);
    await engine.commit(
      {
        data: [
          { op: 'remove', path: ['x'] },
          { op: 'remove', path: ['app'] },
        ],
      },
      skip,
    );
    expect(await decide(engine, 'x')).toEqual({ y: { d: 1 } });
    expect(await decide(engine, 'app')).toEqual({ r: 'bundle', d: 1 });
  });

  test('removes a policy whose package was moved into a root, and reports one with a fault', async () => {
    const engine = new Engine();
    await engine.commit(policies({ 'p.rego': 'package free\n\nr := 1' }));
    await activate(engine, { b: owned });
    await engine.commit(policies({ 'p.rego': 'package app\n\nr := 1' }), skip);
    expect(ids(engine)).toEqual(['b/app.rego']);
    await expect(engine.commit(policies({ 'p.rego': 'package app\n\nr :=' }), skip)).rejects.toThrow('rego_parse_error');
  });
});
