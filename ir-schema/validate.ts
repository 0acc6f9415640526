import { blockFault, type Fault, planFault } from './form/plan-fault.js';
import { eachBlock } from './nesting.js';
import { normalizePlan } from './normalize.js';
import type { Policy } from './plan.js';
import { PlanError, pointTo } from './plan-error.js';
import type { UnknownMembers } from './unknown-members.js';

/**
 * Reads a plan of any release or compiler. One that has the present form is the document itself,
 * any other one is converted by {@link normalizePlan} first.
 * @param value the document as a JSON parser gave it
 * @param unknown receives the members that are not known, and are ignored
 * @throws PlanError
 */
export function loadPlan(value: unknown, unknown?: UnknownMembers): Policy {
  return errorOf(value) === undefined ? (value as Policy) : validatePlan(normalizePlan(value, unknown));
}

/**
 * Holds a document against the form of plans.
 * @returns the same document
 * @throws PlanError with the first fault
 */
export function validatePlan(value: unknown): Policy {
  const error = errorOf(value);
  if (error !== undefined) throw error;
  return value as Policy;
}

/** The error of the first fault; one of the nesting is thrown. */
function errorOf(value: unknown): PlanError | undefined {
  let error = errorAt(planFault(value), () => '');
  eachBlock(value, (block, pointer) => {
    error ??= errorAt(blockFault(block), pointer);
  });
  return error;
}

function errorAt(fault: Fault | undefined, pointer: () => string): PlanError | undefined {
  return fault && new PlanError(pointTo(pointer(), ...fault.steps), fault.reason);
}
