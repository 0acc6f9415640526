import { readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { checkLayers, floors, folders, importsOf, rooms } from './layers.js';
import { readSources } from './sources.js';

function check(files: Record<string, string>): string[] {
  return checkLayers(new Map(Object.entries(files)));
}

test('the imports of this project follow the order of its folders', () => {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  const sources = readSources(root, folders);
  expect(sources.size).toBeGreaterThan(10);
  expect(checkLayers(sources)).toEqual([]);
});

test('the type checker knows the rooms in the order of the table', () => {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  const referencesOf = (path: string) => {
    const { references } = JSON.parse(readFileSync(join(root, path), 'utf8')) as { references: { path: string }[] };
    return references.map((reference) => posix.join(dirname(path), reference.path));
  };
  expect(referencesOf('tsconfig.json')).toEqual(rooms);
  for (const room of rooms) {
    const floor = floors.findIndex((names) => names.includes(room));
    expect(referencesOf(`${room}/tsconfig.json`), room).toEqual(floors.slice(0, floor).flat());
  }
});

test('a file may import from its own folder and from those before it', () => {
  expect(
    check({
      'compiler/ast/walk.ts': "import { a } from './nodes.js';\nimport { b } from '../../values/index.js';\n",
      'compiler/ast/nodes.ts': 'export const a = 1;\n',
      'values/index.ts': "export { b } from './value.js';\n",
      'values/value.ts': 'export const b = 1;\n',
    }),
  ).toEqual([]);
});

test.each([
  ['a value that knows the machine', 'values/a.ts', "import { run } from '../runtime/vm/run.js';"],
  ['a type from a later folder', 'values/a.ts', "import type { Run } from '../runtime/vm/run.js';"],
  ['an import on demand from a later folder', 'compiler/ast/a.ts', "const parse = await import('../syntax/grammar.js');"],
  ['a passing on from a later folder', 'ir-schema/a.ts', "export { Rule } from '../compiler/ast/nodes.js';"],
  ['a machine that knows the compiler', 'runtime/vm/a.ts', "import { parse } from '../../compiler/pipeline.js';"],
  ['a host chosen inside', 'engine/a.ts', "import { node } from '../values/builtins/host/node.js';"],
  ['a command in the server', 'server/a.ts', "import { main } from '../cli/main.js';"],
  ['a disk read from inside', 'engine/bundle/read.ts', "import { loadBundle } from './disk/file-source.js';"],
  ['a folder of the same floor', 'compiler/a.ts', "import { run } from '../runtime/vm/run.js';"],
  ['a folder that another one of its room may not see', 'values/a.ts', "import { a } from './builtins/a.js';"],
  ['a file past the door of its room', 'compiler/ast/a.ts', "import { b } from '../../values/value.js';"],
  ['a folder without a place', 'engine/a.ts', "import { a } from '../runtime/misc/a.js';"],
])('%s is reported', (_title, path, line) => {
  expect(check({ [path]: `${line}\n` })).toContainEqual(expect.stringContaining(path));
});

test.each(['node:fs', 'fs', 'modern-tar/fs'])('%s may not be imported where the code has to load in a browser', (name) => {
  const line = `import { a } from '${name}';\n`;
  expect(check({ 'runtime/vm/a.ts': line, 'compiler/ast/a.ts': line })).toHaveLength(2);
  expect(check({ 'values/builtins/host/a.ts': line, 'library/index.ts': line, 'server/a.ts': line, 'cli/main.ts': line })).toEqual([]);
});

test('the order holds for files behind doors', () => {
  const files = {
    'engine/index.ts': "export { x } from './bundle/read.ts';\nexport { node } from './node-part.js';\n",
    'engine/node.ts': "export { loadBundle } from './bundle/disk/file-source.js';\n",
    'engine/query/a.ts': "import { x } from '../prepared.js';\n",
    'library/a.ts': "import { loadBundle } from '../engine/node.js';\n",
  };
  expect(check(files)).toEqual([
    expect.stringContaining('engine/query/a.ts imports engine/prepared.ts'),
    expect.stringContaining('library/a.ts imports engine/bundle/disk/file-source.ts'),
  ]);
});

test('tests may import any file', () => {
  expect(check({ 'values/a.test.ts': "import { run } from '../cli/main.js';\nimport { a } from 'node:fs';\n" })).toEqual([]);
});

test('files that load each other are reported with the way round', () => {
  const files = {
    'ir-schema/a.ts': "import { b } from './b.js';\n",
    'ir-schema/b.ts': "import {\n  c,\n  d,\n} from './c.js';\n",
    'ir-schema/c.ts': "export * from './a.js';\n",
  };
  expect(check(files)).toEqual(['a cycle of imports: ir-schema/a.ts → ir-schema/b.ts → ir-schema/c.ts → ir-schema/a.ts']);
});

test('types count for cycles, imports on demand do not', () => {
  const back = "import { a } from './a.js';\n";
  const forth = "import type { B } from './b.js';\n";
  expect(check({ 'ir-schema/a.ts': forth, 'ir-schema/b.ts': back })).toEqual([
    'a cycle of imports: ir-schema/a.ts → ir-schema/b.ts → ir-schema/a.ts',
  ]);
  expect(check({ 'ir-schema/a.ts': "const b = await import('./b.js');\n", 'ir-schema/b.ts': back })).toEqual([]);
});

test('the types of values may refer to each other', () => {
  const files = {
    'values/set.ts': "import type { Value } from './value.js';\n",
    'values/value.ts': "import { RegoSet } from './set.js';\n",
  };
  expect(check(files)).toEqual([]);
  expect(check({ ...files, 'values/set.ts': "import { Value } from './value.js';\n" })).toHaveLength(1);
});

test('every form of import is read', () => {
  const text = [
    "import './a.js';",
    "import b from './b.js';",
    "import * as c from './c.js';",
    "import d, { e } from './d.js';",
    "import manifest from './e.json' with { type: 'json' };",
    "import type { f } from './f.js';",
    "export { g } from './g.js';",
    "export * as h from './h.js';",
    "  const i = await import('./i.js');",
    "type J = typeof import('./j.js');",
    "export const text = 'from';",
  ].join('\n');
  expect(importsOf(text).map(({ specifier, time }) => `${specifier} ${time}`)).toEqual([
    './a.js load',
    './b.js load',
    './c.js load',
    './d.js load',
    './e.json load',
    './f.js never',
    './g.js load',
    './h.js load',
    './i.js later',
    './j.js never',
  ]);
});
