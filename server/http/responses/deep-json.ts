/** JSON of what may nest as deep as a document may: what walks it by recursion is quicker, and goes first. */
import { JsonError, parseJson, toIndentedJson, toJson } from '../../../runtime/values/json/json.js';
import { readJsonSteps } from '../../../runtime/values/json/json-reader.js';
import { writeJsonSteps } from '../../../runtime/values/json/json-writer.js';
import { allAtOnce } from '../../../runtime/values/steps.js';
import type { Value } from '../../../runtime/values/value.js';

/** A value as text. Throws a JsonError where it is too large. */
export function deepJson(value: Value, pretty = false): string {
  return orElse(
    () => (pretty ? toIndentedJson(value) : toJson(value)),
    () => Buffer.from(allAtOnce(writeJsonSteps(value, { pretty }))).toString(),
  );
}

/** A value as JSON has it, without parts in common with what it was made of. Throws a JsonError where it is too large. */
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
