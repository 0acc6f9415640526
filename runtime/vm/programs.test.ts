import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { loadProgram } from '../../engine/load-program.js';
import { loadPlan } from '../../ir-schema/validate.js';
import { expandPlan, type ShortPolicy } from '../../test/harness/short-plan.js';
import { CacheSet } from '../../values/builtins/cache.js';
import { builtins } from '../../values/builtins/registry.js';
import { equal } from '../../values/equal.js';
import { parseJson, toJson } from '../../values/json/json.js';
import { RegoSet } from '../../values/set.js';
import type { Value } from '../../values/value.js';
import { instructions } from '../bytecode/instructions.js';
import { listInstructions } from '../bytecode/listing.js';
import { linkCold } from '../codegen/link.js';
import { AnswerRecord } from '../evaluation/answer-record.js';
import { ArrayIndexes } from '../evaluation/array-indexes.js';
import { Evaluation } from '../evaluation/evaluation.js';
import { EvaluationError } from '../evaluation/evaluation-errors.js';
import type { Limits } from '../evaluation/evaluation-options.js';
import type { Executable } from '../evaluation/executable.js';
import type { LinkedProgram } from './linked-program.js';
import { interpretPlan } from './plan-interpreter.js';

/** A case of fixtures/programs: a plan in short form, and its result or error. */
interface Case {
  readonly note: string;
  readonly plan: ShortPolicy;
  readonly input?: Value;
  readonly data?: Value;
  readonly want?: readonly Value[];
  /** A part of the error's message. */
  readonly error?: string;
  /** Names of the rules that led to the error, innermost first, and the rows where they were. */
  readonly rules?: readonly string[];
  readonly rows?: readonly number[];
  readonly strict?: boolean;
  readonly limits?: Limits;
  readonly aborted?: boolean;
}

const folder = new URL('../../fixtures/programs/', import.meta.url);
const families = readdirSync(folder).filter((file) => file.endsWith('.json'));
const casesOf = (file: string) => parseJson(readFileSync(new URL(file, folder), 'utf8')) as unknown as readonly Case[];
const used = new Set<string>();

function evaluationOf(one: Case): Evaluation {
  const context = { host: {}, caches: new CacheSet(), runtime: {}, dataIndexes: new ArrayIndexes() };
  const signal = one.aborted === true ? AbortSignal.abort() : undefined;
  return new Evaluation(context, { strictBuiltinErrors: one.strict, signal, ...one.limits }, new AnswerRecord());
}

function expectResults(results: readonly Value[], want: readonly Value[]): void {
  // As JSON: a set is the array of its members.
  const [got, wanted] = [results.map((value) => toJson(value)).sort(), want.map((value) => toJson(value)).sort()];
  expect(got).toEqual(wanted);
}

describe.each(families)('%s', (file) => {
  test.each(casesOf(file).map((one) => [one.note, one] as const))('%s', async (_note, one) => {
    const policy = expandPlan(one.plan);
    const executable = (await loadProgram(policy, builtins)) as LinkedProgram;
    const cold = linkCold(loadPlan(policy), builtins);
    const program = executable.program.growth!.whole();
    for (const func of program.functions) for (const { name } of listInstructions(program, func)) used.add(name);
    expect(cold.entrypoints).toEqual(executable.entrypoints);
    const run = (how: Executable) => how.run(how.entrypoints.get('main')!, one.input, one.data ?? {}, evaluationOf(one));
    const evaluate = () => run(executable);
    if (one.error === undefined) {
      const results = evaluate();
      expectResults(results, one.want!);
      expectResults(run(cold), one.want!);
      expectResults(
        interpretPlan(loadPlan(policy), { plan: 'main', input: one.input, data: one.data ?? {} }, builtins, evaluationOf(one)),
        one.want!,
      );
      expect(equal(new RegoSet(evaluate()), new RegoSet(results))).toBe(true);
      return;
    }
    const error = errorOf(evaluate);
    expect(errorOf(() => run(cold))).toMatchObject({ message: error.message, rules: error.rules });
    expect(error.message).toContain(one.error);
    expect(error.message).toMatch(/^test\.rego:\d+: /);
    expect(error.rules[0]).toMatchObject(error.location!);
    if (one.rules !== undefined) expect(error.rules.map(({ name }) => name)).toEqual(one.rules);
    if (one.rows !== undefined) expect(error.rules.map(({ row }) => row)).toEqual(one.rows);
  });
});

/** Plans in full, as a compiler writes them. */
interface FullCase {
  readonly note: string;
  readonly entrypoints: readonly string[];
  readonly plan: unknown;
  readonly input?: Value;
  readonly data?: Value;
  readonly want_plan_result: readonly Value[];
}

describe.each(['allow', 'every-statement'])('fixtures/plans/%s.json', (name) => {
  const text = readFileSync(new URL(`../plans/${name}.json`, folder), 'utf8');
  test.each((parseJson(text) as unknown as { cases: readonly FullCase[] }).cases)(
    '$note',
    async ({ plan, entrypoints, input, data, want_plan_result }) => {
      const executable = await loadProgram(plan, builtins);
      const evaluation = () => evaluationOf({ note: '', plan: { plans: {} } });
      expectResults(executable.run(executable.entrypoints.get(entrypoints[0]!)!, input, data ?? {}, evaluation()), want_plan_result);
      expectResults(
        interpretPlan(loadPlan(plan), { plan: entrypoints[0]!, input, data: data ?? {} }, builtins, evaluation()),
        want_plan_result,
      );
    },
  );
});

test('deep calls of large functions are cut off before they take the memory', async () => {
  const locals = Array.from({ length: 5000 }, (_, i) => ['AssignVar', { source: 5, target: 10 + i }] as const);
  const appends = locals.map((_, i) => ['ArrayAppend', { array: 6, value: 10 + i }] as const);
  const body = [
    ['Call', { func: 'f', args: [0, 1, 5], result: 7 }],
    ['MakeArray', { target: 6 }],
    ...appends,
    ['ReturnLocal', { source: 7 }],
  ] as const;
  const many = locals.map(
    ([, { target }]) =>
      [
        ['IsUndefined', { source: target }],
        ['AssignVar', { source: 5, target }],
      ] as const,
  );
  const plan: ShortPolicy = {
    plans: { main: [[['Call', { func: 'f', args: [0, 1, 1], result: 2 }]]] },
    funcs: { f: { params: [0, 1, 5], blocks: [...many, body] } },
  };
  const executable = await loadProgram(expandPlan(plan), builtins);
  const evaluation = evaluationOf({ note: '', plan });
  expect(errorOf(() => executable.run(executable.entrypoints.get('main')!, 1, {}, evaluation)).message).toContain(
    'calls take too many registers',
  );
});

test('every instruction stands in some case', () => {
  expect(
    Object.values(instructions)
      .map(({ name }) => name)
      .filter((name) => !used.has(name)),
  ).toEqual([]);
});

function errorOf(evaluate: () => unknown): EvaluationError {
  try {
    evaluate();
  } catch (error) {
    if (error instanceof EvaluationError) return error;
    throw error;
  }
  throw new Error('there was no error');
}
