/**
 * The strict door before a trusting VM: checks that the schema cannot make. Indexes are in range,
 * breaks stay inside, calls have as many arguments as their function, and nothing is mutated in
 * place that the plan did not make.
 */

import { pathKey } from '../../values/index.js';
import { Addresses } from '../address.js';
import type { Func, Policy } from '../plan.js';
import { BodyVerifier, type ReportFault, type Signature } from './body-verifier.js';
import { VerifyError } from './verify-error.js';

/**
 * Throws a VerifyError at the first mistake in a plan. Linear in its size.
 * @returns the names of the built-ins that it calls
 */
export function verify(policy: Policy, builtins: ReadonlyMap<string, Signature>): ReadonlySet<string> {
  return findFaults(policy, builtins, (pointer, message) => {
    throw new VerifyError(pointer, message, new Addresses(policy).atPointer(pointer)?.address);
  });
}

/**
 * Reports all mistakes in a plan. Linear in its size.
 * @returns the names of the built-ins that it calls
 */
export function findFaults(
  policy: Policy,
  builtins: ReadonlyMap<string, Signature>,
  report: ReportFault,
): ReadonlySet<string> {
  const functions = new Map<string, Func>();
  const paths = new Set<string>();
  (policy.funcs?.funcs ?? []).forEach((func, i) => {
    const pointer = `/funcs/funcs/${i}`;
    if (functions.has(func.name)) report(`${pointer}/name`, `function ${func.name} is there twice`);
    functions.set(func.name, func);
    if (func.path === undefined) return;
    const path = pathKey(func.path);
    if (paths.has(path)) report(`${pointer}/path`, `path ${func.path.join('/')} is there twice`);
    paths.add(path);
  });
  const verifier = new BodyVerifier(policy, functions, builtins, report);
  (policy.funcs?.funcs ?? []).forEach((func, i) => {
    verifier.func(func, `/funcs/funcs/${i}`);
  });
  const names = new Set<string>();
  (policy.plans?.plans ?? []).forEach((plan, i) => {
    if (names.has(plan.name)) report(`/plans/plans/${i}/name`, `plan ${plan.name} is there twice`);
    names.add(plan.name);
    verifier.body(plan.blocks ?? [], `/plans/plans/${i}/blocks`, true);
  });
  return verifier.called;
}
