/**
 * Plans, run the plainest way: a walk over the tree, statement by statement. Traces of plans and
 * short decisions of commands are made here, and tests compare the VM with it.
 */

import type { Policy } from '../../ir-schema/index.js';
import type { Builtin, Value } from '../../values/index.js';
import type { Evaluation } from '../evaluation/evaluation.js';
import { PlanMachine } from './plan-machine.js';
import { type InterpretOptions, PlanTables } from './plan-tables.js';

/** The strictest that a plan of ours must work with. */
export const otherEngine: InterpretOptions = { copies: true, calleesFirst: true };

interface Asked {
  readonly plan: string;
  readonly input: Value | undefined;
  readonly data: Value | undefined;
}

/**
 * The result set of a plan, equal objects once. Throws HaltErrors, and BuiltinErrors where errors
 * are strict.
 */
export function interpretPlan(
  policy: Policy,
  asked: Asked,
  builtins: ReadonlyMap<string, Builtin>,
  evaluation: Evaluation,
  options: InterpretOptions = {},
): readonly Value[] {
  return interpretTables(new PlanTables(policy, options), asked, builtins, evaluation, options);
}

/** As `interpretPlan`, for a plan that is walked several times. */
export function interpretTables(
  tables: PlanTables,
  asked: Asked,
  builtins: ReadonlyMap<string, Builtin>,
  evaluation: Evaluation,
  options: InterpretOptions = {},
): readonly Value[] {
  const machine = new PlanMachine(tables, builtins, evaluation, options);
  machine.begin(asked.plan, asked.input, asked.data);
  machine.run();
  return machine.results;
}
