import { expect, test } from 'vitest';
import type { ProfiledRun } from '../../views/recording/profile-document.js';
import { profileText } from './profile-text.js';

type Statement = ProfiledRun['profile']['statements'][number];

function statement(address: string, low: number, median: number, high: number): Statement {
  const times = { time_ns: median, total_time_ns: median, spread: { low_ns: low, median_ns: median, high_ns: high } };
  return { address, type: 'DotStmt', text: `Dot of ${address}`, count: 1, passed: 1, failed: 0, ...times };
}

function textOf(statements: readonly Statement[], slowest?: string): string {
  const spread = { low_ns: 900, median_ns: 1000, high_ns: 1500 };
  const profile = { count: 2, time_ns: 1000, runs: 9, spread, statements, functions: [], calls: [] };
  return profileText(
    { entrypoint: 'p', profile: { ...profile, ...(slowest !== undefined && { slowest }) } },
    { limit: 1, sources: [], columns: undefined },
  );
}

test('a ranking that holds needs no word about noise', () => {
  const text = textOf([statement('p/0.0', 10, 20, 30), statement('p/0.1', 400, 500, 600)], 'p/0.1');
  expect(text).toMatch(/^plan p: 2 statements, 1\.0 µs on the statement machine, the median of 9 evaluations \(900 ns to 1\.5 µs\)\n/);
  expect(text).toMatch(/500 ns +±100 ns +500 ns .* p\/0\.1 Dot/);
  expect(text).not.toContain('noisy');
});

test('overlapping times are too noisy to name a statement', () => {
  const all = [statement('p/0.0', 10, 20, 30), statement('p/0.1', 100, 500, 600), statement('p/0.2', 100, 480, 900)];
  expect(textOf(all)).toContain('too noisy to name the slowest statement: the times of 2 statements overlap');
});
