/** How a built-in function is declared: one row that the type checker, the VM, the capabilities file and the docs all read. */
import { keyText } from '../values/hash.js';
import type { Type } from '../values/type.js';
import type { Value } from '../values/value.js';
import type { BuiltinContext } from './context.js';
import type { Cost } from './cost.js';

/** An operand: its name is for the docs. */
export interface Operand {
  readonly name: string;
  readonly type: Type;
}

/**
 * What a built-in does. It gets its operands, already checked against their declared types, then the context. It answers undefined where
 * the call is undefined without being an error, and throws a BuiltinError (see `errors.ts`) where it is one. `never[]` lets rows give the operands the
 * types that their declaration stands for.
 */
// biome-ignore lint/suspicious/noExplicitAny: the declared operand types are what a body relies on; they are checked at run time
export type BuiltinBody = (...operands: any[]) => Value | undefined;

export interface BuiltinOptions {
  /** The operator that stands for it, such as `+`. */
  readonly infix?: string;
  readonly deprecated?: boolean;
  /** It may answer something else each time; within one evaluation the same operands get the same answer. */
  readonly nondeterministic?: boolean;
  /** The body answers an array of all the values that the call may have. */
  readonly relation?: boolean;
  /** Operands of any number, of this type, after the declared ones. The body gets them as one array. */
  readonly variadic?: Type;
  /** Loads what the body needs (a large library) before the first call; a program awaits it once, when it is prepared. */
  readonly load?: () => Promise<unknown>;
  /** Stated by every built-in of ours. A host's own without it counts as constant. */
  readonly cost?: Cost;
  /** The operands are checked by the body, whose error texts differ from the general ones. */
  readonly checksOperands?: boolean;
  /** One line for the docs. */
  readonly description?: string;
}

export interface Builtin extends BuiltinOptions {
  readonly name: string;
  readonly args: readonly Operand[];
  /** Undefined for a built-in without a result (`print`). */
  readonly result: Type | undefined;
  readonly body: BuiltinBody;
}

export function arg(name: string, type: Type): Operand {
  return { name, type };
}

/** A row: `builtin('startswith', [arg('search', string), arg('base', string)], boolean, (search, base) => …)`. */
export function builtin(
  name: string,
  args: readonly Operand[],
  result: Type | undefined,
  body: BuiltinBody,
  options: BuiltinOptions = {},
): Builtin {
  return { name, args, result, body, ...options };
}

/**
 * A row whose body takes time. The evaluation that calls it ends its attempt, and runs again when the answer is there; one evaluation asks once for the same
 * operands.
 */
export function asyncBuiltin(
  name: string,
  args: readonly Operand[],
  result: Type,
  body: (operands: readonly Value[], signal: AbortSignal) => Promise<Value | undefined>,
  options: BuiltinOptions = {},
): Builtin {
  const waiting: BuiltinBody = (...given: unknown[]) => {
    const operands = given.slice(0, args.length) as Value[];
    const context = given[args.length] as BuiltinContext;
    return context.wait(`${name}${keyText(operands)}`, (signal) => body(operands, signal));
  };
  return { name, args, result, body: waiting, ...options };
}
