import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { conformanceFolder } from './conformance/cases.js';
import { runSuite } from './conformance/suites.js';

const folder = conformanceFolder();

if (folder === undefined) console.log('language cases are skipped: there is no conformance folder beside the project');

describe.skipIf(folder === undefined)('cases of the language, compiled and run', () => {
  test.each([
    ['rego', 'v1'],
    ['rego', 'v0'],
    ['generated', 'v1'],
    ['generated', 'v0'],
    ['evaluator', 'v1'],
    ['evaluator', 'v0'],
  ] as const)('%s/%s: all pass but the listed gaps', { timeout: 300_000 }, async (suite, version) => {
    const { lines, failed, passed } = await runSuite(suite, [join(folder!, 'rego', version)]);
    expect(lines.filter((line) => line.startsWith('FAILED'))).toEqual([]);
    expect(failed).toBe(0);
    expect(passed).toBeGreaterThan(0);
  });
});
