import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CompileErrors } from '../../compiler/diagnostics/diagnostics.js';
import { formatText } from '../../compiler/format/format.js';
import { type Case, conformanceFolder, readCases } from './cases.js';
import type { Outcome } from './outcome.js';
import { runRegoCase } from './rego.js';
import { runSuite } from './suites.js';

const folder = conformanceFolder();

if (folder === undefined) console.log('language cases are skipped: there is no conformance folder beside the project');

describe.skipIf(folder === undefined)('cases of the language, compiled and run', () => {
  test.each([
    ['rego', 'v1'],
    ['rego', 'v0'],
    ['generated', 'v1'],
    ['generated', 'v0'],
    ['evaluator', 'v1'],
    ['evaluator', 'v0'],
  ] as const)('%s/%s: all pass but the listed gaps', { timeout: 300_000 }, async (suite, version) => {
    const { lines, failed, passed } = await runSuite(suite, [join(folder!, 'rego', version)]);
    expect(lines.filter((line) => line.startsWith('FAILED'))).toEqual([]);
    expect(failed).toBe(0);
    expect(passed).toBeGreaterThan(0);
  });

  test('fmt --v0-v1 writes modules that decide the same in both versions', { timeout: 300_000 }, async () => {
    const failed: string[] = [];
    let passed = 0;
    for (const { case: one } of readCases(join(folder!, 'rego', 'v0'))) {
      const converted = inBothVersions(one);
      if (converted === undefined || !isPassed(await runRegoCase(one, 'v0'))) continue;
      for (const version of ['v0', 'v1'] as const) {
        const outcome = await runRegoCase(converted, version);
        if (isPassed(outcome)) passed++;
        else failed.push(`${one.note} (${version}): ${JSON.stringify(outcome)}`);
      }
    }
    expect(failed).toEqual([]);
    expect(passed).toBeGreaterThan(1_000);
  });
});

function isPassed(outcome: Outcome): boolean {
  return 'passed' in outcome && outcome.passed;
}

/** The case with its modules converted; undefined for what version 1 refuses. */
function inBothVersions(one: Case): Case | undefined {
  try {
    const modules = (one.modules ?? []).map((text, i) => formatText(`test-${i}.rego`, text, { regoVersion: 'v0' }, { to: 'v0v1' }));
    if (modules.length === 0) return undefined;
    // Texts of errors have rows of the modules.
    return { ...one, modules, ...(one.want_error !== undefined && { want_error: '' }) };
  } catch (error) {
    if (error instanceof CompileErrors) return undefined;
    throw error;
  }
}
