import { dirname, join, posix } from 'node:path';
import { expect, test } from 'vitest';
import { readDoors, throughDoors } from '../scripts/doors.js';
import { importsOf } from '../scripts/layers.js';
import { readSources } from '../scripts/sources.js';

const sources = readSources(join(import.meta.dirname, '..'), [
  'values',
  'ir-schema',
  'compiler',
  'runtime',
  'engine',
  'views',
  'server',
  'library',
]);
const exported = readDoors();

/** The files that are loaded with a file, before anything is asked for. */
function loadedWith(entry: string): ReadonlySet<string> {
  const loaded = new Set([entry]);
  for (const path of loaded) {
    // package.json and generated files have no text here.
    for (const { specifier, time } of importsOf(throughDoors(sources.get(path) ?? '', path, exported))) {
      if (time === 'load' && specifier.startsWith('.')) loaded.add(posix.join(dirname(path), specifier).replace(/\.js$/, '.ts'));
    }
  }
  return new Set([...loaded].filter((path) => sources.has(path)));
}

test.each(['library/index.ts', 'engine/engine.ts'])('%s loads no parser, checks or planner before the first policy', (entry) => {
  const loaded = [...loadedWith(entry)];
  expect(loaded.length).toBeGreaterThan(50);
  expect(loaded.filter((path) => /^compiler\/(syntax|rewrite|check|plan|optimize)\/|^compiler\/pipeline/.test(path))).toEqual([]);
});
