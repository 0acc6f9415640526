/** Operands that several families of built-ins over strings share. */
import { sortedMembers } from '../values/compare.js';
import { checkTextLength, SizeError } from '../values/memory.js';
import { isSet, type Value } from '../values/value.js';
import { BuiltinError, operandElementError, operandTypeError } from './errors.js';

/** An operand that has to be a string, for built-ins that check by themselves. */
export function stringOperand(operand: Value, position: number): string {
  if (typeof operand !== 'string') throw operandTypeError(position, operand, 'string');
  return operand;
}

/** The members of an array or a set of strings, the set's sorted. `expected` names the types in the order of the reference's message. */
export function stringsOperand(operand: Value, position: number, ...expected: readonly string[]): readonly string[] {
  const composite = Array.isArray(operand) ? 'array' : isSet(operand) ? 'set' : undefined;
  if (composite === undefined) throw operandTypeError(position, operand, ...expected);
  const members = isSet(operand) ? sortedMembers(operand) : (operand as readonly Value[]);
  for (const member of members) if (typeof member !== 'string') throw operandElementError(position, composite, member, 'string');
  return members as readonly string[];
}

/** What `make` answers; a string longer than one may be, or of a value that nests too deeply, is the built-in's error. */
export function withinLength(make: () => string): string {
  try {
    const text = make();
    checkTextLength(text.length);
    return text;
  } catch (error) {
    if (error instanceof RangeError && !(error instanceof SizeError))
      throw new BuiltinError(/stack/.test(error.message) ? 'the value nests too deeply' : 'the result is too long');
    throw error;
  }
}
