/** Plans that are run on the VM and in generated code. */
import { expect } from 'vitest';
import { loadProgram } from '../../engine/load-program.js';
import { packExecutable, unpackExecutable } from '../../runtime/codegen/packed-executable.js';
import { AnswerRecord } from '../../runtime/evaluation/answer-record.js';
import { ArrayIndexes } from '../../runtime/evaluation/array-indexes.js';
import type { CodegenMode } from '../../runtime/evaluation/engine-context.js';
import { Evaluation } from '../../runtime/evaluation/evaluation.js';
import type { EvaluationOptions } from '../../runtime/evaluation/evaluation-options.js';
import { type Executable, resultOf } from '../../runtime/evaluation/executable.js';
import { CacheSet } from '../../values/builtins/cache.js';
import { builtins } from '../../values/builtins/registry.js';
import type { Value } from '../../values/value.js';
import { expandPlan, type ShortBlock, type ShortPolicy } from './short-plan.js';

async function outcome(policy: ShortPolicy, input: Value, codegen: CodegenMode, options: EvaluationOptions = {}): Promise<unknown> {
  const loaded = await loadProgram(expandPlan(policy), builtins);
  const here = outcomeOf(loaded, input, codegen, options);
  // A program that comes from another thread or from a file.
  const unpacked = await unpackExecutable(packExecutable(loaded), builtins);
  expect(outcomeOf(unpacked, input, codegen, options)).toEqual(here);
  return here;
}

/** The answer of an executable in one of them. */
export function outcomeOf(executable: Executable, input: Value, codegen: CodegenMode, options: EvaluationOptions): unknown {
  const context = { host: {}, caches: new CacheSet(), runtime: {}, dataIndexes: new ArrayIndexes(), codegen };
  const evaluation = () => new Evaluation(context, options, new AnswerRecord());
  const main = executable.entrypoints.get('main')!;
  try {
    const results = executable.run(main, input, {}, evaluation());
    expect(executable.decide(main, input, {}, evaluation())).toEqual(resultOf(results));
    return results;
  } catch (error) {
    return String(error);
  }
}

/** The answers of a plan in both. */
export async function both(policy: ShortPolicy, input: Value, options: EvaluationOptions = {}): Promise<unknown> {
  const vm = await outcome(policy, input, 'never', options);
  expect(await outcome(policy, input, 'always', options)).toEqual(vm);
  return vm;
}

/** Statements that make a local the result. */
export const result = (source: number): ShortBlock => [
  ['MakeObject', { target: 90 }],
  ['ObjectInsert', { object: 90, key: 'result', value: source }],
  ['ResultSetAdd', { value: 90 }],
];
