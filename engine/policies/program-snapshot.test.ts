import { describe, expect, test, vi } from 'vitest';
import { nodeHost } from '../../values/builtins/host/node.js';
import type { PlainObject, Value } from '../../values/value.js';
import type { Bundle } from '../bundle/bundle.js';
import { emptyManifest } from '../bundle/manifest.js';
import { Engine } from '../engine.js';
import { Metrics } from '../evaluation/metrics.js';
import { createContext } from '../shared-context.js';

/** Every compilation and every parsing of a policy, counted. */
const work = vi.hoisted(() => ({ compilations: 0, parsings: 0 }));

vi.mock(import('./compile-policies.js'), async (original) => {
  const real = await original();
  return {
    ...real,
    recompilePolicies: (...given: Parameters<typeof real.recompilePolicies>) => {
      work.compilations++;
      return real.recompilePolicies(...given);
    },
  };
});

vi.mock(import('../../compiler/syntax/parse.js'), async (original) => {
  const real = await original();
  return {
    ...real,
    parseModule: (...given: Parameters<typeof real.parseModule>) => {
      work.parsings++;
      return real.parseModule(...given);
    },
    parseModuleSteps: (...given: Parameters<typeof real.parseModuleSteps>) => {
      work.parsings++;
      return real.parseModuleSteps(...given);
    },
  };
});

const policy = `package a.b

allow if input.user in data.users

default level := 0

level := 2 if regex.match("^x", input.user)

names contains name if some name in data.users

by_name[name] := n if some n, name in data.users

sub.deep := {"sets": {1, 2}, "n": 12345678901234567890}

f(x) := x + 1

broken := 1 / input.zero
`;

function bundle(text: string, data: PlainObject = { users: ['x1', 'y'] }, revision = 'r'): Bundle {
  const file = { path: '/p.rego', url: '/p.rego', bundlePath: '/p.rego', text, bytes: new TextEncoder().encode(text) };
  return {
    manifest: { ...emptyManifest, revision, roots: ['a', 'users'] },
    data,
    dataFiles: [],
    modules: [file],
    plans: [],
    wasm: [],
    signatures: undefined,
    patch: undefined,
    files: new Map(),
  };
}

const paths = [
  'a/b',
  'a/b/allow',
  'a/b/level',
  'a/b/names',
  'a/b/names/y',
  'a/b/by_name',
  'a/b/by_name/y',
  'a/b/sub/deep/n',
  'a',
  '',
  'nosuch',
  'a/b/f',
];
const inputs: (Value | undefined)[] = [undefined, { user: 'x1' }, { user: 'z', zero: 1 }];

async function answers(engine: Engine): Promise<unknown[]> {
  const all: unknown[] = [];
  for (const path of paths) {
    for (const input of inputs) {
      const segments = path.split('/').filter((segment) => segment !== '');
      all.push(await engine.decide(segments, input).then(({ value }) => value ?? 'undefined', String));
    }
  }
  return all;
}

const newEngine = () => new Engine({ context: createContext({ host: nodeHost }) });

async function activated(
  text = policy,
  offer?: Uint8Array,
  more: { data?: PlainObject; before?: (engine: Engine) => Promise<unknown> } = {},
) {
  const engine = newEngine();
  await more.before?.(engine);
  if (offer !== undefined) await engine.snapshots!.offer(offer);
  const metrics = new Metrics();
  await engine.commit({ bundles: new Map([['main', bundle(text, more.data)]]) }, { ignoreRoots: true, metrics });
  const isCompiled = 'timer_rego_module_compile_ns' in metrics.toJson();
  const isParsed = 'timer_rego_module_parse_ns' in metrics.toJson();
  return { engine, isCompiled, isParsed };
}

async function packed(): Promise<Uint8Array> {
  const { engine, isCompiled } = await activated();
  expect(isCompiled).toBe(true);
  await answers(engine);
  return (await engine.snapshots!.pack())!;
}

