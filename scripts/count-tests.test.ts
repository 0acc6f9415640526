import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

function count(report: unknown, failedSteps: number, runFailed: number, runs = 1): { line: string; status: number | null } {
  const folder = mkdtempSync(join(tmpdir(), 'writ-count-'));
  try {
    const file = join(folder, 'report.json');
    writeFileSync(file, report === undefined ? '' : JSON.stringify(report));
    const more = Array.from({ length: runs - 1 }, () => [file, String(runFailed)]).flat();
    const script = join(import.meta.dirname, 'count-tests.mjs');
    const done = spawnSync(process.execPath, [script, String(failedSteps), file, String(runFailed), ...more], { encoding: 'utf8' });
    return { line: done.stdout, status: done.status };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function file(status: string, ...tests: string[]): unknown {
  return { status, assertionResults: tests.map((each) => ({ status: each, failureMessages: [] })) };
}

test.each([
  ['tests that pass and tests left out', [file('passed', 'passed', 'passed', 'skipped', 'todo', 'pending')], 0, 0, [2, 0, 3]],
  ['a failed test', [file('failed', 'passed', 'failed')], 0, 1, [1, 1, 0]],
  ['a test file that does not load', [file('passed', 'passed'), file('failed')], 0, 1, [1, 1, 0]],
  ['a run that fails beside its tests', [file('passed', 'passed')], 0, 1, [1, 1, 0]],
  ['steps that failed before', [file('passed', 'passed')], 2, 0, [1, 2, 0]],
])('the last line of a run counts %s', (_title, testResults, failedSteps, runFailed, [passed, failed, skipped]) => {
  expect(count({ testResults }, failedSteps, runFailed)).toEqual({
    line: `${passed} passed, ${failed} failed, ${skipped} skipped\n`,
    status: failed! > 0 ? 1 : 0,
  });
});

test('a run that left no report counts as one failure', () => {
  expect(count(undefined, 0, 1)).toEqual({ line: '0 passed, 1 failed, 0 skipped\n', status: 1 });
});

test('several runs are counted together', () => {
  const report = { testResults: [file('passed', 'passed', 'skipped')] };
  expect(count(report, 1, 0, 3)).toEqual({ line: '3 passed, 1 failed, 3 skipped\n', status: 1 });
  expect(count(report, 0, 1, 2)).toEqual({ line: '2 passed, 2 failed, 2 skipped\n', status: 1 });
});

test('a test that passed on its second try is named', () => {
  const second = { fullName: 'a slow server', status: 'passed', failureMessages: ['Error: no answer\n    at a.ts:1:1'] };
  const { line, status } = count({ testResults: [{ status: 'passed', assertionResults: [second] }] }, 0, 0);
  expect(line).toBe('== passed when it ran again: a slow server: Error: no answer\n1 passed, 0 failed, 0 skipped\n');
  expect(status).toBe(0);
});
