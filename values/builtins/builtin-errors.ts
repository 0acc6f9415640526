import { StacklessError } from '../stackless-error.js';
import { type TypeName, typeName, type Value } from '../value.js';

/**
 * The error of a built-in. By default the call is then undefined; with strict errors it ends the
 * evaluation with `code` and `<name>: <message>`. The message is the reference's, without the name.
 */
export class BuiltinError extends StacklessError {
  override name = 'BuiltinError';
  readonly code: 'eval_type_error' | 'eval_builtin_error';

  constructor(message: string, code: 'eval_type_error' | 'eval_builtin_error' = 'eval_builtin_error') {
    super(message);
    this.code = code;
  }

  /** The same error, its message beginning with the built-in's name. */
  by(name: string): BuiltinError {
    return new BuiltinError(`${name}: ${this.message}`, this.code);
  }
}

/** An error that ends the evaluation whether or not errors are strict. */
export class HaltError extends Error {
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'HaltError';
    this.code = code;
  }
}

/**
 * `operand 1 must be string but got number`; of several types, `must be one of {array, set} but got
 * number`.
 */
export function operandTypeError(position: number, got: Value, ...expected: readonly string[]): BuiltinError {
  const what = expected.length === 1 ? expected[0] : `one of {${expected.join(', ')}}`;
  return new BuiltinError(`operand ${position} must be ${what} but got ${typeName(got)}`, 'eval_type_error');
}

/** `operand 1 must be array of strings but got array containing number`. */
export function operandElementError(
  position: number,
  composite: TypeName,
  got: Value,
  ...expected: readonly string[]
): BuiltinError {
  const what = expected.length === 1 ? `${expected[0]}s` : `(any of) {${expected.join(', ')}}`;
  return new BuiltinError(
    `operand ${position} must be ${composite} of ${what} but got ${composite} containing ${typeName(got)}`,
    'eval_type_error',
  );
}

/** `operand 2 <message>`, a complaint about an operand's value. */
export function operandError(position: number, message: string): BuiltinError {
  return new BuiltinError(`operand ${position} ${message}`, 'eval_type_error');
}
