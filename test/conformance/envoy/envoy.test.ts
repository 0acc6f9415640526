import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { conformanceFolder } from '../cases.js';
import { passedOverLine } from '../report.js';
import { runSuite } from '../suites.js';

const folder = conformanceFolder();
if (folder === undefined) console.log('recorded checks are skipped: there is no conformance folder beside the project');

const scenarios = folder === undefined ? [] : readdirSync(join(folder, 'envoy/scenarios'));

const counts = new Map<string, number>();

afterAll(() => {
  const line = passedOverLine(counts);
  if (line !== undefined) console.log(`recorded checks ${line}`);
});

// An empty table would make a file without a test, which is an error.
test.skipIf(folder === undefined).each(scenarios.length === 0 ? ['no recordings'] : scenarios)(
  'checks are answered as recorded: %s',
  async (file) => {
    const { failed, lines, passedOver } = await runSuite('envoy', [join(folder!, 'envoy/scenarios', file)]);
    for (const [reason, count] of passedOver) counts.set(reason, (counts.get(reason) ?? 0) + count);
    expect(failed, lines.join('\n')).toBe(0);
  },
  120_000,
);
