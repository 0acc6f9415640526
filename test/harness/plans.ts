/** One-line assertions about decisions of plans and their statements. */

import { expect } from 'vitest';
import { optimize } from '../../compiler/optimize/pipeline.js';
import { compileQuery } from '../../compiler/pipeline.js';
import { type PlanOptions, plan } from '../../compiler/plan/planner.js';
import type { Compiled, CompiledQuery } from '../../compiler/resolve/compiled.js';
import { parseQuery } from '../../compiler/syntax/query.js';
import { evaluateAsync } from '../../engine/evaluation/evaluate.js';
import { loadProgram } from '../../engine/load-program.js';
import type { Policy, Stmt } from '../../ir-schema/plan.js';
import { validatePlan } from '../../ir-schema/validate.js';
import { walkStatements } from '../../ir-schema/walk.js';
import { AnswerRecord } from '../../runtime/evaluation/answer-record.js';
import { ArrayIndexes } from '../../runtime/evaluation/array-indexes.js';
import { Evaluation } from '../../runtime/evaluation/evaluation.js';
import { EvaluationError, Suspension } from '../../runtime/evaluation/evaluation-errors.js';
import { interpretPlan, otherEngine } from '../../runtime/vm/plan-interpreter.js';
import { HaltError } from '../../values/builtins/builtin-errors.js';
import { CacheSet } from '../../values/builtins/cache.js';
import { nodeHost } from '../../values/builtins/host/node.js';
import { builtins } from '../../values/builtins/registry.js';
import { compare } from '../../values/compare.js';
import { toJson } from '../../values/json/json.js';
import type { Value } from '../../values/value.js';
import { compileTexts, type TestOptions } from './complaints.js';

export type Texts = string | readonly string[];

/** A text without a package is in `package t`. */
export function compileFor(texts: Texts, options: TestOptions = {}): Compiled {
  const compiled = compileTexts(typeof texts === 'string' ? [texts] : texts, options);
  expect(compiled.diagnostics.map(({ message, location }) => `${location?.row}: ${message}`)).toEqual([]);
  return compiled;
}

export function queryFor(compiled: Compiled, query: string): CompiledQuery {
  const compiledQuery = compileQuery(compiled, parseQuery(query));
  expect(compiledQuery.diagnostics.map(({ message }) => message)).toEqual([]);
  return compiledQuery;
}

/** The plan `eval` of a query over modules. */
export function planFor(texts: Texts, query: string, options?: TestOptions & PlanOptions): Policy {
  const compiled = compileFor(texts, options);
  return plan(compiled, [{ name: 'eval', query: queryFor(compiled, query) }], options);
}

/**
 * The solutions of a plan as JSON in the language's order, or the code of the error. They must be
 * the same at each level of optimization, and in an engine that copies inserted values and knows
 * only functions written before their caller.
 */
export async function answerOf(
  policy: Policy,
  input?: Value,
  data: Value = {},
  levels: readonly (0 | 1 | 2)[] = [0, 1, 2],
): Promise<string> {
  const answers: string[] = [];
  for (const level of levels) {
    const optimized = level === 0 ? policy : optimize(policy, level);
    validatePlan(optimized);
    const answer = await runPlan(optimized, input, data);
    answers.push(answer);
    const walked = walkPlan(optimized, input, data);
    // A loop that ends with its first value does not come by the conflict in a later round.
    if (walked !== undefined && walked !== 'eval_conflict_error') expect(walked).toBe(answer);
  }
  const [first, ...others] = answers;
  for (const other of others) expect(other).toBe(first);
  return first!;
}

async function runPlan(policy: Policy, input: Value | undefined, data: Value): Promise<string> {
  const executable = await loadProgram(policy, builtins);
  const surroundings = { host: nodeHost, caches: new CacheSet(), runtime: {}, dataIndexes: new ArrayIndexes() };
  try {
    const results = await evaluateAsync({ executable, plan: executable.entrypoints.get('eval')! }, { input, data }, surroundings, {
      timeMs: 20_000,
    });
    return toJson([...results].sort(compare));
  } catch (error) {
    if (error instanceof EvaluationError) return error.code;
    throw error;
  }
}

/** The same from another engine; undefined where a built-in would have to wait. */
function walkPlan(policy: Policy, input: Value | undefined, data: Value): string | undefined {
  const surroundings = { host: nodeHost, caches: new CacheSet(), runtime: {}, dataIndexes: new ArrayIndexes() };
  const evaluation = new Evaluation(surroundings, { timeMs: 20_000 }, new AnswerRecord());
  try {
    return toJson([...interpretPlan(policy, { plan: 'eval', input, data }, builtins, evaluation, otherEngine)].sort(compare));
  } catch (error) {
    if (error instanceof Suspension) return undefined;
    if (error instanceof HaltError) return error.code;
    throw error;
  }
}

export interface Given {
  readonly input?: Value;
  readonly data?: Value;
}

/**
 * Asserts the result of a query: `undefined`, one value (of `x` in `x = …`, or of the term itself),
 * `{ solutions }`, or the code of an error.
 *
 * @example expectDecision('p := 1', 'data.t.p', 1)
 */
export async function expectDecision(texts: Texts, query: string, wanted: Value | undefined, given: Given = {}): Promise<void> {
  const answer = await answerOf(planFor(texts, `wanted = ${query}`), given.input, given.data);
  expect(answer).toBe(wanted === undefined ? '[]' : toJson([{ wanted }]));
}

/** Asserts all solutions of a query, in the language's order. */
export async function expectSolutions(texts: Texts, query: string, wanted: readonly Value[], given: Given = {}): Promise<void> {
  expect(await answerOf(planFor(texts, query), given.input, given.data)).toBe(toJson(wanted));
}

/** Asserts that an evaluation ends with an error of this code. */
export async function expectError(texts: Texts, query: string, code: string, given: Given = {}): Promise<void> {
  expect(await answerOf(planFor(texts, query), given.input, given.data)).toBe(code);
}

/** The statements of a plan and its functions, nested ones too. */
export function statementsOf(policy: Policy): readonly Stmt[] {
  const found: Stmt[] = [];
  walkStatements(policy, (stmt) => found.push(stmt));
  return found;
}
