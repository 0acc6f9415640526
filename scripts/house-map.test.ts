import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { houseMap } from './house-map.js';
import { folders } from './layers.js';
import { readSources } from './sources.js';

const root = join(import.meta.dirname, '..');

test('the figure of the architecture page is that of the imports', () => {
  const [, figure] = /^```mermaid\n(.*?)\n```$/ms.exec(readFileSync(join(root, 'docs/architecture.md'), 'utf8')) ?? [];
  expect(figure).toBe(houseMap(readSources(root, folders)));
});

test('arrows that follow from others are left out, and so is what only tests import', () => {
  const sources = new Map([
    ['a/one.ts', "import { two } from '../b/two.js';\nimport type { Three } from '../c-d/three.js';\n"],
    ['a/one.test.ts', "import { four } from '../e/four.js';\n"],
    ['b/two.ts', "export { three } from '../c-d/three.js';\n"],
    ['c-d/three.ts', 'export const three = 3;\n'],
    ['e/four.ts', "import { two } from '../b/two.js';\nimport { test } from '../test/five.js';\n"],
    ['test/five.ts', "import { one } from '../a/one.js';\n"],
  ]);
  expect(houseMap(sources)).toBe('flowchart TD\n  a --> b\n  b --> c_d[c-d]\n  e --> b');
});
