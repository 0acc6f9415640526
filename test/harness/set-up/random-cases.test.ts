import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { testFiles } from '../../projects.js';
import { randomCases } from './random-cases.js';

afterEach(() => vi.unstubAllEnvs());

test.each([
  ['a run takes a tenth', undefined, undefined, 500, 50],
  ['a run takes ten at least', undefined, undefined, 60, 10],
  ['a run takes all of a few', undefined, undefined, 6, 6],
  ['the long run takes all', 'all', undefined, 500, 500],
  ['a search takes as many as it is told', undefined, '12000', 500, 12_000],
  ['a search goes before the long run', 'all', '12000', 500, 12_000],
])('%s', (_, cases, runs, all, taken) => {
  vi.stubEnv('WRIT_CASES', cases);
  vi.stubEnv('WRIT_RUNS', runs);
  expect(randomCases(all)).toBe(taken);
});

test('each property asks for its number of cases', () => {
  const stating = testFiles().filter((file) =>
    /\{ numRuns: [\d_]+ \}/.test(readFileSync(join(import.meta.dirname, '../../..', file), 'utf8')),
  );
  expect(stating).toEqual([]);
});
