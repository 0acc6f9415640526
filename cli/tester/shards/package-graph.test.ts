import { expect, test } from 'vitest';
import { PackageGraph } from './package-graph.js';
import { divide } from './shards.js';

function filesOf(...texts: readonly string[]) {
  return texts.map((text, i) => {
    const name = `${i}.rego`;
    const file = { path: name, url: name, bundlePath: name, text, bytes: new Uint8Array() };
    return { name, file, version: 'v1' as const };
  });
}

/** The packages on which the first one may depend. */
function closureOf(...texts: readonly string[]): readonly string[] {
  const graph = PackageGraph.of(filesOf(...texts))!;
  return [...graph.closure(graph.packages[0]!)].map(({ path }) => path.join('.')).sort();
}

const others = ['package b\n\nx := 1', 'package b.inner\n\ny := data.c.z', 'package c\n\nz := 1', 'package d\n\nf(x) := x'];

test.each([
  ['nothing', 'package a\n\np := input.b', ['a']],
  ['a rule of another package', 'package a\n\np := data.c.z', ['a', 'c']],
  ['a rule, which depends on another', 'package a\n\np := data.b.inner.y', ['a', 'b', 'b.inner', 'c']],
  ['a package with those below', 'package a\n\np := data.b', ['a', 'b', 'b.inner', 'c']],
  ['a function', 'package a\n\np := data.d.f(1)', ['a', 'd']],
  ['an import', 'package a\n\nimport data.c as other\n\np := other.z', ['a', 'c']],
  ['a replaced document', 'package a\n\np if input.x with data.c.z as 2', ['a', 'c']],
  ['a key in brackets', 'package a\n\np := data["c"].z', ['a', 'c']],
  ['a key with escapes', 'package a\n\np := data["\\u0063"].z', ['a', 'c']],
  ['a ref in a template', 'package a\n\np := $"{data.c.z} of {1}"', ['a', 'c']],
  ['nothing in texts and comments', 'package a # data\n\np := "data \\" data" # data\n\nq := `data` # "', ['a']],
  ['nothing in texts and comments of a line', 'package a # data\n\np := "data.c.z \\" data" # data.d', ['a']],
  ['refs before and after a text of a line', 'package a\n\np := [data.d.f(1), "data.b", data.c.z] # data.b\n', ['a', 'c', 'd']],
  ['nothing in fields', 'package a\n\np := input.data.c\n\nq := metadata', ['a']],
  ['a ref after a text', 'package a\n\np := ["`", data.c.z, `"`, data.d.f(1)]', ['a', 'c', 'd']],
  ['a key that is not known', 'package a\n\np := data[input.x]', ['a', 'b', 'b.inner', 'c', 'd']],
  ['all documents', 'package a\n\np := [x | walk(data, [_, x])]', ['a', 'b', 'b.inner', 'c', 'd']],
  ['the packages above', 'package b.inner.most\n\np := 1', ['b', 'b.inner', 'b.inner.most', 'c']],
  ['an else', 'package a\n\np := 1 if false\n\nelse := data.c.z', ['a', 'c']],
  ['a body of a comprehension', 'package a\n\np := [1 | every x in [1] { data.c.z == x }]', ['a', 'c']],
])('a package may depend on %s', (_title, text, expected) => {
  expect(closureOf(text, ...others)).toEqual(expected);
});

test('files of one package stay together', () => {
  expect(closureOf('package a\n\np := 1', 'package a\n\nq := data.c.z', ...others)).toEqual(['a', 'c']);
});

test('shards hold all that their packages depend on, and each file runs its tests in one', () => {
  const files = filesOf(
    'package lib\n\nx := 1',
    ...['a', 'b', 'c', 'd'].map((name) => `package ${name}\n\np := data.lib.x # ${'-'.repeat(400)}`),
  );
  const { threads, shards } = divide(files, 2, 0)!;
  expect(threads).toBe(2);
  expect(shards.map((shard) => shard.files.length)).toEqual([2, 2, 2, 2]);
  expect(shards.every((shard) => shard.files[0] === files[0])).toBe(true);
  expect(shards.flatMap(({ own }) => [...own]).toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual(files);
});

test('each thread has one shard if more of them would have much in common', () => {
  const files = filesOf(
    `package lib\n\nx := 1 # ${'-'.repeat(100)}`,
    ...['a', 'b', 'c', 'd'].map((name) => `package ${name}\n\np := data.lib.x # ${'-'.repeat(100)}`),
  );
  expect(divide(files, 2, 0)!.shards.map((shard) => shard.files.length)).toEqual([3, 3]);
});

test('the longest shards are first, and the last ones are shorter', () => {
  const names = Array.from({ length: 200 }, (_, i) => `p${i}`);
  const { shards } = divide(filesOf(...names.map((name) => `package ${name}\n\np := 1`)), 2, 0)!;
  const lengths = shards.map((shard) => shard.files.length);
  expect(lengths).toEqual(lengths.toSorted((a, b) => b - a));
  expect(lengths[0]).toBeGreaterThan(2 * lengths.at(-1)!);
});

test('there are as many threads as have enough text', () => {
  const files = filesOf(...['a', 'b', 'c', 'd'].map((name) => `package ${name}\n\np := 1 # ${'-'.repeat(100)}`));
  expect(divide(files, 4, 100)?.threads).toBe(4);
  expect(divide(files, 4, 200)?.threads).toBe(2);
  expect(divide(files, 4, 300)).toBeUndefined();
});

test.each([
  ['they are short', ['package a\n\np := 1', 'package b\n\np := 1'], 2, undefined],
  ['the package of one is written in an unusual way', ['package a\n\np := 1', 'package\tb .c\n\np := 1'], 2, 0],
  ['there is one thread', ['package a\n\np := 1', 'package b\n\np := 1'], 1, 0],
  ['all depend on all', ['package a\n\np := data.b', 'package b\n\np := data.a'], 2, 0],
  ['one is much longer', ['package a\n\np := 1', `package b\n\n# ${'-'.repeat(1000)}\n\np := 1`], 2, 0],
])('files are not divided if %s', (_title, texts, count, least) => {
  expect(divide(filesOf(...texts), count, least)).toBeUndefined();
});
