/** Compares a result with the expected one. */

import { EvaluationError } from '../../runtime/evaluation/evaluation-errors.js';
import { compare } from '../../values/compare.js';
import { equal } from '../../values/equal.js';
import { parseJson, toJson } from '../../values/json/json.js';
import { isArray, isObject, type PlainObject, type Value } from '../../values/value.js';
import type { Case } from './cases.js';

/** `skipped` is the reason in the plural: results with the same reason are counted together. */
export type Outcome = { readonly passed: true } | { readonly passed: false; readonly why: string } | { readonly skipped: string };

export const passed: Outcome = { passed: true };

export function failed(why: string): Outcome {
  return { passed: false, why };
}

/** The outcome of a case that ended with an error. */
export function judgeError(wanted: Case, error: unknown): Outcome {
  if (!isTyped(error)) return failed(`crashed: ${error instanceof Error ? error.stack : error}`);
  if (wanted.want_error === undefined && wanted.want_error_code === undefined) return failed(`unwanted error: ${error.message}`);
  if (wanted.want_error_code !== undefined && error.code !== wanted.want_error_code) {
    return failed(`wanted the code ${wanted.want_error_code}, got ${error.code}: ${error.message}`);
  }
  // Plans name modules `module-0.rego`, the expected texts name them `test-0.rego`.
  const text = error.message.replaceAll(/\bmodule-(\d+)\.rego/g, 'test-$1.rego');
  if (wanted.want_error !== undefined && !text.includes(wanted.want_error))
    return failed(`wanted the error ${wanted.want_error}, got ${text}`);
  return passed;
}

function isTyped(error: unknown): error is Error & { readonly code: string } {
  return error instanceof EvaluationError || (error instanceof Error && typeof (error as { code?: unknown }).code === 'string');
}

/** The outcome of a case that ended with a result set. */
export function judgeResult(wanted: Case, result: readonly Value[], want: readonly Value[] | null | undefined): Outcome {
  if (wanted.want_error !== undefined || wanted.want_error_code !== undefined) {
    return failed(`wanted an error (${wanted.want_error ?? wanted.want_error_code}), got ${show(result)}`);
  }
  if (wanted.want_defined !== undefined && result.length > 0 !== wanted.want_defined)
    return failed(`wanted defined: ${wanted.want_defined}`);
  if (want === undefined || want === null) return wanted.want_defined === undefined ? failed('malformed: the case wants nothing') : passed;
  const plain = result.map((one) => sorted(parseJson(toJson(one)), wanted));
  const rest = want.map((one) => sorted(one, wanted));
  const same = plain.length === rest.length && plain.every((one) => remove(rest, one));
  return same ? passed : failed(`wanted ${show(want)}, got ${show(plain)}`);
}

function remove(list: Value[], value: Value): boolean {
  const at = list.findIndex((one) => equal(one, value));
  if (at < 0) return false;
  list.splice(at, 1);
  return true;
}

/** Bindings with sorted arrays, if the case allows any order. */
function sorted(bindings: Value, wanted: Case): Value {
  if (!isObject(bindings)) return bindings;
  const entries = Object.entries(bindings as PlainObject)
    .filter(([name]) => wanted.ignore_generated_vars !== true || !/^(\$|__local)/.test(name))
    .map(([name, value]) => [name, wanted.sort_bindings === true && isArray(value) ? [...value].sort(compare) : value] as const);
  return Object.fromEntries(entries);
}

function show(values: readonly Value[]): string {
  const text = toJson(values);
  return text.length > 600 ? `${text.slice(0, 600)}…` : text;
}
