/** Policies with their tests, compiled once: each mutant is compiled and planned from there. */

import type { CompileCapabilities, Compiled, Module } from '../../../compiler/index.js';
import { type PlanOptions, type PlanRequest, plan, recompileConditions } from '../../../compiler/index.js';
import { programOf, type Surroundings } from '../../../engine/index.js';
import type { Policy } from '../../../ir-schema/index.js';
import { EvaluationError } from '../../../runtime/index.js';
import { builtins, type PlainObject, type Value, withDeclared, withRows } from '../../../values/index.js';
import { ProbeTable } from '../../coverage/probe-table.js';
import { openCommandEngine } from '../../eval/command-engine.js';
import type { Io } from '../../io.js';
import { modulesByFile, type ParsedFile } from '../../load-policies.js';
import { caseBuiltin, reportCases } from '../cases.js';
import { discoverTests, renameDuplicates, type TestRule } from '../discover.js';
import { type TestOutcome, TestProgram } from '../test-program.js';
import { isRun } from '../test-run.js';

/** The options of the command that compiling and running depend on: they can be sent to threads. */
export interface MutationSettings {
  readonly capabilities: CompileCapabilities | undefined;
  readonly schemas: ReadonlyMap<string, Value> | undefined;
  readonly strict: boolean;
  /** Milliseconds of one test. */
  readonly timeMs: number;
  readonly matches: (fullName: string) => boolean;
}

/** Without these, bodies that a mutant alone reaches would not be reached. */
const everyBody = { ruleIndex: false, earlyExit: false } as const;

/** The instructions that a test may spend at first: one that needs more gets five times as many. */
const firstBudget = 200_000;

/** The instructions of a mutant, as a multiple of those of the test. */
const budgetOfMutant = 10;

/** A program and the counts of its places. */
export interface Counting {
  readonly program: TestProgram;
  readonly probes: ProbeTable;
}

export class TestedPolicies {
  readonly parsed: readonly ParsedFile[];
  readonly compiled: Compiled;
  /** The tests that run, in the order of the files. */
  readonly tests: readonly TestRule[];
  readonly #surroundings: Surroundings;
  readonly #cases: (readonly Value[])[];
  readonly #timeMs: number;
  readonly #modules: ReadonlyMap<string, Module>;
  readonly #budgets = new Map<TestRule, number>();
  readonly #plans = new Map<string, Policy>();
  readonly #counting = new Map<number, Counting>();

  private constructor(
    parts: Pick<TestedPolicies, 'parsed' | 'compiled' | 'tests'>,
    surroundings: Surroundings,
    cases: (readonly Value[])[],
    timeMs: number,
  ) {
    this.parsed = parts.parsed;
    this.#modules = modulesByFile(parts.parsed);
    this.compiled = parts.compiled;
    this.tests = parts.tests;
    this.#surroundings = surroundings;
    this.#cases = cases;
    this.#timeMs = timeMs;
  }

