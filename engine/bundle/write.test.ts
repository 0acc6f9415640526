import { gunzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import type { Policy } from '../../ir-schema/plan.js';
import { archiveOf } from '../../test/harness/archives.js';
import { ExactNumber } from '../../values/numbers/number.js';
import { emptyManifest } from './manifest.js';
import { checkOverlap, mergeBundles } from './merge-bundles.js';
import { readArchive } from './read.js';
import { bundleFiles, writeBundle } from './write.js';

const files = {
  '/z/p.rego': 'package z\n',
  '/a/p.rego': 'package a\n',
  '/plan.json': '{"static":{},"plans":{"plans":[]},"funcs":{}}',
  '/data.json': '{"b":"<&>","a":12345678901234567890}',
  '/.manifest': '{"revision":"r","metadata":{"n":1.10}}',
  '/.signatures.json': '{"signatures":["x"]}',
};

test('a bundle reads back as it was', async () => {
  const bundle = await readArchive(await archiveOf(files));
  const again = await readArchive(await writeBundle(bundle));
  expect({ ...again, files: undefined, modules: undefined }).toEqual({ ...bundle, files: undefined, modules: undefined });
  expect(again.modules.map(({ path }) => path)).toEqual(['/a/p.rego', '/z/p.rego']);
});

test('the same bundle gives the same bytes, whatever order its files came in', async () => {
  const one = await writeBundle(await readArchive(await archiveOf(files)));
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1e9 });
  const other = await writeBundle(await readArchive(await archiveOf(Object.fromEntries(Object.entries(files).reverse()))));
  vi.useRealTimers();
  expect(Buffer.from(other).equals(Buffer.from(one))).toBe(true);
  expect([...one.subarray(0, 10)]).toEqual([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
  expect(gunzipSync(one).length % 512).toBe(0);
});

test('data and manifest are written as the reference writes them', async () => {
  const written = bundleFiles(await readArchive(await archiveOf(files)));
  const text = (name: string) => new TextDecoder().decode(written.get(name));
  expect(text('/data.json')).toBe('{"a":12345678901234567890,"b":"\\u003c\\u0026\\u003e"}\n');
  expect(text('/.manifest')).toBe('{"revision":"r","roots":[""],"metadata":{"n":1.10}}\n');
  expect(text('/.signatures.json')).toBe('{\n "signatures": [\n  "x"\n ]\n}');
});

test('a plan just compiled is written with its fields as they stand, and an empty manifest is not written', async () => {
  const plan = { path: '/plan.json', url: '', bundlePath: '/plan.json', policy: { static: { b: 1, a: undefined }, plans: [] } };
  const written = bundleFiles({
    manifest: emptyManifest,
    data: {},
    dataFiles: [],
    modules: [],
    plans: [plan],
    wasm: [],
    signatures: undefined,
    patch: undefined,
    files: new Map(),
  });
  expect([...written.keys()]).toEqual(['/plan.json', '/data.json']);
  expect(new TextDecoder().decode(written.get('/plan.json'))).toBe('{"static":{"b":1},"plans":[]}');
});

const named = async (name: string, given: Record<string, string>) => ({ name, bundle: await readArchive(await archiveOf(given)) });

test.each([
  ['a number that no double holds', new ExactNumber('12345678901234567890'), '12345678901234567890'],
  ['half of a surrogate pair', '\ud800', '"\ufffd"'],
  ['text that looks like one', '\\ud800', '"\\\\ud800"'],
])('a plan just compiled is written with %s in it', (_title, value, text) => {
  const policy = { static: { strings: [{ value }] } } as unknown as Policy;
  const bundle = { ...mergeBundles([]), plans: [{ path: '/plan.json', url: '/plan.json', bundlePath: '/plan.json', policy }] };
  const written = new TextDecoder().decode(bundleFiles(bundle).get('/plan.json'));
  expect(written).toBe(`{"static":{"strings":[{"value":${text}}]}}`);
});

test('bundles with roots of their own become one', async () => {
  const merged = mergeBundles([
    await named('one', {
      '.manifest': '{"roots":["a"],"revision":"1","rego_version":0}',
      'a/data.json': '{"x":1}',
      '/p.rego': 'package a',
    }),
    await named('two', { '.manifest': '{"roots":["b/c"]}', 'b/data.json': '{"c":{"y":2}}', '/q.rego': 'package b.c' }),
  ]);
  expect(merged.data).toEqual({ a: { x: 1 }, b: { c: { y: 2 } } });
  expect(merged.manifest).toEqual({ revision: '', roots: ['a', 'b/c'], wasm: [], fileRegoVersions: new Map([['/p.rego', 0]]) });
  expect(merged.modules.map(({ path }) => path)).toEqual(['/p.rego', '/q.rego']);
});

test.each([
  [['a'], ['a'], 'detected overlapping roots in manifests for these bundles: [one, two] (root a is in multiple bundles)'],
  [['b/c', 'd'], ['b'], 'detected overlapping roots in manifests for these bundles: [one, two] (b overlaps b/c)'],
  [
    [''],
    ['x'],
    "bundles [one, two] have overlapping roots and cannot be activated simultaneously because bundle(s) [one] specify empty root paths ('') which overlap with any other bundle root",
  ],
])('bundles with the roots %j and %j cannot stand together', async (a, b, message) => {
  const bundles = [
    await named('one', { '.manifest': JSON.stringify({ roots: a }) }),
    await named('two', { '.manifest': JSON.stringify({ roots: b }) }),
  ];
  expect(() => checkOverlap(bundles)).toThrow(message);
});
