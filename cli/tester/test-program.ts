/** Tests as the plans of one program, run in this thread. */
import type { PreparedProgram } from '../../engine/index.js';
import type { EvaluationOptions } from '../../runtime/index.js';
import type { PlainObject, Value } from '../../values/index.js';
import type { TestRule } from './discover.js';
import type { TestResult } from './result.js';
import { judge } from './verdict.js';

/** The parts of a test that its evaluation needs. */
export type PlannedTest = Pick<TestRule, 'fullName' | 'hasCases'>;

/** The parts of a result that an evaluation gives. */
export type TestOutcome = Pick<TestResult, 'fail' | 'subResults' | 'duration' | 'output' | 'error'>;

export class TestProgram {
  readonly #program: PreparedProgram;
  readonly #cases: (readonly Value[])[];
  readonly #timeMs: number;
  #spentMs = 0;

  /**
   * @param program has a plan for each test, by its full name
   * @param cases where the program reports the cases of tests
   * @param timeMs time limit of each test
   */
  constructor(program: PreparedProgram, cases: (readonly Value[])[], timeMs: number) {
    this.#program = program;
    this.#cases = cases;
    this.#timeMs = timeMs;
  }

  /** The milliseconds of processor time that tests have taken. */
  get spentMs(): number {
    return this.#spentMs;
  }

  /** The value of a test's rule. Rejects with an EvaluationError. */
  async value({ fullName }: PlannedTest, options: EvaluationOptions = {}): Promise<Value | undefined> {
    this.#cases.length = 0;
    const start = process.cpuUsage();
    try {
      const [solution] = await this.#program.run(fullName, undefined, { ...options, timeMs: this.#timeMs });
      return (solution as PlainObject | undefined)?.result;
    } finally {
      this.#spentMs += process.cpuUsage(start).user / 1000;
    }
  }

  async run(test: PlannedTest, limits: Pick<EvaluationOptions, 'instructions'> = {}): Promise<TestOutcome> {
    let output = '';
    const options: EvaluationOptions = {
      ...limits,
      onPrint: (line) => void (output += `${line}\n`),
      onRestart: () => {
        output = '';
        this.#cases.length = 0;
      },
    };
    const start = process.hrtime.bigint();
    const elapsed = () => Number(process.hrtime.bigint() - start);
    try {
      const value = await this.value(test, options);
      const duration = elapsed();
      return { ...judge(test, value, this.#cases), duration, output };
    } catch (error) {
      return { fail: false, subResults: new Map(), error: error as Error, duration: elapsed(), output };
    }
  }
}
