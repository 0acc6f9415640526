/** The result of a test. */
import type { Location } from '../../compiler/index.js';
import type { Explanation } from '../../engine/index.js';
import type { EvaluationError } from '../../runtime/index.js';
import { compareStrings, htmlSafe, isObject, sortedEntries, toJson, type Value } from '../../values/index.js';
import type { Benchmark } from '../benchmark/benchmark.js';

/** A case of a test, or a group of cases. */
export interface SubResult {
  readonly name: string;
  fail: boolean;
  readonly subResults: Map<string, SubResult>;
}

export interface TestResult {
  readonly location: Location;
  readonly package: string;
  readonly name: string;
  /** In nanoseconds. */
  readonly duration: number;
  readonly error?: EvaluationError | Error;
  readonly fail: boolean;
  readonly skip: boolean;
  /** The test's `print` output. */
  readonly output: string;
  readonly subResults: ReadonlyMap<string, SubResult>;
  readonly benchmark?: Benchmark;
  /** How a failed test was evaluated, if requested: lines. */
  readonly trace?: readonly string[] | undefined;
  /** Why a failed test failed, if requested: the test, or its first cases that failed. */
  readonly why?: readonly Explanation[] | undefined;
  /** The location of the last failure in the test's own body, if requested. */
  readonly failedAt?: FailurePlace | undefined;
  /** The location of the last failure in each case of the test, by `caseKey`. */
  readonly casesFailedAt?: ReadonlyMap<string, FailurePlace | undefined> | undefined;
}

interface FailurePlace {
  readonly location: Location;
  readonly text: string;
}

/** The key of a case's names. */
export function caseKey(names: readonly string[]): string {
  return names.join('\0');
}

export function passed({ fail, skip, error }: TestResult): boolean {
  return !fail && !skip && error === undefined;
}

export type TestStatus = 'PASS' | 'FAIL' | 'SKIPPED' | 'ERROR';

export function outcome(result: TestResult): TestStatus {
  if (passed(result)) return 'PASS';
  return result.fail ? 'FAIL' : result.skip ? 'SKIPPED' : 'ERROR';
}

/**
 * The results of the cases in a value and of the reported cases: a reported case that the value
 * lacks has failed.
 */
export function subResults(
  value: Value,
  cases: readonly (readonly Value[])[],
): { readonly fail: boolean; readonly results: Map<string, SubResult> } {
  const results = new Map<string, SubResult>();
  let fail = false;
  if (isObject(value)) {
    for (const [key, member] of sortedEntries(value)) {
      const result = subResult(caseText(key), member);
      results.set(result.name, result);
      fail ||= result.fail;
    }
  }
  for (const keys of cases) if (add(results, keys.map(caseText))) fail = true;
  return { fail, results };
}

function subResult(name: string, value: Value): SubResult {
  if (!isObject(value)) return { name, fail: value !== true, subResults: new Map() };
  const { fail, results } = subResults(value, []);
  return { name, fail, subResults: results };
}

/** Returns whether the case at a path fails; a new one does. */
function add(results: Map<string, SubResult>, path: readonly string[]): boolean {
  const [name, ...rest] = path;
  if (name === undefined) return true;
  let entry = results.get(name);
  if (entry === undefined) results.set(name, (entry = { name, fail: true, subResults: new Map() }));
  if (rest.length === 0) return entry.fail;
  const fail = add(entry.subResults, rest);
  if (fail) entry.fail = true;
  return fail;
}

export function caseText(value: Value): string {
  return typeof value === 'string' ? value : htmlSafe(toJson(value));
}

/** Cases in the order of their names. */
export function byName(results: ReadonlyMap<string, SubResult>): [string, SubResult][] {
  return [...results].sort(([a], [b]) => compareStrings(a, b));
}

/** All cases, depth first by name, each with its path of names. */
export function* eachSubResult(
  results: ReadonlyMap<string, SubResult>,
  before: readonly string[] = [],
): IterableIterator<readonly [names: readonly string[], result: SubResult]> {
  for (const [name, result] of byName(results)) {
    const names = [...before, name];
    yield [names, result];
    yield* eachSubResult(result.subResults, names);
  }
}

/** How many tests had each outcome; of a test with cases, each case counts. */
export type OutcomeCounts = Readonly<Record<TestStatus, number>>;

export function outcomeCounts(results: readonly TestResult[]): OutcomeCounts {
  const counts = { PASS: 0, FAIL: 0, SKIPPED: 0, ERROR: 0 };
  for (const result of results) {
    const { skip, error, fail, subResults } = result;
    if (skip || error !== undefined) counts[outcome(result)]++;
    else {
      const leaves = [...eachSubResult(subResults)]
        .filter(([, sub]) => sub.subResults.size === 0)
        .map(([, sub]) => sub.fail);
      for (const failed of leaves.length > 0 ? leaves : [fail]) counts[failed ? 'FAIL' : 'PASS']++;
    }
  }
  return counts;
}
