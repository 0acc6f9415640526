import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { conformanceFolder } from './cases.js';
import { runSuite } from './suites.js';

const folder = conformanceFolder();
const files = folder === undefined ? [] : readdirSync(join(folder, 'rest')).filter((name) => name.endsWith('.json'));

test.skipIf(files.length === 0).each(files)(
  'the server answers as recorded: %s',
  async (file) => {
    const { failed, lines } = await runSuite('rest', [join(folder!, 'rest', file)]);
    expect(failed, lines.join('\n')).toBe(0);
  },
  120_000,
);
