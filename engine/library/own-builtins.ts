/** Declarations of a host's own built-ins. */
import {
  asyncBuiltin as asyncRow,
  type Builtin,
  type BuiltinBody,
  type BuiltinOptions,
  type Operand,
  builtin as row,
} from '../../runtime/builtins/builtin.js';
import type { Type } from '../../runtime/values/type.js';
import type { Value } from '../../runtime/values/value.js';

export interface OwnBuiltinOptions extends BuiltinOptions {
  /** The body answers an array of all the values that the call may have. */
  readonly relation?: boolean;
}

/**
 * A built-in of the host. A call checks its operands against their types before the body runs; a
 * number may be an `ExactNumber`, which `Number(n)` converts.
 * @example
 * builtin('acme.double', [arg('n', types.number)], types.number, (n) => Number(n) * 2);
 */
export function builtin(
  name: string,
  args: readonly Operand[],
  result: Type | undefined,
  body: BuiltinBody,
  options: OwnBuiltinOptions = {},
): Builtin {
  return { ...row(name, args, result, body), ...options };
}

/**
 * A built-in of the host whose body takes time. The evaluation that calls it ends its attempt, and
 * runs again when the answer is there. One evaluation asks once for the same operands.
 */
export function asyncBuiltin(
  name: string,
  args: readonly Operand[],
  result: Type,
  body: (operands: readonly Value[], signal: AbortSignal) => Promise<Value | undefined>,
  options: OwnBuiltinOptions = {},
): Builtin {
  return { ...asyncRow(name, args as readonly Operand<Value>[], result, body as never), ...options };
}
