import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runSuite } from '../suites.js';

const folder = fileURLToPath(new URL('../../../../shared/lint/cases', import.meta.url));
const isThere = existsSync(folder);
if (!isThere) console.log('recordings of the linter are skipped: there is no lint folder beside the project');

const files = [
  'config',
  'custom-rules',
  'directives',
  'files',
  'fix',
  'formats',
  'flags',
  'rules-bugs',
  'rules-custom',
  'rules-idiomatic',
  'rules-imports',
  'rules-performance',
  'rules-style',
  'rules-testing',
  'test',
  'tree',
  'workspaces',
];

test.skipIf(!isThere).each(files)('%s is answered as recorded', async (name) => {
  const { failed, passed, skipped, lines } = await runSuite('lint', [join(folder, `${name}.json`)]);
  expect(failed, lines.join('\n')).toBe(0);
  expect(passed + skipped).toBeGreaterThan(2);
});