  /** Rejects with CompileErrors. */
  static async open(
    given: readonly ParsedFile[],
    data: PlainObject,
    { capabilities, schemas, strict, timeMs, matches }: MutationSettings,
    io: Pick<Io, 'env'>,
  ): Promise<TestedPolicies> {
    const parsed = renameDuplicates(given);
    const cases: (readonly Value[])[] = [];
    const available = capabilities === undefined ? builtins : withDeclared(builtins, capabilities);
    const rows = withRows(available, [caseBuiltin((keys) => void cases.push(keys))]);
    // Schemas in annotations have dependencies that recompiling does not know.
    const schemaAnnotations = parsed.some(({ file }) => /^#\s*schemas\s*:/m.test(file.text));
    const compile = {
      ...(capabilities && { capabilities }),
      ...(schemas && { schemas }),
      ...(schemaAnnotations && { schemaAnnotations }),
      ...(strict && { strict }),
      builtins: rows,
      print: false,
      instrument: reportCases,
      errorLimit: 10,
    };
    const engine = await openCommandEngine(parsed, data, compile, io);
    const compiled = await engine.compiled();
    engine.store.hold();
    const tests = discoverTests(parsed, matches).filter(isRun);
    const surroundings = { builtins: rows, data: engine.store.root, context: engine.context };
    return new TestedPolicies({ parsed, compiled, tests }, surroundings, cases, timeMs);
  }

  /** The policies with another module in the place of one; see `diagnostics` for errors. */
  recompiled(name: string, module: Module): Compiled {
    // A mutant's rules stand at the paths of the policy's rules, which do not meet any document.
    const options = { ...this.compiled.options, dataExists: () => false };
    return recompileConditions(this.compiled, new Map([[name, module]]), options);
  }

  /** The plans of tests over these policies, made once for the same tests. */
  plan(tests: readonly number[]): Policy {
    const key = tests.join();
    let known = this.#plans.get(key);
    if (known === undefined) {
      known = this.planOver(this.compiled, tests);
      setBounded(this.#plans, key, known);
    }
    return known;
  }

  /** The plans of tests over a mutant. */
  planOver(compiled: Compiled, tests: readonly number[], options: PlanOptions = {}): Policy {
    const requests = new Map<string, PlanRequest>();
    for (const number of tests) {
      const { fullName, path } = this.#test(number);
      requests.set(fullName, { name: fullName, path });
    }
    return plan(compiled, [...requests.values()], options);
  }

  async program(policy: Policy, options: Pick<PlanOptions, 'builtins' | 'probes'> = {}): Promise<TestProgram> {
    const program = await programOf(policy, options, this.#surroundings);
    return new TestProgram(program, this.#cases, this.#timeMs);
  }

  /** A program that counts the expressions that it evaluates, of all bodies. */
  async counting(compiled: Compiled, tests: readonly number[]): Promise<Counting> {
    const probes = new ProbeTable(compiled);
    const options = { ...everyBody, probes, builtins: probes.builtins };
    return { program: await this.program(this.planOver(compiled, tests, options), options), probes };
  }

  /** A program of one test that counts the places of the policies as they are, to be run again. */
  async countingOne(number: number): Promise<Counting> {
    let known = this.#counting.get(number);
    if (known === undefined) {
      known = await this.counting(this.compiled, [number]);
      setBounded(this.#counting, number, known);
    }
    return known;
  }

  /** Runs a test, and finds how many instructions mutants may spend in it. */
  async run(program: TestProgram, number: number): Promise<TestOutcome> {
    const test = this.#test(number);
    for (let instructions = this.#budgets.get(test) ?? firstBudget; ; instructions *= 5) {
      this.#budgets.set(test, instructions);
      const outcome = await program.run(test, { instructions });
      if (!isEnded(outcome.error) || !outcome.error?.message.includes(overBudget)) return outcome;
    }
  }

  /** Runs a test on a mutant, which may spend more, but not without end. */
  async runMutant(program: TestProgram, number: number): Promise<TestOutcome> {
    const test = this.#test(number);
    return await program.run(test, { instructions: (this.#budgets.get(test) ?? firstBudget) * budgetOfMutant });
  }

  /** The budgets of the tests, for other threads. */
  get budgets(): readonly number[] {
    return this.tests.map((test) => this.#budgets.get(test) ?? firstBudget);
  }

  set budgets(budgets: readonly number[]) {
    for (const [i, test] of this.tests.entries()) this.#budgets.set(test, budgets[i] ?? firstBudget);
  }

  get modules(): ReadonlyMap<string, Module> {
    return this.#modules;
  }

  #test(number: number): TestRule {
    const test = this.tests[number];
    if (test === undefined) throw new Error(`there is no test ${number}`);
    return test;
  }
}

/** The message of an evaluation that has spent its instructions. */
const overBudget = 'instruction limit reached';

/** The most lists of tests that are kept planned: mutants of one file have most in common. */
const mostPlans = 64;

/** Drops the oldest entry where there are many. */
function setBounded<Key, Entry>(map: Map<Key, Entry>, key: Key, entry: Entry): void {
  if (map.size === mostPlans) map.delete(map.keys().next().value!);
  map.set(key, entry);
}

/** Whether an evaluation ended because it took too long, or too much memory. */
export function isEnded(error: Error | undefined): boolean {
  return error instanceof EvaluationError && error.code === 'eval_cancel_error';
}
