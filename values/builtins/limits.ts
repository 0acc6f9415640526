/** Answers beyond the bounds of numbers and texts as errors of the built-in. */
import { checkTextLength, SizeError } from '../memory.js';
import { BuiltinError } from './builtin-errors.js';

/** The answer of `compute`. A number beyond all bounds is the built-in's error. */
export function withinRange<T>(compute: () => T): T {
  try {
    return compute();
  } catch (error) {
    if (error instanceof RangeError && !(error instanceof SizeError)) throw new BuiltinError('number out of range');
    throw error;
  }
}

/**
 * The answer of `make`. A string that is too long, or of a value that nests too deeply, is an
 * error.
 */
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
