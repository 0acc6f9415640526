/** Runs tests, most of them without a plan. */

import { availableParallelism } from 'node:os';
import type { CompileOptions } from '../../compiler/resolve/options.js';
import { locationOf } from '../../compiler/source/location.js';
import type { Engine } from '../../engine/engine.js';
import type { ExplainOptions, Trace } from '../../engine/evaluation/explain.js';
import type { PreparedProgram } from '../../engine/prepared-program.js';
import { withRows } from '../../runtime/builtins/declared.js';
import { builtins } from '../../runtime/builtins/registry.js';
import { readAt } from '../../runtime/bundle/documents.js';
import type { PlainObject, Value } from '../../runtime/values/value.js';
import { type Optimizations, optimizationsOf } from '../compile-flags.js';
import { type Coverage, CoverageCounter } from '../coverage/coverage.js';
import { type CoverageRun, runsFor } from '../coverage/coverage-runs.js';
import { ProbeTable } from '../coverage/probe-table.js';
import { measure } from '../eval/benchmark.js';
import { openEngine } from '../eval/command-engine.js';
import type { Io } from '../io.js';
import type { ParsedFile } from '../policies.js';
import { caseBuiltin, reportCases } from './cases.js';
import { discoverTests, type ListedTest, renameDuplicates, type TestRule, testExpressions } from './discover.js';
import { outcomesOf, type Threads } from './parallel.js';
import { OneProgram, ProgramsOnDemand, type TestRequest } from './programs/test-programs.js';
import type { TestResult } from './result.js';
import { TestEvaluator, type TestOutcome } from './test-evaluator.js';
import { expressionText } from './values-text.js';
import { notRun } from './verdict.js';

export interface TestOptions {
  readonly compile: CompileOptions;
  /** Time limit of each test in milliseconds. */
  readonly timeout: number;
  /** The regular expression that selects tests by full name. */
  readonly pattern: string;
  /** The same as a function. */
  readonly matches: (fullName: string) => boolean;
  readonly coverage: boolean;
  /** Optimizations to disable in additional runs, to explain uncovered ranges. */
  readonly coverageRuns: readonly CoverageRun[];
  readonly benchmark: boolean;
  /** How many tests run at the same time; undefined: as long tests need. */
  readonly parallel: number | undefined;
  /** Whether benchmarks count allocations. */
  readonly allocations: boolean;
  /** Whether to report where a test's own body failed. */
  readonly failureLines: boolean;
  /** The events that the trace of a failing test shows; undefined: no traces. */
  readonly explain: ExplainOptions['mode'] | undefined;
  /** Called when tests have been planned: they may run long. */
  readonly onPlanned?: () => void;
}

/** Some of the tests, where other threads run the others. */
interface Part {
  /** The names of the files whose tests run. */
  readonly own: ReadonlySet<string>;
  /** How many threads may share long tests. */
  readonly threads: number;
}

/** The tests, planned without an optimization. */
interface FurtherRun {
  readonly kind: CoverageRun;
  readonly session: PreparedProgram;
  readonly probes: ProbeTable;
}

/** Started later than this, threads would begin after most tests have ended. */
const singleThreadMs = 500;

/** The threads to run tests in, besides this one; undefined where there can be none. */
function threadsFor(
  programs: ProgramsOnDemand,
  { compile, parallel, timeout }: TestOptions,
  { entry, env }: Pick<Io, 'entry' | 'env'>,
  threads: number,
): Threads | undefined {
  const count = (parallel ?? threads) - 1;
  if (entry === undefined || count < 1) return undefined;
  const data = async () => ({ ...(await programs.whole()).packed(), env: { ...env }, capabilities: compile.capabilities, timeMs: timeout });
  return { entry, count, afterMs: parallel === undefined ? singleThreadMs : 0, data };
}

/** Benchmarks measure plans, and threads that begin at once get a plan of all tests. */
async function programsFor(
  requests: readonly TestRequest[],
  engine: Engine,
  { benchmark, parallel, onPlanned }: TestOptions,
): Promise<ProgramsOnDemand> {
  const plan = async (tests: readonly TestRequest[]) => {
    const program = await engine.plan(tests);
    onPlanned?.();
    return program;
  };
  const isPlanned = benchmark || (parallel ?? 1) > 1;
  return new ProgramsOnDemand(requests, isPlanned ? undefined : await engine.unplanned(requests), plan);
}

