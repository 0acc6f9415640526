/** The programs of tests, made when they are needed. */
import type { PreparedProgram } from '../../../engine/prepared-program.js';
import type { Value } from '../../../runtime/values/value.js';
import type { TestRule } from '../discover.js';

/** The parts of a test that its evaluation needs. */
export type PlannedTest = Pick<TestRule, 'fullName' | 'hasCases'>;

/** A test and the document that is its value. */
export interface TestRequest extends PlannedTest {
  readonly name: string;
  readonly path: readonly string[];
}

/** The programs that evaluate tests. */
export interface TestPrograms {
  /** The result set of a test that needs no plan; undefined where only its plan can tell. */
  unplanned(test: PlannedTest): readonly Value[] | undefined;
  /** A program with the plan of a test. */
  planned(test: PlannedTest): PreparedProgram | Promise<PreparedProgram>;
}

/** All tests are plans of one program. */
export class OneProgram implements TestPrograms {
  readonly #program: PreparedProgram;

  constructor(program: PreparedProgram) {
    this.#program = program;
  }

  unplanned(): undefined {
    return undefined;
  }

  planned(): PreparedProgram {
    return this.#program;
  }
}

/** A longer test is evaluated by its plan. About the time in which a small test is planned. */
const shortInstructions = 100_000;

/** When a test needs a plan, so many of the next ones are planned with it, and more each time. */
const firstPlanned = 8;

/**
 * Most tests end soon and run once, so a plan would take longer than the test. They are evaluated
 * without one. Tests that take long, that end with an error, print or wait are evaluated by plans
 * from their start.
 */
export class ProgramsOnDemand implements TestPrograms {
  readonly #tests: readonly TestRequest[];
  readonly #evaluator: PreparedProgram | undefined;
  readonly #plan: (tests: readonly TestRequest[]) => Promise<PreparedProgram>;
  readonly #positions: ReadonlyMap<string, number>;
  readonly #planned = new Map<string, PreparedProgram>();
  /** The names of the tests that only their plans can tell. */
  readonly #needPlan = new Set<string>();
  #whole: Promise<PreparedProgram> | undefined;
  #next = firstPlanned;

  /**
   * @param tests all tests, in the order in which they run
   * @param evaluator evaluates tests without plans; undefined: all tests are planned together
   */
  constructor(
    tests: readonly TestRequest[],
    evaluator: PreparedProgram | undefined,
    plan: (tests: readonly TestRequest[]) => Promise<PreparedProgram>,
  ) {
    this.#tests = tests;
    this.#evaluator = evaluator;
    this.#plan = plan;
    this.#positions = new Map(tests.map(({ fullName }, i) => [fullName, i]));
  }

  unplanned({ fullName, hasCases }: PlannedTest): readonly Value[] | undefined {
    // A plan may reach the cases of a test in another order, and prints in rules more often.
    if (this.#evaluator === undefined || hasCases || this.#planned.has(fullName) || this.#needPlan.has(fullName)) return undefined;
    let isPrinted = false;
    const onPrint = () => {
      isPrinted = true;
    };
    try {
      const results = this.#evaluator.runAtOnce(fullName, undefined, { instructions: shortInstructions, onPrint });
      if (!isPrinted) return results;
    } catch {
      // Its plan has the error, or an answer.
    }
    this.#needPlan.add(fullName);
    return undefined;
  }

  async planned({ fullName }: PlannedTest): Promise<PreparedProgram> {
    const known = this.#planned.get(fullName);
    if (known !== undefined) return known;
    if (this.#evaluator === undefined) return await this.whole();
    const at = this.#positions.get(fullName)!;
    const tests = this.#tests.slice(at, at + this.#next);
    this.#next *= firstPlanned;
    const program = await this.#plan(tests);
    for (const test of tests) this.#planned.set(test.fullName, program);
    return program;
  }

  /** A program with the plans of all tests. */
  async whole(): Promise<PreparedProgram> {
    this.#whole ??= this.#plan(this.#tests);
    const program = await this.#whole;
    for (const { fullName } of this.#tests) this.#planned.set(fullName, program);
    return program;
  }
}
