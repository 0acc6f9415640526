import { expect, test } from 'vitest';
import { unknownPaths } from './doc-paths.js';

const tree = ['engine/paths/resolve.ts', 'fixtures/plans/old.json', 'bin/writ'];

test.each([
  ['a file', 'see `engine/paths/resolve.ts`'],
  ['a file without its folder', 'see `resolve.ts`'],
  ['a file below one of its folders', 'see `paths/resolve.ts`'],
  ['a folder', 'see `engine/paths` and `plans/`'],
  ['a built file', 'see `dist/main.js`'],
  ['names that are no paths', '`Engine.plan`, `a.b`, `x := [1/2]`'],
])('accepts %s', (_title, page) => {
  expect(unknownPaths('page.md', page, tree)).toEqual([]);
});

test('reports files and folders that are not there, with their line', () => {
  const page = 'see `engine/paths/resolve.ts`\nand `engine/resolve.ts`, `solve.ts`\nin `engine/routes`';
  expect(unknownPaths('page.md', page, tree)).toEqual([
    'page.md:2: engine/resolve.ts is not in the tree',
    'page.md:2: solve.ts is not in the tree',
    'page.md:3: engine/routes is not in the tree',
  ]);
});
