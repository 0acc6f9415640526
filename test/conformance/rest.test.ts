import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { conformanceFolder } from './cases.js';
import { passedOverLine } from './report.js';
import { runSuite } from './suites.js';

const folder = conformanceFolder();
if (folder === undefined) console.log('REST recordings are skipped: there is no conformance folder beside the project');

const files = folder === undefined ? [] : readdirSync(join(folder, 'rest')).filter((name) => name.endsWith('.json'));

const counts = new Map<string, number>();

afterAll(() => {
  const line = passedOverLine(counts);
  if (line !== undefined) console.log(`REST recordings ${line}`);
});

const faces = [
  ['the server', 'rest'],
  ['an engine in the process', 'library'],
] as const;

// An empty table would make a file without a test, which is an error.
describe.each(faces)('%s answers as recorded', (_name, suite) => {
  test.skipIf(folder === undefined).each(files.length === 0 ? ['no recordings'] : files)('%s', { timeout: 120_000 }, async (file) => {
    const { failed, lines, passedOver } = await runSuite(suite, [join(folder!, 'rest', file)]);
    for (const [reason, count] of passedOver) counts.set(reason, (counts.get(reason) ?? 0) + count);
    expect(failed, lines.join('\n')).toBe(0);
  });
});
