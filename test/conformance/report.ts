/** The report: a table by family, the gaps, and a summary line. */
import { readFileSync } from 'node:fs';
import type { FoundCase } from './cases.js';
import type { Outcome } from './outcome.js';

export interface Result {
  readonly found: FoundCase;
  readonly outcome: Outcome;
}

/**
 * Cases known to fail, with the reason: by suite or the folder of their file, then by note. A case
 * that wants something wrong fails in each suite that runs it.
 */
type Gaps = { readonly [suiteOrFolder: string]: { readonly [note: string]: string } };

export function readGaps(): Gaps {
  return JSON.parse(readFileSync(new URL('gaps.json', import.meta.url), 'utf8')) as Gaps;
}

export interface Report {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly lines: readonly string[];
  /** The number of skipped results by reason, without the gaps. */
  readonly passedOver: ReadonlyMap<string, number>;
}

/**
 * One line for all skipped results: `passed over: 3 steps that ask for explanations`. Undefined if
 * there are none.
 */
export function passedOverLine(counts: ReadonlyMap<string, number>): string | undefined {
  if (counts.size === 0) return undefined;
  return `passed over: ${[...counts].map(([reason, count]) => `${count} ${reason}`).join(', ')}`;
}

/**
 * Counts a suite's results. A case listed as a gap counts as skipped if it fails, and as failed if
 * it passes.
 */
export function report(suite: string, results: readonly Result[], gaps: Gaps = readGaps()): Report {
  const families = new Map<string, { passed: number; failed: number; skipped: number }>();
  const problems: string[] = [];
  const passedOver = new Map<string, number>();
  for (const { found, outcome } of results) {
    const row = families.get(found.family) ?? { passed: 0, failed: 0, skipped: 0 };
    families.set(found.family, row);
    const gap = [suite, ...found.file.split('/')].map((name) => gaps[name]?.[found.case.note]).find((reason) => reason !== undefined);
    if ('skipped' in outcome) {
      row.skipped++;
      passedOver.set(outcome.skipped, (passedOver.get(outcome.skipped) ?? 0) + 1);
    } else if (outcome.passed) {
      if (gap === undefined) row.passed++;
      else {
        row.failed++;
        problems.push(`FAILED ${found.case.note}: listed as a gap, but passes`);
      }
    } else if (gap !== undefined) {
      row.skipped++;
      problems.push(`skipped ${found.case.note}: ${gap}`);
    } else {
      row.failed++;
      problems.push(`FAILED ${found.case.note} (${found.file}): ${outcome.why}`);
    }
  }
  const width = Math.max(6, ...[...families.keys()].map((name) => name.length));
  const line = (name: string, a: unknown, b: unknown, c: unknown) =>
    `${name.padEnd(width)} ${String(a).padStart(7)} ${String(b).padStart(7)} ${String(c).padStart(8)}`;
  const table = [...families].map(([name, row]) => line(name, row.passed, row.failed, row.skipped));
  const sum = (key: 'passed' | 'failed' | 'skipped') => [...families.values()].reduce((total, row) => total + row[key], 0);
  const totals = { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
  const over = passedOverLine(passedOver);
  const lines = [line('family', 'passed', 'failed', 'skipped'), ...table, ...problems, ...(over === undefined ? [] : [over])];
  return { ...totals, passedOver, lines };
}
