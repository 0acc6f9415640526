/** Messages between `test` and its threads. */
import type { CompileCapabilities } from '../../compiler/index.js';
import { EvaluationError } from '../../runtime/index.js';
import type { PlannedTest, TestOutcome } from './test-program.js';

/** The first message to a thread. */
export interface TestThreadData {
  /** A packed program, with a plan for each test. */
  readonly program: Uint8Array;
  /** The documents, as JSON. */
  readonly data: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly capabilities: CompileCapabilities | undefined;
  readonly timeMs: number;
  readonly tests: readonly PlannedTest[];
  /** The number of the next test, which all threads count up. */
  readonly next: Int32Array;
  /** The number of the thread's last test; -1 before the first. */
  readonly current: Int32Array;
}

/** The outcome of a test by its number. */
export interface TestReport {
  readonly number: number;
  readonly outcome: Omit<TestOutcome, 'error'>;
  readonly error?: ReportedError;
}

type ReportedError = Pick<EvaluationError, 'code' | 'detail' | 'location' | 'rules'>;

export function reportedError(error: Error): ReportedError {
  if (!(error instanceof EvaluationError))
    return { code: 'eval_internal_error', detail: error.message, location: undefined, rules: [] };
  const { code, detail, location, rules } = error;
  return { code, detail, location, rules };
}

export function receivedError({ code, detail, location, rules }: ReportedError): EvaluationError {
  return new EvaluationError(code, detail, location, rules);
}
