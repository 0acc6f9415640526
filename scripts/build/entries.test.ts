import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { entries, entryPoints, entrySources, entryTypes, packageExports, packageTypesVersions, peers } from './entries.js';

const root = join(import.meta.dirname, '../..');

test('package.json exports the entries of the table, in its order', () => {
  expect(JSON.stringify(manifest.exports, null, 2)).toBe(JSON.stringify(packageExports(), null, 2));
});

test('projects whose TypeScript does not read `exports` find the same types', () => {
  expect(manifest.typesVersions).toEqual(packageTypesVersions());
  expect([manifest.main, manifest.types]).toEqual(['./dist/index.js', './dist/types/index.d.ts']);
});

test('each entry has a source, its files, and a budget for each of its platforms', () => {
  expect(entrySources.filter((source) => !existsSync(join(root, source)))).toEqual([]);
  for (const { name, node, browser, budgets } of entries) {
    expect([name, node !== undefined || browser !== undefined]).toEqual([name, true]);
    expect([name, budgets.node !== undefined, budgets.browser !== undefined]).toEqual([name, node !== undefined, browser !== undefined]);
  }
  const files = [
    ...Object.keys(entryPoints('node')).flatMap((name) => [`${name}.js`, `esm/${name}.js`]),
    ...Object.keys(entryTypes).map((name) => `${name}.d.ts`),
    ...Object.keys(entryPoints('browser')).flatMap((name) => [`browser/${name}.js`]),
  ];
  expect(files.filter((file) => !existsSync(join(root, 'dist', file)))).toEqual([]);
});

test('packages that a project may have beside this one are optional', () => {
  expect(manifest.peerDependenciesMeta).toEqual(Object.fromEntries(peers.map((name) => [name, { optional: true }])));
});
