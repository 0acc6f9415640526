/** The value of a test. */
import { isObject, sortedEntries, type Value } from '../../../values/index.js';

/** Whether a test's value is true. A test with cases has an object of results, each true. */
export function testHolds(value: Value | undefined): boolean {
  if (value === undefined || !isObject(value)) return value === true;
  const results = [...sortedEntries(value)];
  return results.length > 0 && results.every(([, result]) => testHolds(result));
}
