/** Ways to decide. */

import { AnswerRecord } from '../../../runtime/evaluation/answer-record.js';
import { ArrayIndexes } from '../../../runtime/evaluation/array-indexes.js';
import type { CodegenMode, EngineContext } from '../../../runtime/evaluation/engine-context.js';
import { Evaluation } from '../../../runtime/evaluation/evaluation.js';
import type { EvaluationOptions } from '../../../runtime/evaluation/evaluation-options.js';
import { KeptResults } from '../../../runtime/evaluation/kept-results.js';
import { CacheSet } from '../../../values/builtins/cache.js';
import { nodeHost } from '../../../values/builtins/host/node.js';
import { toJson } from '../../../values/json/json.js';
import { toPlain } from '../../../values/json/plain-form.js';
import type { Value } from '../../../values/value.js';
import type { Answer } from '../answers.js';
import type { Subject } from '../policy-case.js';

/** The answer for a path and an input, by their numbers; each call counts as an evaluation. */
export type Decide = (path: number, input: number) => Answer | Promise<Answer>;

/** A policy that a way must take, and does not. */
export interface Unprepared {
  readonly problem: string;
}

export interface Way {
  readonly name: string;
  /**
   * Whether it runs a program of the policies as they are. Then it has the errors of the VM, too.
   * Other ways may evaluate in another order, and so come to other conflicts.
   */
  readonly isProgram: boolean;
  /** In how many of a hundred policies it takes part: slower ones in fewer. */
  readonly share: number;
  /** Undefined where it does not take such a policy. */
  prepare(subject: Subject, random: (limit: number) => number): Promise<Decide | Unprepared | undefined>;
}

/** More than any small policy needs; other policies are left out. */
export const instructions = 100_000;

/** Other ways count in other places. */
export const limits: EvaluationOptions = { instructions: 10 * instructions, timeMs: 20_000, timeNs: 0n, random: () => 0.5 };

/** Stands for an input that is no JavaScript value. */
export const noPlainInput: Answer = { skipped: 'inputs with numbers that JavaScript writes otherwise' };

/** The inputs as JavaScript values; `noPlainInput` where that changes how a number is written. */
export function plainInputs({ inputs }: Subject): readonly unknown[] {
  return inputs.map((input) => {
    if (input === undefined) return undefined;
    const plain = toPlain(input);
    return toJson(plain as Value) === toJson(input) ? plain : noPlainInput;
  });
}

export function contextOf(codegen: CodegenMode): EngineContext {
  return {
    host: nodeHost,
    caches: new CacheSet(),
    runtime: {},
    dataIndexes: new ArrayIndexes(),
    keptResults: new KeptResults(),
    codegen,
  };
}

export function evaluationOf(context: EngineContext, options: EvaluationOptions = limits): Evaluation {
  return new Evaluation(context, options, new AnswerRecord());
}
