import { expect, test } from 'vitest';
import { cleanPath, joinPath } from './bundle-paths.js';
import { pathGlob, shellGlob } from './glob.js';
import { emptyManifest, isEmptyManifest, manifestJson, regoVersionOf } from './manifest.js';
import { parseManifest } from './manifest-reader.js';
import { packagePathIn, packageText } from './package-path.js';
import { rootsOverlap } from './roots.js';

test('a manifest is written with its fields in order and without the empty ones', () => {
  const text =
    '{"revision":"r","roots":["a"],"wasm":[{"entrypoint":"a/b","module":"/policy.wasm"}],"rego_version":0,"file_rego_versions":{"/a.rego":1},"metadata":{"x":1.10}}';
  expect(manifestJson(parseManifest(text))).toBe(text);
  expect(manifestJson(parseManifest('{"metadata":{},"unknown":1}'))).toBe('{"revision":"","roots":[""]}');
  expect(isEmptyManifest(parseManifest('{}'))).toBe(true);
  expect(isEmptyManifest(parseManifest('null'))).toBe(true);
  expect(isEmptyManifest(parseManifest('{"roots":[]}'))).toBe(false);
});

test.each([
  ['{"file_rego_versions":{"/a/*.rego":0}}', '/a/b.rego', 0],
  ['{"file_rego_versions":{"/a/*.rego":0}}', '/c.rego', 1],
  ['{"rego_version":0}', '/c.rego', 0],
  ['{"rego_version":0,"file_rego_versions":{"/a.rego":1}}', '/a.rego', 1],
  ['{}', '/a.rego', 1],
])('under %s the version of %s is %i', (manifest, file, version) => {
  expect(regoVersionOf(parseManifest(manifest), file, 1)).toBe(version);
});

test('a version that does not exist is refused', () => {
  expect(() => regoVersionOf({ ...emptyManifest, regoVersion: 7 }, '/a.rego', 1)).toThrow(
    "unknown bundle rego-version 7 for file '/a.rego'",
  );
});

test.each([
  ['a', 'a/b', true],
  ['a', 'ab', false],
  ['', 'x', true],
  ['a/b', 'a/c', false],
])('roots %j and %j overlap: %s', (a, b, overlap) => {
  expect(rootsOverlap(a, b)).toBe(overlap);
});

test.each([
  ['*.rego', 'a.rego', true],
  ['*.rego', 'a/b.rego', false],
  ['.*', '.git', true],
  ['.*', 'git', false],
  ['a?c', 'abc', true],
  ['[a-c]x', 'bx', true],
  ['[^a-c]x', 'bx', false],
  ['a\\*', 'a*', true],
  ['a\\*', 'ab', false],
  ['*a*b', 'xaxxab', true],
  ['*a*b', 'xaxxa', false],
  ['', '', true],
])('the shell pattern %j takes %j: %s', (pattern, name, taken) => {
  expect(shellGlob(pattern)(name)).toBe(taken);
});

test.each([
  ['/a/*.rego', '/a/b/c.rego', true],
  ['/{a,b}/{c,d}.rego', '/b/d.rego', true],
  ['/{a,b}.rego', '/c.rego', false],
  ['/[!a].rego', '/b.rego', true],
  ['{a,{b,c}d}', 'cd', true],
])('the path pattern %j takes %j: %s', (pattern, path, taken) => {
  expect(pathGlob(pattern)(path)).toBe(taken);
});

test('a bad pattern says why, and a costly one stays cheap', () => {
  expect(() => shellGlob('[a')).toThrow('bad pattern "[a": a class is not closed');
  expect(() => shellGlob('a\\')).toThrow('backslash');
  expect(() => pathGlob('{a')).toThrow('a { is not closed');
  expect(() => pathGlob('{a,b}'.repeat(12))).toThrow('too many alternatives');
  expect(shellGlob(`${'*a'.repeat(40)}b`)('a'.repeat(20_000))).toBe(false);
});

test.each([
  ['package a', ['a'], 'package a'],
  ['# c\n\n# d\npackage a.b\n\nimport x', ['a', 'b'], 'package a.b'],
  ['package a["b c"].d["\\u00e9"]', ['a', 'b c', 'd', 'é'], 'package a["b c"].d["é"]'],
  ['packages', undefined, ''],
  ['p := 1', undefined, ''],
])('the package of %j is %j', (source, path, printed) => {
  expect(packagePathIn(source)).toEqual(path);
  if (path !== undefined) expect(packageText(path)).toBe(printed);
});

test.each([
  ['./a//b/../c', 'a/c'],
  ['/../a', '/a'],
  ['../a', '../a'],
  ['', '.'],
])('%j cleaned is %j', (path, clean) => {
  expect(cleanPath(path)).toBe(clean);
});

test('joining leaves out what is empty', () => {
  expect(joinPath('', '/a')).toBe('/a');
  expect(joinPath('dir', '/a.rego')).toBe('dir/a.rego');
});
