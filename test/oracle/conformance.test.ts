/** Runs the conformance cases of the language without plans. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseModule } from '../../compiler/syntax/parse.js';
import { parseQuery } from '../../compiler/syntax/query.js';
import { nodeHost } from '../../values/builtins/host/node.js';
import { type Case, conformanceFolder, readCases } from '../conformance/cases.js';
import { caseBuiltins } from '../conformance/evaluate.js';
import { judgeResult } from '../conformance/outcome.js';
import { parseModuleToValue, valueOfText } from '../conformance/terms.js';
import { testContext } from '../harness/builtins.js';
import { evaluateQuery, type QueryAnswer } from './evaluate.js';

const folder = conformanceFolder();
if (folder === undefined) console.log('language cases are not evaluated: there is no conformance folder beside the project');

/**
 * Excluded cases: they need a network or the time of day, consist of annotations, or fail before
 * evaluation.
 */
const other = /^(regometadata|providers|http|netlookup|undos|cryptox509parseandverify)/;

function answer(one: Case, version: 'v0' | 'v1'): QueryAnswer {
  const options = { regoVersion: version, ...(one.experimental_keywords && { allFutureKeywords: true }) };
  const modules = (one.modules ?? []).map((text, i) => parseModule(`test-${i}.rego`, text, options));
  const input = one.input_term !== undefined ? valueOfText(one.input_term) : one.input;
  const runtime = one.env === undefined ? {} : { env: one.env };
  const context = testContext(nodeHost, { runtime, parseModule: parseModuleToValue, strict: false });
  return evaluateQuery(modules, parseQuery(one.query!, options), {
    input,
    data: one.data ?? {},
    builtins: caseBuiltins,
    context,
    steps: 300_000,
  });
}

describe.skipIf(folder === undefined)('cases of the language, found in their syntax trees', () => {
  test.each(['v1', 'v0'] as const)('%s: every result is the wanted one', { timeout: 300_000 }, async (version) => {
    await Promise.all([...caseBuiltins.values()].map((row) => row.load?.()));
    const wrong: string[] = [];
    let right = 0;
    for (const { family, case: one } of readCases(join(folder!, 'rego', version))) {
      if (one.want_result === undefined || one.strict_error || other.test(family)) continue;
      let why: string | undefined;
      try {
        const found = answer(one, version);
        if (found.kind === 'unknown') continue;
        const outcome =
          found.kind === 'error' ? { passed: false as const, why: found.message } : judgeResult(one, [...found.solutions], one.want_result);
        why = 'why' in outcome ? outcome.why : undefined;
      } catch (error) {
        why = String((error as Error).stack);
      }
      if (why === undefined) right++;
      else wrong.push(`${family} ${one.note}: ${why}`);
    }
    expect(wrong.join('\n')).toBe('');
    expect(right).toBeGreaterThan(500);
  });
});
