import { EvaluationError } from '../../runtime/index.js';
import { isArray, isObject, isSet, objectKeys, type Value, valueAt } from '../../values/index.js';

/** The value, if it is not larger than a limit for its result allows. */
export function sized(
  value: Value | undefined,
  { resultSize }: { readonly resultSize?: number | undefined },
): Value | undefined {
  if (value !== undefined && resultSize !== undefined) checkSize(value, resultSize);
  return value;
}

/** Throws an EvaluationError where a result has more values in it than `limit`, itself included. */
function checkSize(result: Value, limit: number): void {
  let left = limit;
  const pending: Value[] = [result];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (--left < 0) throw new EvaluationError('eval_cancel_error', `the result has more than ${limit} values`);
    if (isArray(value) || isSet(value)) for (const member of value) pending.push(member);
    else if (isObject(value)) for (const key of objectKeys(value)) pending.push(valueAt(value, key));
  }
}
