/** Evaluates tests, in this thread. */
import type { EvaluationOptions } from '../../runtime/evaluation/options.js';
import type { PlainObject, Value } from '../../runtime/values/value.js';
import type { PlannedTest, TestPrograms } from './programs/test-programs.js';
import type { TestResult } from './result.js';
import { judge } from './verdict.js';

/** The parts of a result that an evaluation gives. */
export type TestOutcome = Pick<TestResult, 'fail' | 'subResults' | 'duration' | 'output' | 'error'>;

export class TestEvaluator {
  readonly #programs: TestPrograms;
  readonly #cases: (readonly Value[])[];
  readonly #timeMs: number;
  #plannedMs = 0;

  /**
   * @param cases where the program reports the cases of tests
   * @param timeMs time limit of each test
   */
  constructor(programs: TestPrograms, cases: (readonly Value[])[], timeMs: number) {
    this.#programs = programs;
    this.#cases = cases;
    this.#timeMs = timeMs;
  }

  /** The milliseconds of processor time that tests with plans have taken, planning left out. */
  get plannedMs(): number {
    return this.#plannedMs;
  }

  /** The value of a test's rule, by its plan. Rejects with an EvaluationError. */
  async value(test: PlannedTest, options: EvaluationOptions = {}): Promise<Value | undefined> {
    const program = await this.#programs.planned(test);
    this.#cases.length = 0;
    const start = process.cpuUsage();
    try {
      return valueIn(await program.run(test.fullName, undefined, { ...options, timeMs: this.#timeMs }));
    } finally {
      this.#plannedMs += process.cpuUsage(start).user / 1000;
    }
  }

  async run(test: PlannedTest): Promise<TestOutcome> {
    return this.atOnce(test) ?? (await this.#runPlanned(test));
  }

  /** The outcome of a test that needs no plan, which has no effects; undefined for other tests. */
  atOnce(test: PlannedTest): TestOutcome | undefined {
    const start = process.hrtime.bigint();
    const results = this.#programs.unplanned(test);
    if (results === undefined) return undefined;
    return { ...judge(test, valueIn(results), []), duration: Number(process.hrtime.bigint() - start), output: '' };
  }

  async #runPlanned(test: PlannedTest): Promise<TestOutcome> {
    let output = '';
    const options: EvaluationOptions = {
      onPrint: (line) => void (output += `${line}\n`),
      onRestart: () => {
        output = '';
        this.#cases.length = 0;
      },
    };
    let start = process.hrtime.bigint();
    const elapsed = () => Number(process.hrtime.bigint() - start);
    try {
      await this.#programs.planned(test);
      start = process.hrtime.bigint();
      const value = await this.value(test, options);
      const duration = elapsed();
      return { ...judge(test, value, this.#cases), duration, output };
    } catch (error) {
      return { fail: false, subResults: new Map(), error: error as Error, duration: elapsed(), output };
    }
  }
}

function valueIn([solution]: readonly Value[]): Value | undefined {
  return (solution as PlainObject | undefined)?.result;
}
