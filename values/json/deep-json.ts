/** JSON of values of any depth. Recursion is tried first, as it is faster. */

import { allAtOnce } from '../steps.js';
import type { Value } from '../value.js';
import { JsonError, parseJson, toIndentedJson, toJson } from './json.js';
import { readJsonSteps } from './json-reader.js';
import { writeJsonSteps } from './json-writer.js';

/** A value as text. Throws a JsonError where it is too large. */
export function deepJson(value: Value, pretty = false): string {
  return orElse(
    () => (pretty ? toIndentedJson(value) : toJson(value)),
    () => new TextDecoder().decode(allAtOnce(writeJsonSteps(value, { pretty }))),
  );
}

/** The most values that are written at once, in some milliseconds. */
const manyValues = 10_000;

/** A value as text; undefined for one that takes long to write, or is nested deeply. */
export function jsonIfShort(value: Value, pretty = false): string | undefined {
  try {
    return pretty ? toIndentedJson(value, undefined, undefined, manyValues) : toJson(value, manyValues);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return undefined;
  }
}

/**
 * A copy as JSON would have it, which shares nothing with the value. Throws a JsonError where it is
 * too large.
 */
export function jsonCopy(value: Value): Value {
  return orElse(
    () => parseJson(toJson(value)),
    () => allAtOnce(readJsonSteps(allAtOnce(writeJsonSteps(value)))),
  );
}

function orElse<Result>(quick: () => Result, deep: () => Result): Result {
  try {
    return quick();
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return deep();
  }
}
