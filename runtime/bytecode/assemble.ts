/** Plan → program. The plan has passed the verifier: locals, indexes, break depths and calls are known to be right. */
import type { Policy } from '../../ir-schema/plan.js';
import { constantFunction } from '../lowering/constants.js';
import { pathKey } from '../values/path-key.js';
import { allAtOnce, type Steps } from '../values/steps.js';
import { FunctionAssembler } from './function-assembler.js';
import { Pool } from './pool.js';
import type { Program, ProgramFunction } from './program.js';

/** Assembles a verified plan. Linear in its size. */
export function assemble(policy: Policy): Program {
  return allAtOnce(assembleSteps(policy));
}

/** As `assemble`, in steps. */
export function* assembleSteps(policy: Policy): Steps<Program> {
  const pool = new Pool(policy);
  const functions: ProgramFunction[] = [];
  const code: number[] = [];
  const origins: number[] = [];
  const funcs = policy.funcs?.funcs ?? [];
  const plans = policy.plans?.plans ?? [];
  for (const [i, func] of funcs.entries()) {
    pool.functions.set(func.name, i);
    const constant = constantFunction(func, (index) => pool.string(index));
    if (constant !== undefined) pool.constantFunctions.set(func.name, pool.constant(constant));
    yield;
  }
  for (const func of funcs) {
    const kind = func.params?.length === 2 ? 'rule' : 'function';
    const body = yield* (yield* FunctionAssembler.over(pool, func.params ?? [], func.blocks ?? [])).assemble(code, origins);
    functions.push({ name: func.name, kind, path: func.path, ...body });
    yield;
  }
  const entrypoints = new Map<string, number>();
  for (const plan of plans) {
    entrypoints.set(plan.name, functions.length);
    const body = yield* (yield* FunctionAssembler.over(pool, [0, 1], plan.blocks ?? [])).assemble(code, origins);
    functions.push({ name: plan.name, kind: 'plan', path: undefined, ...body });
  }
  const paths = new Map<string, number>();
  functions.forEach(({ path }, i) => {
    if (path !== undefined) paths.set(pathKey(path), i);
  });
  return {
    code: new Int32Array(code),
    constants: pool.constants,
    functions,
    plans: entrypoints,
    paths,
    builtins: pool.builtins,
    documentPaths: pool.documentPaths,
    tables: pool.tables,
    files: (policy.static?.files ?? []).map(({ value }) => value),
    origins: filled(origins, code.length),
    places: new Int32Array(pool.places),
  };
}

/** Numbers of which some may be missing: those are 0. */
function filled(numbers: readonly (number | undefined)[], length: number): Int32Array {
  const array = new Int32Array(length);
  for (let i = 0; i < length; i++) array[i] = numbers[i] ?? 0;
  return array;
}
