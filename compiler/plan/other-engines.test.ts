/**
 * Plans of the conformance cases give the same answers in an engine that copies inserted values
 * and knows only functions written before their caller.
 */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Policy } from '../../ir-schema/plan.js';
import { AnswerRecord } from '../../runtime/evaluation/answer-record.js';
import { ArrayIndexes } from '../../runtime/evaluation/array-indexes.js';
import { Evaluation } from '../../runtime/evaluation/evaluation.js';
import { Suspension } from '../../runtime/evaluation/evaluation-errors.js';
import { interpretPlan, otherEngine } from '../../runtime/vm/plan-interpreter.js';
import type { InterpretOptions } from '../../runtime/vm/plan-tables.js';
import { type Case, conformanceFolder, readCases } from '../../test/conformance/cases.js';
import { caseBuiltins } from '../../test/conformance/evaluate.js';
import { planCase } from '../../test/conformance/rego.js';
import { parseModuleToValue, valueOfText } from '../../test/conformance/terms.js';
import { BuiltinError, HaltError } from '../../values/builtins/builtin-errors.js';
import { CacheSet } from '../../values/builtins/cache.js';
import { nodeHost } from '../../values/builtins/host/node.js';
import { toJson } from '../../values/json/json.js';
import { RegoSet } from '../../values/set.js';
import type { Value } from '../../values/value.js';
import { optimize } from '../optimize/pipeline.js';

const folder = conformanceFolder();
if (folder === undefined) console.warn('no conformance cases (WRIT_CONFORMANCE): plans of them are not run as by other engines');

/** Both runs share one record of non-deterministic results. */
function walk(one: Case, policy: Policy, record: AnswerRecord, options: InterpretOptions): readonly Value[] {
  const runtime = one.env === undefined ? {} : { env: one.env };
  const surroundings = {
    host: nodeHost,
    caches: new CacheSet(),
    runtime,
    dataIndexes: new ArrayIndexes(),
    parseModule: parseModuleToValue,
  };
  const limits = { strictBuiltinErrors: one.strict_error === true, timeNs: 1_700_000_000_000_000_000n, timeMs: 20_000 };
  const input = one.input_term === undefined ? one.input : valueOfText(one.input_term);
  return interpretPlan(
    policy,
    { plan: 'eval', input, data: one.data ?? {} },
    caseBuiltins,
    new Evaluation(surroundings, limits, record),
    options,
  );
}

async function answerOf(one: Case, policy: Policy, record: AnswerRecord, options: InterpretOptions): Promise<string> {
  for (;;) {
    try {
      return toJson(new RegoSet(walk(one, policy, record, options)));
    } catch (error) {
      if (error instanceof Suspension) await record.answer(error, AbortSignal.timeout(20_000));
      else if (error instanceof HaltError || error instanceof BuiltinError) return `${error.code}: ${error.message}`;
      else return (error as Error).message;
    }
  }
}

/** Undefined where the case does not compile, as many want. */
function planOf(one: Case, version: 'v0' | 'v1'): Policy | undefined {
  try {
    return planCase(one, version);
  } catch {
    return undefined;
  }
}

describe.skipIf(folder === undefined)('our plans of the cases answer alike on other engines', () => {
  test.each([
    ['plans', 'v1'],
    ['rego/v1', 'v1'],
    ['rego/v0', 'v0'],
  ] as const)('%s', { timeout: 600_000 }, async (suite, version) => {
    const different: string[] = [];
    let compared = 0;
    for (const { case: one } of readCases(join(folder!, suite))) {
      const policy = planOf(one, version);
      // Time passes between the two walks.
      if (policy === undefined || one.note === 'time/time caching') continue;
      const record = new AnswerRecord();
      const wanted = await answerOf(one, policy, record, {});
      for (const level of [0, 1, 2] as const) {
        const answer = await answerOf(one, optimize(policy, level), record, otherEngine);
        compared++;
        if (answer !== wanted) different.push(`${one.note} at ${level}: ${answer} instead of ${wanted}`);
      }
    }
    expect(different).toEqual([]);
    expect(compared).toBeGreaterThan(1000);
  });
});
