import { describe, expect, test } from 'vitest';
import { loadProgram } from '../../engine/load-program.js';
import { expandPlan, type ShortBlock, type ShortPolicy } from '../../test/harness/short-plan.js';
import { result } from '../../test/harness/tiers.js';
import { CacheSet } from '../../values/builtins/cache.js';
import { builtins } from '../../values/builtins/registry.js';
import { AnswerRecord } from '../evaluation/answer-record.js';
import { ArrayIndexes } from '../evaluation/array-indexes.js';
import type { CodegenMode } from '../evaluation/engine-context.js';
import { Evaluation } from '../evaluation/evaluation.js';
import type { EvaluationOptions } from '../evaluation/evaluation-options.js';

/** A plan of two nested loops over the input, whose rounds do `work`; it returns the last sum. */
function nested(...work: ShortBlock): ShortPolicy {
  const inner: ShortBlock = [...work, ['Call', { func: 'plus', args: [5, 7], result: 9 }], ['AssignVar', { source: 9, target: 3 }]];
  const outer: ShortBlock = [['Scan', { source: 0, key: 6, value: 7, block: inner }]];
  const loop: ShortBlock = [['Scan', { source: 0, key: 4, value: 5, block: outer }]];
  return { plans: { main: [loop, [['IsDefined', { source: 3 }], ...result(3)]] } };
}

const long = Array.from({ length: 1000 }, (_, i) => i);
const short = long.slice(0, 20);

async function open(policy: ShortPolicy) {
  const executable = await loadProgram(expandPlan(policy), builtins);
  const plan = executable.entrypoints.get('main')!;
  const run = (input: readonly number[], options: EvaluationOptions = {}, codegen: CodegenMode = 'warm') => {
    const context = { host: {}, caches: new CacheSet(), runtime: {}, dataIndexes: new ArrayIndexes(), codegen };
    return executable.run(plan, input, {}, new Evaluation(context, options, new AnswerRecord()));
  };
  return { run, isHot: () => executable.isHot?.(plan) };
}

describe('a run that takes long', () => {
  test('ends in generated code', async () => {
    const { run, isHot } = await open(nested());
    let restarts = 0;
    expect(run(long, { onRestart: () => restarts++ })).toEqual([{ result: 1998 }]);
    expect([isHot(), restarts]).toEqual([true, 1]);
    expect(run(long, { onRestart: () => restarts++ })).toEqual([{ result: 1998 }]);
    expect(restarts).toBe(1);
  });

  test('stays on the VM where no code may be generated', async () => {
    const { run, isHot } = await open(nested());
    expect(run(long, {}, 'never')).toEqual([{ result: 1998 }]);
    expect(isHot()).toBe(false);
  });

  test('prints a line once', async () => {
    const { run } = await open(nested(['Call', { func: 'trace', args: ['"here"'], result: 10 }]));
    const notes: string[] = [];
    run(long.slice(0, 700), { onTrace: (note) => notes.push(note) });
    expect(notes).toHaveLength(700 * 700);
  });

  test.each([1_000, 100_000, 3_000_000])('has %i units, however often it begins', async (instructions) => {
    const outcome = async (codegen: CodegenMode) => {
      const { run } = await open(nested());
      try {
        return run(long, { instructions }, codegen);
      } catch (error) {
        return String(error);
      }
    };
    expect(await outcome('warm')).toEqual(await outcome('never'));
    expect(await outcome('always')).toEqual(await outcome('never'));
  });
});

test('a short run stays on the VM until it was made often', async () => {
  const { run, isHot } = await open(nested());
  for (let i = 0; i < 50; i++) run(short);
  expect(isHot()).toBe(false);
  run(short);
  expect(isHot()).toBe(true);
});

test('runs of a few milliseconds count by their work', async () => {
  const { run, isHot } = await open(nested());
  for (let i = 0; i < 6; i++) run(long.slice(0, 200));
  expect(isHot()).toBe(true);
});
