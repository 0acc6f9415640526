/** Plan → program. The plan has passed the verifier. */
import { withoutKnownBodies } from '../../ir-schema/constant-functions.js';
import type { Policy } from '../../ir-schema/plan.js';
import { fileNames } from '../../ir-schema/query-file.js';
import { pathKey } from '../../values/path-key.js';
import { allAtOnce, type Steps } from '../../values/steps.js';
import { Lowering } from '../lowering/lower/lower.js';
import { constantResult, type LoweredFunction } from '../lowering/lowered.js';
import { type DispatchTable, emitFunction } from './emit.js';
import type { Program, ProgramFunction } from './program.js';
import { statementAddresses } from './statement-addresses.js';

/** Assembles a verified plan. Linear in its size. */
export function assemble(policy: Policy): Program {
  return allAtOnce(assembleSteps(policy));
}

/** As `assemble`, in steps. */
export function* assembleSteps(given: Policy): Steps<Program> {
  const policy = withoutKnownBodies(given);
  return yield* assembleFrom(policy, yield* Lowering.over(policy));
}

/** As `assemble`, for listings: instructions know their statements, see `Program.statements`. */
export function assembleListed(given: Policy): Program {
  const policy = withoutKnownBodies(given);
  return allAtOnce(assembleFrom(policy, allAtOnce(Lowering.over(policy, true))));
}

/**
 * Assembles a verified plan without analyses, in less time: a program for plans of which most run
 * once. The plans have the same numbers as in an analysed program.
 */
export function assembleCold(given: Policy): Program {
  const policy = withoutKnownBodies(given);
  const { lowered: _, ...program } = allAtOnce(assembleFrom(policy, Lowering.cold(policy)));
  return program;
}

function* assembleFrom(policy: Policy, lowering: Lowering): Steps<Program> {
  const functions: ProgramFunction[] = [];
  const code: number[] = [];
  const origins: number[] = [];
  const dispatchTables: DispatchTable[] = [];
  const lowered: LoweredFunction[] = [];
  function* add(func: LoweredFunction): Steps<void> {
    lowered.push(func);
    functions.push(yield* emitFunction(func, lowering.tables.constants, { code, origins, tables: dispatchTables }));
  }
  for (const func of policy.funcs?.funcs ?? []) {
    yield* add(yield* lowering.func(func));
    yield;
  }
  const plans = new Map<string, number>();
  for (const plan of policy.plans?.plans ?? []) {
    plans.set(plan.name, functions.length);
    yield* add(yield* lowering.plan(plan));
  }
  const paths = new Map<string, number>();
  functions.forEach(({ path }, i) => {
    if (path !== undefined) paths.set(pathKey(path), constantResult(lowered[i]!) ?? i);
  });
  const { constants, builtins, documentPaths, places, placed, statements } = lowering.tables;
  return {
    code: new Int32Array(code),
    constants,
    functions,
    plans,
    paths,
    builtins,
    documentPaths,
    tables: dispatchTables,
    files: fileNames(policy),
    origins: new Int32Array(origins),
    places: new Int32Array(places),
    addresses: statementAddresses(policy, placed),
    lowered,
    ...(statements && { statements }),
  };
}