describe('programs that were kept', () => {
  test('answer as compiled ones do, and nothing is parsed or compiled before', async () => {
    const { engine, isCompiled, isParsed } = await activated(policy, await packed());
    expect([isCompiled, isParsed]).toEqual([false, false]);
    expect(await answers(engine)).toEqual(await answers((await activated()).engine));
    expect(engine.isVirtual(['a', 'b', 'allow'])).toBe(true);
    expect(engine.isVirtual(['a', 'b'])).toBe(false);
    expect(engine.isVirtual(['users'])).toBe(false);
  });

  test('cause no work at a start, nor at a decision that was made before', async () => {
    const kept = await packed();
    const engine = newEngine();
    await engine.snapshots!.offer(kept);
    Object.assign(work, { compilations: 0, parsings: 0 });
    await engine.commit({ bundles: new Map([['main', bundle(policy)]]) }, { ignoreRoots: true });
    for (const path of ['a/b/allow', 'a/b/level', 'a/b/sub/deep/n', 'a/b', 'a', '', 'users', 'nosuch']) {
      for (const input of inputs) await engine.decide(path.split('/').filter(Boolean), input).catch(() => undefined);
    }
    await engine.commit({ data: [{ op: 'write', path: ['more'], value: 1 }] }, { ignoreRoots: true });
    expect(engine.policies()).toHaveLength(1);
    expect(work).toEqual({ compilations: 0, parsings: 0 });
    // A program that the snapshot does not have is compiled.
    await engine.query('x := data.a.b.f(1)', undefined, {}, (solutions) => solutions);
    expect(work).toEqual({ compilations: 1, parsings: 1 });
  });

  test('do for paths that nobody had asked for', async () => {
    const { engine } = await activated();
    const few = (await engine.snapshots!.pack())!;
    expect(await answers((await activated(policy, few)).engine)).toEqual(await answers(engine));
  });

  test('queries, policies and their writes find what they need', async () => {
    const { engine } = await activated(policy, await packed());
    expect(await engine.query('x := data.a.b.f(1)', undefined, {}, (solutions) => solutions)).toEqual([{ x: 2 }]);
    expect(engine.policies()[0]!.module.rules).toHaveLength(8);
    await engine.commit({ policies: new Map([['new', 'package c\n\nx := data.a.b.f(2)\n']]) });
    expect((await engine.decide(['c', 'x'], undefined)).value).toBe(3);
    expect((await engine.decide(['a', 'b', 'level'], { user: 'x' })).value).toBe(2);
  });

  test('are packed again with those that came later', async () => {
    const { engine } = await activated();
    await engine.decide(['a', 'b', 'level'], undefined);
    const first = (await engine.snapshots!.pack())!;
    expect(await engine.snapshots!.pack()).toBeUndefined();
    const { engine: second } = await activated(policy, first);
    await second.decide(['a', 'b', 'allow'], undefined);
    const both = (await second.snapshots!.pack())!;
    expect(both.length).toBeGreaterThan(first.length);
    expect((await activated(policy, both)).isCompiled).toBe(false);
  });

  test.each<[string, Parameters<typeof activated>[2], string]>([
    ['a policy that is another', {}, policy.replace('+ 1', '+ 2')],
    ['a policy beside it', { before: (engine) => engine.commit({ policies: new Map([['other', 'package other']]) }) }, policy],
  ])('are let be by %s', async (_title, more, text) => {
    const { engine, isCompiled } = await activated(text, await packed(), more);
    expect(isCompiled).toBe(true);
    expect(await engine.query('x := data.a.b.f(1)', undefined, {}, (solutions) => solutions)).toEqual([{ x: text === policy ? 2 : 3 }]);
  });

  test('see documents in the way of rules', async () => {
    const kept = await packed();
    const data = { users: [], a: { b: { allow: 1 } } };
    await expect(activated(policy, kept, { data })).rejects.toThrow('conflicting rule for data path a/b/allow found');
    const { engine } = await activated(policy, kept);
    const write = (path: string[]) => engine.commit({ data: [{ op: 'write', path, value: 1 }] }, { ignoreRoots: true });
    await expect(write(['a', 'b', 'allow'])).rejects.toThrow('conflicting rule for data path a/b/allow found');
    await write(['free']);
    await write(['a', 'c']);
    expect(engine.readData(['a', 'c'])).toBe(1);
  });

  test('of other kinds of bytes do no harm', async () => {
    for (const bytes of [new Uint8Array(), new TextEncoder().encode('rubbish'), new Uint8Array(1000).fill(0x91)]) {
      expect((await activated(policy, bytes)).isCompiled).toBe(true);
    }
  });
});
