import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { conformanceFolder } from './cases.js';
import { textDifference } from './cli-compare.js';
import { runSuite } from './suites.js';

const folder = conformanceFolder();
if (folder === undefined) console.log('command-line recordings are skipped: there is no conformance folder beside the project');

/** A file of recordings for each command. */
const files = folder === undefined ? [] : readdirSync(join(folder, 'cli')).filter((name) => name.endsWith('.json'));

test.skipIf(folder === undefined).each(files)(
  '%s does as recorded',
  async (file) => {
    const { failed, passed, lines } = await runSuite('cli', [join(folder!, 'cli', file)]);
    expect(failed, lines.join('\n')).toBe(0);
    expect(passed).toBeGreaterThan(0);
  },
  300_000,
);

test.each([
  ['texts', { as: 'text' }, 'a\n', 'a\n', true],
  ['texts that differ', { as: 'text' }, 'a\n', 'a', false],
  ['lines in another order', { as: 'lines-any-order' }, 'a\nb\n', 'b\na\n', true],
  ['lines that are missing', { as: 'lines-any-order' }, 'a\nb\n', 'b\n', false],
  ['parts of a text', { as: 'contains', strings: ['b', 'a'] }, '', 'a b', true],
  ['parts that are missing', { as: 'contains', strings: ['c'] }, '', 'a b', false],
  ['equal documents', { as: 'json' }, '{"a": 1.0, "b": [2]}', '{"b":[2],"a":1}', true],
  ['several documents', { as: 'json' }, '{"a": "}"}\n[1]\n', '{"a":"}"} [1]', true],
  ['a document too many', { as: 'json' }, '[1]', '[1][1]', false],
  ['masked parts', { as: 'json', masks: ['/*/t'] }, '[{"t": 1}]', '[{"t": 2}]', true],
  ['masked parts of another type', { as: 'json', masks: ['/*/t'] }, '[{"t": 1}]', '[{"t": "2"}]', false],
  ['arrays without order', { as: 'json', unordered: [''] }, '[1, 2]', '[2, 1]', true],
] as const)('compares %s', (_title, comparison, want, got, isEqual) => {
  expect(textDifference(want, got, comparison) === undefined).toBe(isEqual);
});
