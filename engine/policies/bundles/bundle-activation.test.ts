/** Decisions while bundles are activated: each sees one revision. */
import { expect, test } from 'vitest';
import { nextTurn } from '../../../values/steps.js';
import type { PlainObject } from '../../../values/value.js';
import { type Bundle, emptyBundle, type ModuleFile } from '../../bundle/bundle.js';
import { emptyManifest } from '../../bundle/manifest.js';
import type { Change } from '../../change.js';
import { Engine } from '../../engine.js';

function moduleFile(name: string, text: string): ModuleFile {
  const path = `/${name}.rego`;
  return { path, url: path, bundlePath: path, text, bytes: new TextEncoder().encode(text) };
}

const roots = ['a'];
const rules = 300;

/** A bundle whose parts all tell its revision: documents, many modules, and a long one. */
function revision(n: number, last = ''): Bundle {
  const long = Array.from({ length: rules }, (_, i) => `r${i} := {"n": ${n}, "i": ${i}} if input.i == ${i}\n`);
  const modules = [
    moduleFile('p', `package a\n\nx := [data.a.d.n, data.a.d.rows[1].n, data.a.m7.v, data.a.long.v, data.a.long.r3.n, ${n}]\n`),
    ...Array.from({ length: 50 }, (_, i) => moduleFile(`m${i}`, `package a.m${i}\n\nv := ${n}\n`)),
    moduleFile('long', `package a.long\n\nv := ${n}\n\n${long.join('')}${last}`),
  ];
  return {
    ...emptyBundle,
    manifest: { ...emptyManifest, revision: `${n}`, roots },
    data: { a: { d: { n, rows: [{ n }, { n }] } } },
    modules,
  };
}

const activation = (bundle: Bundle): Change => ({ bundles: new Map([['b', bundle]]), bundlesTransferred: true });

/** The revision that a decision saw; several where it saw a mixture. */
async function seen(engine: Engine): Promise<readonly unknown[]> {
  const { value } = await engine.decide(['a', 'x'], { i: 3 });
  return [...new Set(value as number[])];
}

/** The revisions that decisions saw, one in each turn of the event loop, until a commit is over. */
async function seenDuring(engine: Engine, change: Change): Promise<readonly (readonly unknown[])[]> {
  let isOver = false;
  const commit = engine.commit(change, { ignoreRoots: true });
  void commit.finally(() => (isOver = true)).catch(() => undefined);
  const revisions: (readonly unknown[])[] = [];
  while (!isOver) {
    revisions.push(await seen(engine));
    await nextTurn();
  }
  await commit;
  return revisions;
}

test('decisions go on while a bundle is activated, and see the revision before or the new one', async () => {
  const engine = new Engine();
  await engine.commit(activation(revision(1)), { ignoreRoots: true });
  for (const n of [2, 3]) {
    const revisions = await seenDuring(engine, activation(revision(n)));
    expect(revisions.filter(([only]) => only === n - 1).length).toBeGreaterThan(5);
    expect(revisions.filter((all) => all.length > 1 || ![n - 1, n].includes(all[0] as number))).toEqual([]);
    expect(await seen(engine)).toEqual([n]);
  }
});

test.each([
  ['a faulty statement behind many others', 'w := { nonsense', /rego_parse_error/],
  ['an unsafe variable behind many rules', 'w := y', /rego_unsafe_var_error/],
])('decisions keep the last good revision after a bundle with %s', async (_what, last, message) => {
  const engine = new Engine();
  await engine.commit(activation(revision(1)), { ignoreRoots: true });
  await expect(seenDuring(engine, activation(revision(2, last)))).rejects.toThrow(message);
  expect(await seen(engine)).toEqual([1]);
  expect(engine.bundles()).toEqual([{ name: 'b', revision: '1', roots }]);
});

test('a delta of many operations is seen whole or not at all', async () => {
  const engine = new Engine();
  const keys = Array.from({ length: 5000 }, (_, i) => `k${i}`);
  const documents = (n: number): PlainObject => Object.fromEntries(keys.map((key) => [key, n]));
  const counting = moduleFile('p', 'package a\n\nx := [n | some n in {m | some m in data.a.d}]\n');
  await engine.commit(activation({ ...revision(1), modules: [counting], data: { a: { d: documents(1) } } }), { ignoreRoots: true });
  const patch = keys.map((key) => ({ op: 'replace', path: `/a/d/${key}`, value: 2 }));
  const delta = { ...emptyBundle, manifest: { ...emptyManifest, revision: '2', roots }, patch };
  const revisions = await seenDuring(engine, activation(delta));
  expect(revisions.filter((all) => !['1', '2'].includes(all.join()))).toEqual([]);
  expect(await seen(engine)).toEqual([2]);
});
