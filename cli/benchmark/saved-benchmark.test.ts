import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runAtTerminal, runCommand, withFiles } from '../../test/harness/command.js';
import { histogramText } from './histogram-text.js';
import { compareBenchmarks, comparisonRows, type SavedBenchmark, savedBenchmark } from './saved-benchmark.js';

/** A measurement with these medians; the other figures are the same. */
function saved(...medians: readonly number[]): SavedBenchmark {
  const measured = medians.map((median) => ({ runs: 1, mean: 1000, median, p90: 3000, p99: 4000 }));
  return { format: 'writ-bench-1', query: 'data.p.q', measured };
}

describe('a comparison', () => {
  test.each([
    ['each slower', [100, 110, 105], [130, 125, 128], ['median', '105ns', '128ns', '+21.9 %']],
    ['each faster', [2000], [1000], ['median', '2µs', '1µs', '-50.0 %']],
    ['ranges that meet', [100, 130], [120, 140], ['median', '130ns', '140ns', '~']],
    ['less than noise', [1000], [1010], ['median', '1µs', '1.01µs', '~']],
    ['from nothing', [0], [50], ['median', '0s', '50ns', 'new']],
  ] as const)('of measurements: %s', (_title, before, now, row) => {
    const rows = comparisonRows(compareBenchmarks(saved(...before), saved(...now)));
    expect(rows.map(([name]) => name)).toEqual(['mean', 'median', '90 %', '99 %']);
    expect(rows[1]).toEqual(row);
    expect(rows[0]).toEqual(['mean', '1µs', '1µs', '~']);
  });

  test('has quantiles of samples, and allocations where both have them', () => {
    const samples = Array.from({ length: 100 }, (_, i) => 100 - i);
    const benchmark = { runs: 100, nanoseconds: 5050, samples, extra: {}, allocations: { bytes: 64, count: 2 } };
    const one = savedBenchmark('q', [benchmark]);
    expect(one.measured).toEqual([{ runs: 100, mean: 50.5, median: 50.5, p90: 90.9, p99: 99.99, bytes: 64, allocations: 2 }]);
    expect(compareBenchmarks(one, one).map(({ name }) => name)).toEqual(['mean', 'median', '90 %', '99 %', 'B/op', 'allocs/op']);
    expect(compareBenchmarks(one, saved(1)).map(({ name }) => name)).toEqual(['mean', 'median', '90 %', '99 %']);
  });
});

describe('a histogram', () => {
  test('has a row for each range of equal ratio', () => {
    const samples = [...new Array<number>(50).fill(100), ...new Array<number>(25).fill(1000), ...new Array<number>(25).fill(409_600)];
    const rows = histogramText(samples).trimEnd().split('\n');
    expect(rows).toHaveLength(12);
    expect(rows[0]).toBe(` 100ns ${'█'.repeat(40)}  50.0 %`);
    expect(rows[3]).toMatch(/^ +\d+ns █{20} {20} {2}25\.0 %$/);
    expect(rows[11]).toMatch(/^ +20\dµs █{20} {20} {2}25\.0 %$/);
    expect(rows[5]).toMatch(/^ +[\d.]+µs {44}0\.0 %$/);
  });

  test.each([
    ['samples of one value', new Array<number>(9).fill(7), `7ns ${'█'.repeat(40)} 100.0 %\n`],
    ['one sample', [1500], `1.5µs ${'█'.repeat(40)} 100.0 %\n`],
    ['a clock that stands still', [0, 0], `1ns ${'█'.repeat(40)} 100.0 %\n`],
    ['no sample', [], ''],
  ])('of %s', (_title, samples, text) => {
    expect(histogramText(samples)).toBe(text);
  });

  test('counts all samples', () => {
    const samples = Array.from({ length: 1000 }, (_, i) => (i * 7919) % 100_003);
    const shares = [...histogramText(samples).matchAll(/([\d.]+) %$/gm)].map(([, share]) => Number(share));
    expect(shares.reduce((sum, share) => sum + share)).toBeCloseTo(100, 0);
  });
});

describe('bench', () => {
  const files = { 'p.rego': 'package p\n\nq := 1\n\nr := 2\n', 'bad.json': '{"a": 1}', 'none.json': 'x' };
  const fast = ['--benchmem=false', '--metrics=false'];

  test('saves a measurement, and compares with it', () =>
    withFiles(files, async (dir) => {
      const [policy, path] = [join(dir, 'p.rego'), join(dir, 'saved.json')];
      expect(await runCommand('bench', ...fast, '--save', path, '-d', policy, 'data.p.q')).toMatchObject({ exit: 0, stderr: '' });
      const file = JSON.parse(readFileSync(path, 'utf8')) as SavedBenchmark;
      expect(file).toMatchObject({ format: 'writ-bench-1', query: 'data.p.q', measured: [{ runs: expect.any(Number) }] });
      // Each run before took a second: now it is faster.
      const slow = { ...file, measured: file.measured.map((run) => ({ ...run, median: 1e9 })) };
      writeFileSync(path, JSON.stringify(slow));
      const text = await runCommand('bench', ...fast, '--compare', path, '-d', policy, 'data.p.q');
      expect(text.stdout).toMatch(/│ median +│ 1s +│ \S+ +│ -\d+\.\d % │/);
      expect(text.stderr).toBe('');
      const json = await runCommand('bench', ...fast, '-f', 'json', '--compare', path, '-d', policy, 'data.p.r');
      expect(JSON.parse(json.stdout).compared[1]).toMatchObject({ name: 'median', before: 1e9, isClear: true });
      expect(json.stderr).toBe(`warning: ${path} has another query: data.p.q\n`);
    }));

  test('shows the histogram at a terminal only', () =>
    withFiles(files, async (dir) => {
      const args = ['bench', ...fast, '-d', join(dir, 'p.rego'), 'data.p.q'];
      expect((await runAtTerminal(...args)).stdout.match(/ %$/gm)).toHaveLength(12);
      expect((await runCommand(...args)).stdout).not.toContain('█');
    }));

  test.each([
    ['bad.json', 'is no measurement: make one with bench --save'],
    ['none.json', 'is no measurement: make one with bench --save'],
    ['missing.json', 'no such file or directory'],
  ])('does not compare with %s', (name, message) =>
    withFiles(files, async (dir) => {
      const { exit, stderr } = await runCommand('bench', '--compare', join(dir, name), '-d', join(dir, 'p.rego'), 'data.p.q');
      expect(exit).not.toBe(0);
      expect(stderr).toContain(message);
    }),
  );
});