/** Compile options for these documents. */
export function withData(compile: CompileOptions, data: PlainObject): CompileOptions {
  return { ...compile, dataExists: (path) => readAt(data, path) !== undefined };
}

/** Functions have no value of their own. */
export function isRun({ skip, isFunction }: ListedTest): boolean {
  return !skip && !isFunction;
}

function resultOf({ package: pkg, name, location }: TestRule, outcome: TestOutcome): TestResult {
  return { location, package: pkg, name, skip: false, ...outcome };
}

export class TestRun {
  readonly tests: readonly TestRule[];
  readonly #coverage = new CoverageCounter();
  readonly parsed: readonly ParsedFile[];
  readonly #engine: Engine;
  readonly #evaluator: TestEvaluator;
  readonly #threads: Threads | undefined;
  readonly #options: TestOptions;
  readonly #probes: ProbeTable | undefined;
  readonly #further: readonly FurtherRun[];

  private constructor(
    parsed: readonly ParsedFile[],
    tests: readonly TestRule[],
    engine: Engine,
    evaluator: TestEvaluator,
    threads: Threads | undefined,
    options: TestOptions,
    probes: ProbeTable | undefined,
    further: readonly FurtherRun[],
  ) {
    this.parsed = parsed;
    this.tests = tests;
    this.#engine = engine;
    this.#evaluator = evaluator;
    this.#threads = threads;
    this.#options = options;
    this.#probes = probes;
    this.#further = further;
  }

  /**
   * Compiles and plans. Rejects with CompileErrors.
   * @param part undefined: all tests run
   */
  static async prepare(
    given: readonly ParsedFile[],
    data: PlainObject,
    options: TestOptions,
    io: Pick<Io, 'entry' | 'env'>,
    part?: Part,
  ): Promise<TestRun> {
    const parsed = renameDuplicates(given);
    const cases: (readonly Value[])[] = [];
    const caseRow = caseBuiltin((keys) => void cases.push(keys));
    const compile = {
      ...options.compile,
      builtins: withRows(options.compile.builtins ?? builtins, [caseRow]),
      print: !options.benchmark,
      captureTestValues: options.failureLines,
      instrument: reportCases,
    };
    const engine = await openEngine(parsed, data, compile, io);
    const compiled = await engine.compiled();
    const own = part === undefined ? parsed : parsed.filter(({ name }) => part.own.has(name));
    const tests = discoverTests(own, options.matches);
    const probes =
      options.coverage || options.failureLines
        ? new ProbeTable(compiled, { ...(options.failureLines && { watched: testExpressions(compiled) }) })
        : undefined;
    const requests = new Map(
      tests.filter(isRun).map(({ fullName, path, hasCases }) => [fullName, { fullName, hasCases, name: fullName, path }]),
    );
    const open = async (probes: ProbeTable, optimizations: Optimizations): Promise<PreparedProgram> =>
      await engine.plan([...requests.values()], { ...optimizations, probes, builtins: probes.builtins });
    const further: FurtherRun[] = [];
    for (const kind of options.coverage ? runsFor(options.coverageRuns) : []) {
      const all = new ProbeTable(compiled);
      further.push({ kind, session: await open(all, optimizationsOf(kind)), probes: all });
    }
    // Without the rule index the whole body of a test is evaluated, to locate a failure.
    const onDemand = probes === undefined ? await programsFor([...requests.values()], engine, options) : undefined;
    const programs = onDemand ?? new OneProgram(await open(probes!, { ruleIndex: options.coverage }));
    if (onDemand === undefined) options.onPlanned?.();
    const shared = part?.threads ?? availableParallelism();
    const threads = onDemand && !options.benchmark ? threadsFor(onDemand, options, io, shared) : undefined;
    const evaluator = new TestEvaluator(programs, cases, options.timeout);
    return new TestRun(parsed, tests, engine, evaluator, threads, options, probes, further);
  }

