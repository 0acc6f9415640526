/**
 * Functions that only build a constant and return it, as compilers write for literals: a call
 * cannot fail and returns the same for any arguments.
 */
import type { Value } from '../values/index.js';
import { constantsOf } from './constants.js';
import { LocalUses } from './local-uses.js';
import type { Func, Location, Policy, Stmt } from './plan.js';

/** The constants of functions that were made with them. */
const known = new WeakMap<Func, Value>();

/** Notes the constant that a function's statements build, so that nobody reads them to learn it. */
export function withConstant(func: Func, constant: Value): Func {
  known.set(func, constant);
  return func;
}

/** The constant that a function was made with. */
export function knownConstant(func: Func): Value | undefined {
  return known.get(func);
}

/** The policy with a short body in place of one that builds a known constant. */
export function withoutKnownBodies(policy: Policy): Policy {
  const funcs = policy.funcs?.funcs ?? [];
  if (!funcs.some((func) => known.has(func))) return policy;
  return { ...policy, funcs: { funcs: funcs.map((func) => withShortBody(func, known.get(func))) } };
}

const noPlace: Location = { file: 0, row: 0, col: 0, end_row: 0, end_col: 0 };

function withShortBody(func: Func, constant: Value | undefined): Func {
  if (constant === undefined) return func;
  const result = 2;
  const stmts: Stmt[] = [
    { type: 'MakeNullStmt', stmt: { ...noPlace, target: result } },
    { type: 'ReturnLocalStmt', stmt: { ...noPlace, source: result } },
  ];
  return withConstant({ name: func.name, params: func.params, return: result, blocks: [{ stmts }] }, constant);
}

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
export function constantFunction(func: Func, stringAt: (index: number) => string): Value | undefined {
  return known.get(func) ?? builtConstant(func, stringAt);
}

function builtConstant({ params, blocks }: Func, stringAt: (index: number) => string): Value | undefined {
  const [block] = blocks ?? [];
  const last = block?.stmts.at(-1);
  if (block === undefined || blocks?.length !== 1 || params?.length !== 2 || last?.type !== 'ReturnLocalStmt')
    return undefined;
  const { values, done } = constantsOf(block, new LocalUses(blocks, params), stringAt);
  return done.size === block.stmts.length - 1 ? values.get(last.stmt.source) : undefined;
}
