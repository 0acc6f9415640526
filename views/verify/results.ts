/** The results of checks. */
import { countedNoun, type PlainObject } from '../../values/index.js';
import type { FailurePlace } from './places/failure-place.js';

/** The result of a rule for a file. */
export interface Result {
  readonly msg: string;
  /** The place that the policy's author gives, as a `_loc` of the member. */
  readonly loc?: { readonly file?: string; readonly line?: string };
  readonly metadata?: PlainObject;
  /** Where the file has what the rule complains about. */
  readonly place?: FailurePlace | undefined;
  /** The object of Kubernetes that it is about: `v1/Pod shop/web`. */
  readonly subject?: string;
}

/** An evaluated rule or exception. */
export interface QueryResult {
  readonly query: string;
  readonly passed: boolean;
  readonly traces: readonly string[];
  /** Lines of `print`. */
  readonly outputs: readonly string[];
}

/** A file under the rules of a namespace. */
export interface CheckResult {
  readonly filename: string;
  readonly namespace: string;
  readonly successes: number;
  readonly skipped: readonly Result[];
  readonly warnings: readonly Result[];
  readonly failures: readonly Result[];
  readonly exceptions: readonly Result[];
  readonly queries: readonly QueryResult[];
}

export function resultsOf(filename: string, namespace: string, parts: Partial<CheckResult> = {}): CheckResult {
  const none: CheckResult = {
    filename,
    namespace,
    successes: 0,
    skipped: [],
    warnings: [],
    failures: [],
    exceptions: [],
    queries: [],
  };
  return { ...none, ...parts };
}

/** The results of several documents of a file as one. */
export function joined(filename: string, namespace: string, all: readonly CheckResult[]): CheckResult {
  const [only] = all;
  if (all.length === 1) return only!;
  const list = <K extends 'skipped' | 'warnings' | 'failures' | 'exceptions' | 'queries'>(key: K) =>
    all.flatMap((one) => one[key] as never[]) as unknown as CheckResult[K];
  return {
    filename,
    namespace,
    successes: all.reduce((sum, { successes }) => sum + successes, 0),
    skipped: list('skipped'),
    warnings: list('warnings'),
    failures: list('failures'),
    exceptions: list('exceptions'),
    queries: list('queries'),
  };
}

/** How many results there are of each kind. */
export interface Counts {
  readonly tests: number;
  readonly passed: number;
  readonly warnings: number;
  readonly failures: number;
  readonly exceptions: number;
  readonly skipped: number;
}

export function countsOf(results: readonly CheckResult[]): Counts {
  const sum = (size: (one: CheckResult) => number) => results.reduce((total, one) => total + size(one), 0);
  const passed = sum(({ successes }) => successes);
  const warnings = sum((one) => one.warnings.length);
  const failures = sum((one) => one.failures.length);
  const exceptions = sum((one) => one.exceptions.length);
  const skipped = sum((one) => one.skipped.length);
  return {
    tests: passed + warnings + failures + exceptions + skipped,
    passed,
    warnings,
    failures,
    exceptions,
    skipped,
  };
}

/** `2 tests, 1 passed, 0 warnings, 1 failure, 0 exceptions`. */
export function countsText({ tests, passed, warnings, failures, exceptions }: Counts): string {
  return `${countedNoun(tests, 'test')}, ${passed} passed, ${countedNoun(warnings, 'warning')}, ${countedNoun(failures, 'failure')}, ${countedNoun(exceptions, 'exception')}`;
}

/** How the exit code counts. */
export interface ExitRules {
  readonly noFail: boolean;
  readonly failOnWarn: boolean;
}

export function exitCodeOf(results: readonly CheckResult[], { noFail, failOnWarn }: ExitRules): number {
  const { failures, warnings } = countsOf(results);
  if (noFail) return 0;
  if (failures > 0) return failOnWarn ? 2 : 1;
  return failOnWarn && warnings > 0 ? 1 : 0;
}
