import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { capabilitiesVersion } from '../values/builtins/capabilities.js';
import { missingEntry } from './changelog.mjs';

const text = readFileSync(join(import.meta.dirname, '../CHANGELOG.md'), 'utf8');
const headings = text.match(/^## .*$/gm) ?? [];

test('each release of the changelog says which release of the reference it equals', () => {
  for (const heading of headings) expect(heading).toMatch(/^## (?:Unreleased|\d+\.\d+\.\d+(?:-[\w.]+)?): equals OPA \d+\.\d+\.\d+$/);
});

test('the newest one equals the release that is implemented, and is not older than the package', () => {
  expect(headings[0]).toMatch(new RegExp(`: equals OPA ${capabilitiesVersion.slice(1).replaceAll('.', '\\.')}$`));
  expect([`## ${manifest.version}:`, '## Unreleased:'].some((start) => headings[0]!.startsWith(start))).toBe(true);
});

describe('an entry', () => {
  const before = '## Unreleased\n### Added\n- One.\n- Two, which is\n  long.\n';
  const more = `${before}- Three.\n`;

  test.each<[string, readonly string[], string, string, boolean]>([
    ['of a changed source is missing', ['engine/engine.ts'], before, 'engine: a\n', true],
    ['of the package is missing', ['package.json'], before, '', true],
    ['is there', ['engine/engine.ts', 'CHANGELOG.md'], more, '', false],
    ['is not new where one is broken in other lines', ['a/b.ts'], before.replace('which is\n  long', 'which\n  is long'), '', true],
    ['is not new where one is removed', ['a/b.ts'], before.replace('- One.\n', ''), '', true],
    ['is not needed for tests', ['engine/engine.test.ts', 'test/harness/a.ts', 'fixtures/x.json'], before, '', false],
    ['is not needed for scripts, workflows and pages', ['scripts/a.ts', '.github/workflows/ci.yml', 'docs/http.md'], before, '', false],
    ['is not needed where a commit says so', ['engine/engine.ts'], before, 'engine: a\n\nChangelog: none\n', false],
    ['is needed where a commit only speaks of it', ['engine/engine.ts'], before, 'engine: a\n\nNo Changelog: none here\n', true],
  ])('%s', (_title, changed, after, messages, isMissing) => {
    expect(missingEntry(changed, before, after, messages) !== undefined).toBe(isMissing);
  });
});
