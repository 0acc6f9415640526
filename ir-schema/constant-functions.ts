/**
 * Functions that only build a constant and return it, as compilers write for literals: a call
 * cannot fail and returns the same for any arguments.
 */
import type { Value } from '../values/value.js';
import { constantsOf } from './constants.js';
import { LocalUses } from './local-uses.js';
import type { Func, Policy } from './plan.js';

/** The constants of a policy's functions, by the function's name. */
export function constantFunctions(policy: Policy): ReadonlyMap<string, Value> {
  const strings = policy.static?.strings ?? [];
  const constants = new Map<string, Value>();
  for (const func of policy.funcs?.funcs ?? []) {
    const constant = constantFunction(func, (index) => strings[index]!.value);
    if (constant !== undefined) constants.set(func.name, constant);
  }
  return constants;
}

/** The constant of one function; undefined where it does anything else. */
export function constantFunction({ params, blocks }: Func, stringAt: (index: number) => string): Value | undefined {
  const [block] = blocks ?? [];
  const last = block?.stmts.at(-1);
  if (block === undefined || blocks?.length !== 1 || params?.length !== 2 || last?.type !== 'ReturnLocalStmt') return undefined;
  const { values, done } = constantsOf(block, new LocalUses(blocks, params), stringAt);
  return done.size === block.stmts.length - 1 ? values.get(last.stmt.source) : undefined;
}