  /**
   * Runs a test if that needs no plan, and no trace of a failure: it has no effects. Undefined for
   * other tests.
   */
  atOnce(test: TestRule): TestResult | undefined {
    const outcome = this.#evaluator.atOnce(test);
    if (outcome === undefined || (outcome.fail && this.#traceMode !== undefined)) return undefined;
    return resultOf(test, outcome);
  }

  /** Runs tests, all by default. Results come in the order of the tests. */
  async *results(tests: readonly TestRule[] = this.tests): AsyncIterableIterator<TestResult> {
    const outcomes = outcomesOf(tests.filter(isRun), this.#evaluator, this.#threads);
    try {
      for (const test of tests) {
        const lastProbe = this.#follow(test);
        if (isRun(test)) yield await this.#resultOf(test, (await outcomes.next()).value as TestOutcome, lastProbe());
        else yield notRun(test);
      }
    } finally {
      await outcomes.return();
    }
    if (this.#probes !== undefined) this.#coverage.add(this.#probes);
    for (const { kind, session, probes } of this.#further) {
      await this.#runAll(session);
      this.#coverage.add(probes, kind);
    }
  }

  /** Runs tests only for their coverage; an error keeps the coverage up to that point. */
  async #runAll(session: PreparedProgram): Promise<void> {
    for (const { fullName } of this.tests.filter(isRun)) {
      await session.run(fullName, undefined, { timeMs: this.#options.timeout, onPrint: () => undefined }).catch(() => undefined);
    }
  }

  /** The coverage of all runs so far. */
  coverage(): Coverage {
    return this.#coverage.report(
      this.parsed.map(({ module }) => module),
      this.#options.coverageRuns,
    );
  }

  /** The result of a test, from the outcome of its evaluation. */
  async #resultOf(test: TestRule, outcome: TestOutcome, lastProbe: number | undefined): Promise<TestResult> {
    const result = resultOf(test, outcome);
    if (outcome.error !== undefined) return result;
    if (outcome.fail) {
      const trace = await this.#trace(test);
      const failedAt = this.#failure(test, lastProbe, trace);
      return { ...result, failedAt, trace: this.#options.explain && trace?.toTable(this.#options.failureLines) };
    }
    return this.#options.benchmark ? await this.#measured(test, result) : result;
  }

  async #measured(test: TestRule, result: TestResult): Promise<TestResult> {
    const start = performance.now();
    const elapsed = () => result.duration + Math.round((performance.now() - start) * 1e6);
    try {
      const benchmark = await measure(async () => void (await this.#evaluator.value(test)), { allocations: this.#options.allocations });
      const extra = { 'timer_rego_query_eval_ns/op': benchmark.nanoseconds / benchmark.runs };
      return { ...result, duration: elapsed(), output: '', benchmark: { ...benchmark, extra } };
    } catch (error) {
      return { ...result, error: error as Error, duration: elapsed() };
    }
  }

  get #traceMode(): ExplainOptions['mode'] | undefined {
    const { explain, failureLines } = this.#options;
    return explain ?? (failureLines ? 'fails' : undefined);
  }

  async #trace({ path }: TestRule): Promise<Trace | undefined> {
    const mode = this.#traceMode;
    if (mode === undefined) return undefined;
    return await this.#engine.trace({ path }, undefined, { mode, known: new Map(), prints: true, timeMs: this.#options.timeout });
  }

  /**
   * Records the last expression of a test's own body that a run reaches: a failing test fails
   * there.
   */
  #follow({ span }: TestRule): () => number | undefined {
    const probes = this.#probes;
    let last: number | undefined;
    if (probes === undefined || !this.#options.failureLines) return () => undefined;
    probes.onProbe = (number) => {
      const { kind, loc } = probes.all[number]!;
      if (kind === 'expression' && loc.source === span.source && loc.start >= span.start && loc.end <= span.end) last = number;
    };
    return () => last;
  }

  #failure({ body }: TestRule, probe: number | undefined, trace: Trace | undefined): TestResult['failedAt'] {
    const probes = this.#probes;
    if (probes === undefined || probe === undefined) return undefined;
    const { loc } = probes.all[probe]!;
    const written = body.find((expr) => expr.loc.start <= loc.start && loc.end <= expr.loc.end);
    const span = written?.loc ?? loc;
    return { location: locationOf(span), text: expressionText(span, probes, probe, trace?.wasFalse(span) ?? false) };
  }
}
