import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runSuite } from '../suites.js';
import { answerDifference } from './verify-compare.js';

const folder = fileURLToPath(new URL('../../../../shared/verify/cases', import.meta.url));
const isThere = existsSync(folder);
if (!isThere) console.log('recordings of conftest are skipped: there is no folder of them beside the project');

test.skipIf(!isThere).each(isThere ? readdirSync(folder) : [])(
  '%s: `writ conftest` answers as recorded',
  async (file) => {
    const { failed, passed, lines } = await runSuite('verify', [join(folder, file)]);
    expect(failed, lines.join('\n')).toBe(0);
    expect(passed).toBeGreaterThan(0);
  },
  300_000,
);

test('a link named conftest is conftest', () => {
  const folder = mkdtempSync(join(tmpdir(), 'writ-link-'));
  try {
    symlinkSync(fileURLToPath(new URL('../../../bin/writ', import.meta.url)), join(folder, 'conftest'));
    expect(execFileSync(join(folder, 'conftest'), ['--version'], { encoding: 'utf8' })).toContain('conftest');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

const broken = 'Error: running test: parse configurations: parser unmarshal: unmarshal yaml: line 1, path: a.yaml\n';

test.each([
  ['the same', {}, { stdout: 'a\nb\n' }, true],
  ['another exit status', {}, { stdout: 'a\nb\n', exit: 1 }, false],
  ['lines in another order', {}, { stdout: 'b\na\n' }, false],
  ['lines in another order where it is free', { unordered: true }, { stdout: 'b\na\n' }, true],
  ['one of the other answers', { others: [{ exit: 0, stdout: 'c\n' }] }, { stdout: 'c\n' }, true],
  ['the words of a library', { stderr: broken }, { stdout: 'a\nb\n', stderr: broken.replace('line 1', 'x') }, true],
  ['another file', { stderr: broken }, { stdout: 'a\nb\n', stderr: broken.replace('a.yaml', 'b.yaml') }, false],
  ['another stage', { stderr: broken }, { stdout: 'a\nb\n', stderr: broken.replace('parser un', 'un') }, false],
  ['an error for a crash', { exit: 2, stdout: '', stderr: 'panic: x\n' }, { exit: 1, stdout: '', stderr: 'Error: x\n' }, true],
])('compares %s', (_title, want, got, isEqual) => {
  const one = { name: 'a', args: [], exit: 0, stdout: 'a\nb\n', ...want };
  expect(answerDifference(one, { exit: 0, stderr: '', ...got }) === undefined).toBe(isEqual);
});
