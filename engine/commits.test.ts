/** Random commits, many of which fail: a failed one must leave the former version. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DataOperation } from '../runtime/store/store.js';
import { randomCases } from '../test/harness/set-up/random-cases.js';
import { toJson } from '../values/json/json.js';
import type { PlainObject, Value } from '../values/value.js';
import { type Bundle, emptyBundle, type ModuleFile } from './bundle/bundle.js';
import { emptyManifest } from './bundle/manifest.js';
import type { Change } from './change.js';
import { Engine } from './engine.js';

const roots = ['a', 'b', 'c/d', 'big'];

/** Documents of some keys, large enough for a copy to be noticed. */
const wide = (n: number): PlainObject => Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`k${i}`, { n: n + i }]));

const modules = fc.constantFrom(
  'package a\n\nx := data.big.k1.n\n\ny := count(data.big)\n',
  'package a\n\nx := data.b.y\n',
  'package b\n\ny := data.a.x\n',
  'package b\n\ny := object.keys(data.c)\n',
  'package c.d\n\nz := 1\n',
  'package c\n\nd := 1\n',
  'package c\n\nd := { nonsense',
  'package c\n\nd := unknown\n',
);

const path = fc.oneof(
  fc.constantFrom([], ['a'], ['a', 'x'], ['b'], ['c', 'd'], ['c', 'd', 'z'], ['list'], ['list', '0'], ['list', '-'], ['list', '1', 'n']),
  fc.integer({ min: 0, max: 45 }).map((i) => ['big', `k${i}`]),
  fc.integer({ min: 0, max: 45 }).map((i) => ['big', `k${i}`, 'n']),
);
const value: fc.Arbitrary<Value> = fc.oneof(
  fc.integer(),
  fc.integer().map(wide),
  fc.constant([{ n: 1 }, { n: 2 }] as Value),
  fc.constant({ x: 1, y: { z: 2 } } as Value),
);
const operation: fc.Arbitrary<DataOperation> = fc.oneof(
  fc.record({ op: fc.constantFrom('add', 'replace', 'write'), path, value, transferred: fc.boolean() }) as fc.Arbitrary<DataOperation>,
  fc.record({ op: fc.constant('remove'), path }) as fc.Arbitrary<DataOperation>,
);

const module_ = (text: string, i: number): ModuleFile => {
  const name = `/m${i}.rego`;
  return { path: name, url: name, bundlePath: name, text, bytes: new TextEncoder().encode(text) };
};
const bundle: fc.Arbitrary<Bundle> = fc
  .record({ root: fc.constantFrom(...roots, ''), texts: fc.array(modules, { maxLength: 2 }), n: fc.integer() })
  .map(({ root, texts, n }) => ({
    ...emptyBundle,
    manifest: { ...emptyManifest, revision: String(n), roots: [root] },
    data: root === 'big' || root === '' ? { big: wide(n) } : {},
    modules: texts.map(module_),
  }));

const name = fc.constantFrom('one', 'two');
const change = fc.record({
  policies: fc.array(fc.tuple(name, fc.option(modules, { nil: undefined })), { maxLength: 2 }),
  data: fc.array(operation, { maxLength: 3 }),
  bundles: fc.array(fc.tuple(name, fc.option(bundle, { nil: undefined })), { maxLength: 1 }),
  bundlesTransferred: fc.boolean(),
  ignoreRoots: fc.boolean(),
});

type RandomChange = typeof change extends fc.Arbitrary<infer T> ? T : never;

/** A deep copy: transferred values may be mutated. */
function fresh({ policies, data, bundles, bundlesTransferred }: RandomChange): Change {
  return {
    policies: new Map(policies),
    data: data.map((one) => (one.op === 'remove' ? one : { ...one, value: structuredClone(one.value) })),
    ...(bundles.length > 0 && {
      bundles: new Map(bundles.map(([key, one]) => [key, one && { ...one, data: structuredClone(one.data) }])),
    }),
    bundlesTransferred,
  };
}

/** All that a reader can see. */
async function seen(engine: Engine): Promise<string> {
  const decisions = ['', 'a', 'b', 'c', 'big', 'list'].map(async (at) => {
    const segments = at.split('/').filter((segment) => segment !== '');
    // Rules of several policies may be in conflict.
    return await engine.decide(segments, undefined).then(({ value: found }) => (found === undefined ? 'undefined' : toJson(found)), String);
  });
  const policies = engine.policies().map(({ id, raw }) => [id, raw]);
  const system = engine.readData(['system']);
  return JSON.stringify([policies, engine.bundles(), system && toJson(system), toJson(engine.readData([])!), await Promise.all(decisions)]);
}

/** Documents that were given and not handed over. */
function kept({ data = [], bundles, bundlesTransferred }: Change): Value[] {
  const values = data.flatMap((one) => (one.op === 'remove' || one.transferred === true ? [] : [one.value]));
  const documents = bundlesTransferred === true ? [] : [...(bundles?.values() ?? [])].flatMap((one) => (one ? [one.data] : []));
  return [...values, ...documents];
}

test('a commit that fails leaves nothing behind, and none changes what was not handed over', async () => {
  let failures = 0;
  const cases = randomCases(60);
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 3, maxLength: 10 }), async (changes) => {
      const engine = new Engine();
      await engine.commit({ data: [{ op: 'write', path: ['big'], value: wide(0), transferred: true }] });
      const given: { readonly value: Value; readonly text: string }[] = [];
      for (const one of changes) {
        const before = await seen(engine);
        const next = fresh(one);
        for (const value of kept(next)) given.push({ value, text: JSON.stringify(value) });
        try {
          await engine.commit(next, { ignoreRoots: one.ignoreRoots });
        } catch (error) {
          failures++;
          expect((error as { code?: string }).code ?? (error as Error).name).not.toBe('TypeError');
          expect(await seen(engine)).toBe(before);
        }
        for (const { value, text } of given) expect(JSON.stringify(value)).toBe(text);
      }
    }),
    { numRuns: cases },
  );
  // Or nothing was tried.
  expect(failures).toBeGreaterThan(cases);
});
