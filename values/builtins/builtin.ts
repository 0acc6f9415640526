/**
 * How a built-in function is declared: one row that the type checker, the VM, the capabilities file
 * and the docs all read. The sentences and examples of the docs: `values/builtins/guide.ts`.
 */
import { keyText } from '../hash.js';
import type { CheckedValue, Type, TypeOf } from '../type.js';
import type { Value } from '../value.js';
import type { BuiltinContext } from './builtin-context.js';
import type { Cost } from './cost.js';

/**
 * Reads an operand for the body: returns the value that the body gets, or throws a BuiltinError.
 * Positions count from 1. The operands of a call are read in their order.
 */
export type OperandReader<V = unknown> = (operand: Value, position: number, context: BuiltinContext) => V;

/** An operand: its name is for the docs. The body gets it as a `V`. */
export interface Operand<V = unknown> {
  readonly name: string;
  /** The type that the compiler checks. */
  readonly type: Type;
  /** Without a reader the operand is checked against its type. */
  readonly read?: OperandReader<V>;
}

/**
 * The function of a built-in. It gets its operands as they were read, then the context. It answers
 * undefined where the call is undefined without being an error, and throws a BuiltinError (see
 * `builtin-errors.ts`) where it is one. `builtin` checks a body against its declaration.
 */
// biome-ignore lint/suspicious/noExplicitAny: rows of all declarations stand in one table
export type BuiltinBody = (...operands: any[]) => Value | undefined;

export interface BuiltinOptions {
  /** The operator that calls it, such as `+`. */
  readonly infix?: string | undefined;
  readonly deprecated?: boolean | undefined;
  /**
   * Its answer may change between evaluations; within one the same operands get the same answer.
   */
  readonly nondeterministic?: boolean | undefined;
  /** The type of further operands, of any number. The body gets them as one array. */
  readonly variadic?: Type | undefined;
  /** Loads a large library that the body needs. A program awaits it once, when it is prepared. */
  readonly load?: (() => Promise<unknown>) | undefined;
  /** Stated by every built-in of ours. A host's own without it counts as constant. */
  readonly cost?: Cost | undefined;
}

export interface Builtin extends BuiltinOptions {
  /** The body answers an array of all the values that the call may have. */
  readonly relation?: boolean;
  /** The body gets the place of the call, `file:row`, after the operands, if the place is known. */
  readonly isPlaced?: boolean;
  readonly name: string;
  readonly args: readonly Operand[];
  /** Undefined for a built-in without a result (`print`). */
  readonly result: Type | undefined;
  readonly body: BuiltinBody;
}

/** An operand that is checked against its type: the body gets a value of the type. */
export function arg<V>(name: string, type: TypeOf<V>): Operand<CheckedValue<V>>;
/** An operand with a reader, which replaces that check: the body gets the reader's result. */
export function arg<V>(name: string, type: Type, read: OperandReader<V>): Operand<V>;
export function arg(name: string, type: Type, read?: OperandReader): Operand {
  return read === undefined ? { name, type } : { name, type, read };
}

// biome-ignore lint/suspicious/noExplicitAny: an operand of any type
type AnyOperands = readonly Operand<any>[];

/** The types of a body's operands. */
type OperandValues<A extends AnyOperands> = { [i in keyof A]: A[i] extends Operand<infer V> ? V : never };

type MoreOperands<O extends BuiltinOptions> = O['variadic'] extends Type ? [more: readonly Value[]] : [];

type Given<A extends AnyOperands, O extends BuiltinOptions> = [
  ...OperandValues<A>,
  ...MoreOperands<O>,
  context: BuiltinContext,
];

/**
 * A row. Its operands are read before the body runs; a number may be an `ExactNumber`, which
 * `Number(n)` converts.
 * @example
 * builtin('acme.double', [arg('n', types.number)], types.number, (n) => Number(n) * 2);
 */
export function builtin<const A extends AnyOperands, R = Value, const O extends BuiltinOptions = BuiltinOptions>(
  name: string,
  args: A,
  result: TypeOf<R> | undefined,
  body: (...given: Given<A, O>) => NoInfer<R> | undefined,
  options?: O,
): Builtin {
  return { name, args, result, body: body as BuiltinBody, ...options };
}

/** A row whose call is true of each value in the array that the body returns. */
export function relation<const A extends AnyOperands, R, const O extends BuiltinOptions = BuiltinOptions>(
  name: string,
  args: A,
  result: TypeOf<R>,
  body: (...given: Given<A, O>) => readonly NoInfer<R>[] | undefined,
  options?: O,
): Builtin {
  return { name, args, result, body: body as BuiltinBody, relation: true, ...options };
}

/**
 * A row whose body takes time. The evaluation that calls it ends its attempt, and runs again when
 * the answer is there. One evaluation asks once for the same operands.
 */
export function asyncBuiltin<const A extends readonly Operand<Value>[], R>(
  name: string,
  args: A,
  result: TypeOf<R>,
  body: (operands: OperandValues<A>, signal: AbortSignal) => Promise<NoInfer<R> | undefined>,
  options?: BuiltinOptions,
): Builtin {
  const waiting: BuiltinBody = (...given: unknown[]) => {
    const operands = given.slice(0, args.length);
    const context = given[args.length] as BuiltinContext;
    const start = (signal: AbortSignal) =>
      body(operands as unknown as OperandValues<A>, signal) as Promise<Value | undefined>;
    return context.wait(`${name}${keyText(operands as Value[])}`, start);
  };
  return { name, args, result, body: waiting, ...options };
}
