import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadProgram } from '../../engine/load-program.js';
import { loadPlan } from '../../ir-schema/validate.js';
import { AnswerRecord } from '../../runtime/evaluation/answer-record.js';
import { ArrayIndexes } from '../../runtime/evaluation/array-indexes.js';
import type { EngineContext } from '../../runtime/evaluation/engine-context.js';
import { Evaluation } from '../../runtime/evaluation/evaluation.js';
import { EvaluationError, Suspension } from '../../runtime/evaluation/evaluation-errors.js';
import { interpretPlan } from '../../runtime/vm/plan-interpreter.js';
import { BuiltinError, HaltError } from '../../values/builtins/builtin-errors.js';
import { CacheSet } from '../../values/builtins/cache.js';
import { nodeHost } from '../../values/builtins/host/node.js';
import { equal } from '../../values/equal.js';
import { toJson } from '../../values/json/json.js';
import { RegoSet } from '../../values/set.js';
import type { Value } from '../../values/value.js';
import { openSession } from '../../views/debug/open-session.js';
import { planDebugProgram } from '../../views/debug/programs.js';
import { expectExactCounts } from '../harness/statement-counts.js';
import { type Case, conformanceFolder, readCases } from './cases.js';
import { caseBuiltins } from './evaluate.js';
import { runModuleCase } from './modules.js';
import { runPlanCase } from './plans.js';
import { passedOverLine, type Result, report } from './report.js';
import { parseModuleToValue, valueOfText } from './terms.js';

const folder = conformanceFolder();
const cases = folder === undefined ? [] : readCases(join(folder, 'plans'));
if (folder === undefined) console.log('conformance: skipped, there is no ../shared/conformance and WRIT_CONFORMANCE names none');

test.skipIf(folder === undefined).each([
  ['on the VM', 'never'],
  ['in generated code', 'always'],
] as const)('every plan case passes %s, but for the gaps that are listed with a reason', { timeout: 300_000 }, async (_title, codegen) => {
  const results: Result[] = [];
  for (const found of cases) results.push({ found, outcome: await runPlanCase(found.case, codegen) });
  const { passed, failed, lines } = report('plans', results);
  expect(failed, lines.join('\n')).toBe(0);
  expect(passed).toBeGreaterThan(0);
});

test.skipIf(folder === undefined)(
  'every plan case passes in a JavaScript module, unless its built-ins cannot be in one',
  { timeout: 300_000 },
  () => {
    const { passed, failed, lines, passedOver } = report(
      'module',
      cases.map((found) => ({ found, outcome: runModuleCase(found.case) })),
    );
    console.log(`modules: ${passed} cases passed, ${passedOverLine(passedOver)}`);
    expect(failed, lines.join('\n')).toBe(0);
    expect(passed).toBeGreaterThan(1500);
  },
);

test.skipIf(folder === undefined)('every plan of the cases gives the results of the plan interpreter', { timeout: 300_000 }, async () => {
  const differing: string[] = [];
  for (const { case: one } of cases) {
    // The two runs take place at different times, which these cases observe.
    if (JSON.stringify(one.plan).includes('test.sleep')) continue;
    const { note, answer, walked } = await bothAnswers(one);
    if (answer !== walked) differing.push(`${note}: ${answer.slice(0, 300)} but ${walked.slice(0, 300)}`);
  }
  expect(differing).toEqual([]);
});

/**
 * The results of the program and of the plan interpreter, as texts; both use one record of slow and
 * non-deterministic results.
 */
async function bothAnswers(one: Case): Promise<{ note: string; answer: string; walked: string }> {
  const record = new AnswerRecord();
  const evaluation = () =>
    new Evaluation(
      contextOf(one),
      { strictBuiltinErrors: one.strict_error === true, timeNs: 1_700_000_000_000_000_000n, timeMs: 20_000 },
      record,
    );
  const input = inputOf(one);
  const entrypoint = one.entrypoints![0]!;
  const executable = await loadProgram(one.plan, caseBuiltins);
  const target = executable.entrypoints.get(entrypoint)!;
  const answer = await textOf(record, () => executable.run(target, input, one.data ?? {}, evaluation()));
  const walked = await textOf(record, () =>
    interpretPlan(loadPlan(one.plan), { plan: entrypoint, input, data: one.data ?? {} }, caseBuiltins, evaluation()),
  );
  return { note: one.note, answer, walked };
}

