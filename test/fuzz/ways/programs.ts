/** The VM, generated code, and a walk over the plan. */

import { loadProgram } from '../../../engine/load-program.js';
import { EvaluationPool } from '../../../runtime/evaluation/evaluation.js';
import type { Executable } from '../../../runtime/evaluation/executable.js';
import { interpretPlan, otherEngine } from '../../../runtime/vm/plan-interpreter.js';
import { builtins } from '../../../values/builtins/registry.js';
import { lookup } from '../../../values/compare.js';
import { parseJson, toJson } from '../../../values/json/json.js';
import { allAtOnce } from '../../../values/steps.js';
import type { Value } from '../../../values/value.js';
import { type Answer, answerOf, textsOf } from '../answers.js';
import { planName, type Subject } from '../policy-case.js';
import { contextOf, type Decide, evaluationOf, instructions, limits, type Way } from './way.js';

export function only(results: readonly Value[]): Value | undefined {
  return results.length === 0 ? undefined : lookup(results[0]!, 'result');
}

export function planOf(executable: Executable, { paths }: Subject, path: number): number {
  return executable.entrypoints.get(planName(paths[path]!))!;
}

/** Ways share no documents: indexes and orders are kept beside values. */
function copies({ data, inputs }: Subject): { readonly data: Value; readonly inputs: readonly (Value | undefined)[] } {
  return { data: parseJson(toJson(data)), inputs: inputs.map((input) => (input === undefined ? undefined : parseJson(toJson(input)))) };
}

/** What all others are compared with. */
export const vm = {
  name: 'vm',
  prepare: async (subject: Subject): Promise<Decide> => {
    const executable = await loadProgram(subject.policy, builtins);
    const { data, inputs } = copies(subject);
    const context = contextOf('never');
    return (path, input) =>
      answerOf(() =>
        only(executable.run(planOf(executable, subject, path), inputs[input], data, evaluationOf(context, { ...limits, instructions }))),
      );
  },
};

/** Decided again and again: cold, with indexes, and where there is a function for hot decisions. */
export const code: Way = {
  name: 'code',
  isProgram: true,
  share: 100,
  prepare: async (subject) => {
    const executable = await loadProgram(subject.policy, builtins);
    const { data, inputs } = copies(subject);
    const context = contextOf('always');
    const pool = new EvaluationPool(context);
    return (path, input) => {
      const plan = planOf(executable, subject, path);
      const decide = () => {
        const evaluation = pool.take(limits);
        const value = executable.decide(plan, inputs[input], data, evaluation);
        pool.give(evaluation);
        return value;
      };
      const first = answerOf(decide);
      for (let i = 0; i < 3; i++) {
        const again = answerOf(decide);
        if (differ(again, first)) return again;
      }
      allAtOnce(executable.heat!(plan, executable));
      const standing = executable.standing!(plan, context);
      return standing === undefined ? first : answerOf(() => standing.decide(inputs[input], data));
    };
  },
};

function differ(one: Answer, other: Answer): boolean {
  const [a, b] = textsOf(one, other);
  return a !== b;
}

/** A walk, as another engine would, over the plan that was read back from JSON. */
export const walk: Way = {
  name: 'walk',
  isProgram: false,
  share: 60,
  prepare: async (subject): Promise<Decide> => {
    const { data, inputs } = copies(subject);
    const context = contextOf('never');
    return (path, input) =>
      answerOf(() =>
        only(
          interpretPlan(
            subject.policy,
            { plan: planName(subject.paths[path]!), input: inputs[input], data },
            builtins,
            evaluationOf(context),
            otherEngine,
          ),
        ),
      );
  },
};
