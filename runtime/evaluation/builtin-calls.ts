/** Calls of built-ins: operands are read, errors thrown or made undefined. */

import type { Value } from '../../values/index.js';
import {
  BuiltinError,
  HaltError,
  isStackOverflow,
  mayCost,
  NumberRangeError,
  rangeComplaint,
  readOperands,
  SizeError,
} from '../../values/index.js';
import type { Evaluation } from './evaluation.js';
import { EvaluationError, Suspension } from './evaluation-errors.js';
import type { LinkedBuiltin } from './linked-builtin.js';

export function call1(builtin: LinkedBuiltin, a: Value, evaluation: Evaluation): Value | undefined {
  if (builtin.nondeterministic || builtin.variadic) return callAny(builtin, [a], evaluation);
  try {
    if (builtin.cost !== undefined && mayCost(a)) evaluation.meter.tick(builtin.cost(a));
    if (builtin.strings > 0 && typeof a !== 'string' && evaluation.ignoresErrors) return undefined;
    return builtin.body(builtin.reads ? read(builtin, a, 0, evaluation) : a, evaluation);
  } catch (error) {
    return failed(error, builtin, evaluation);
  }
}

export function call2(builtin: LinkedBuiltin, a: Value, b: Value, evaluation: Evaluation): Value | undefined {
  if (builtin.nondeterministic || builtin.variadic) return callAny(builtin, [a, b], evaluation);
  try {
    if (builtin.cost !== undefined && (mayCost(a) || mayCost(b))) evaluation.meter.tick(builtin.cost(a, b));
    if (!builtin.reads) return builtin.body(a, b, evaluation);
    if (builtin.strings > 0 && evaluation.ignoresErrors) {
      if (typeof a !== 'string' || (builtin.strings > 1 && typeof b !== 'string')) return undefined;
    }
    const first = read(builtin, a, 0, evaluation);
    return builtin.body(first, read(builtin, b, 1, evaluation), evaluation);
  } catch (error) {
    return failed(error, builtin, evaluation);
  }
}

function read({ readers }: LinkedBuiltin, operand: Value, index: number, evaluation: Evaluation): unknown {
  const reader = readers[index];
  return reader === undefined ? operand : reader(operand, index + 1, evaluation);
}

export function callAny(builtin: LinkedBuiltin, operands: readonly Value[], evaluation: Evaluation): Value | undefined {
  try {
    const call = () => bodyCall(builtin, operands, evaluation);
    return builtin.nondeterministic ? evaluation.once(builtin.name, operands, call) : call();
  } catch (error) {
    return failed(error, builtin, evaluation);
  }
}

function bodyCall(builtin: LinkedBuiltin, operands: readonly Value[], evaluation: Evaluation): Value | undefined {
  if (builtin.cost !== undefined) evaluation.meter.tick(builtin.cost(...operands));
  const values = builtin.reads ? readOperands(builtin.readers, operands, evaluation) : operands;
  if (!builtin.variadic) return builtin.body(...values, evaluation);
  return builtin.body(...values.slice(0, builtin.fixed), values.slice(builtin.fixed), evaluation);
}

/**
 * A built-in's error makes the call undefined by default; an exception that is no error of the
 * language ends the evaluation.
 */
export function failed(error: unknown, builtin: Pick<LinkedBuiltin, 'name'>, evaluation: Evaluation): undefined {
  if (error instanceof NumberRangeError) return failed(new BuiltinError(error.message), builtin, evaluation);
  // Not undefined: a decision must not depend on the memory of the machine.
  if (error instanceof SizeError) throw new HaltError('eval_cancel_error', `${builtin.name}: ${error.message}`);
  if (error instanceof BuiltinError) return evaluation.builtinFailed(error, builtin.name);
  if (error instanceof Suspension) error.builtin = builtin.name;
  if (
    error instanceof Suspension ||
    error instanceof HaltError ||
    error instanceof EvaluationError ||
    isStackOverflow(error)
  )
    throw error;
  const complaint = rangeComplaint(error);
  if (complaint !== undefined) return failed(new BuiltinError(complaint), builtin, evaluation);
  const message = error instanceof Error ? error.message : String(error);
  throw new HaltError('eval_builtin_error', `${builtin.name}: ${message}`, { cause: error });
}