function contextOf({ env }: Case): EngineContext {
  return {
    host: nodeHost,
    caches: new CacheSet(),
    runtime: env === undefined ? {} : { env },
    dataIndexes: new ArrayIndexes(),
    parseModule: parseModuleToValue,
  };
}

function inputOf(one: Case): Value | undefined {
  return one.input_term === undefined ? one.input : valueOfText(one.input_term);
}

async function textOf(record: AnswerRecord, evaluate: () => readonly Value[]): Promise<string> {
  for (;;) {
    try {
      return toJson(new RegoSet(evaluate()));
    } catch (error) {
      if (error instanceof Suspension) await record.answer(error, AbortSignal.timeout(20_000));
      else if (error instanceof EvaluationError) return `${error.code}: ${error.detail}`;
      else if (error instanceof HaltError || error instanceof BuiltinError) return `${error.code}: ${error.message}`;
      else throw error;
    }
  }
}

test.skipIf(folder === undefined)('a profile counts each statement of every plan case, and no other', { timeout: 300_000 }, async () => {
  let statements = 0;
  for (const { case: one } of cases) {
    // The runs take place at different times, which these cases observe.
    if (JSON.stringify(one.plan).includes('test.sleep')) continue;
    const record = new AnswerRecord();
    const context = contextOf(one);
    const [input, entrypoint, data] = [inputOf(one), one.entrypoints![0]!, one.data ?? {}];
    const options = { strictBuiltinErrors: one.strict_error === true, timeNs: 1_700_000_000_000_000_000n };
    // Built-ins that wait have answers then.
    await textOf(record, () =>
      interpretPlan(loadPlan(one.plan), { plan: entrypoint, input, data }, caseBuiltins, new Evaluation(context, options, record)),
    );
    statements += expectExactCounts({ plan: one.plan, entrypoint, input, data, builtins: caseBuiltins, context, options, record });
  }
  expect(statements).toBeGreaterThan(10_000);
});

test.skipIf(folder === undefined)(
  'every plan case can be debugged without its source, and comes to its result',
  { timeout: 300_000 },
  async () => {
    const differing: string[] = [];
    let stepped = 0;
    for (const { case: one } of cases) {
      // The two runs take place at different times, which these cases observe.
      if (JSON.stringify(one.plan).includes('test.sleep')) continue;
      const [input, entrypoint, data] = [inputOf(one), one.entrypoints![0]!, one.data ?? {}];
      const record = new AnswerRecord();
      const options = { strictBuiltinErrors: one.strict_error === true, timeNs: 1_700_000_000_000_000_000n };
      const surroundings = { context: contextOf(one), builtins: caseBuiltins, input, data, sources: [], ...options };
      const program = await planDebugProgram(loadPlan(one.plan), entrypoint, {
        ...surroundings,
        known: record.nondeterministic,
        info: undefined,
        compiled: undefined,
        answer: (results) => ({ value: new RegoSet(results), solutions: results }),
      });
      // The program has loaded the libraries of its built-ins.
      const walked = await textOf(record, () =>
        interpretPlan(loadPlan(one.plan), { plan: entrypoint, input, data }, caseBuiltins, new Evaluation(contextOf(one), options, record)),
      );
      const session = openSession(program);
      await session.start({ stopOnEntry: true });
      for (const granularity of ['expression', 'statement', 'statement'] as const) {
        const { at, frame } = session.stop!;
        if (frame === undefined) break;
        for (const scope of session.scopes(frame.id)) scope.variables();
        await session.into({ granularity });
        const back = await session.back({ granularity });
        expect([back.at, back.frame?.address]).toEqual([at, frame.address]);
        await session.into({ granularity });
        stepped++;
      }
      const { outcome } = session.stop?.reason === 'end' ? session.stop : await session.continue();
      const answer = outcome?.kind === 'error' ? `${outcome.code}: ${outcome.message}` : toJson(outcome!.value!);
      if (answer !== walked) differing.push(`${one.note}: ${answer.slice(0, 300)} but ${walked.slice(0, 300)}`);
    }
    expect(differing).toEqual([]);
    expect(stepped).toBeGreaterThan(5000);
  },
);

test('a ground term is converted to its value', () => {
  expect(equal(valueOfText('{"a": {3, 1, 2}, [1]: null}'), valueOfText('{[1.0]: null, "a": {1, 2, 3, 3},}'))).toBe(true);
  expect(() => valueOfText('x')).toThrow();
});
