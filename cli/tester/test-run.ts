/** Runs the tests of policies as plans of one program. */

import { availableParallelism } from 'node:os';
import { type CompileOptions, locationOf, type Module } from '../../compiler/index.js';
import type { Engine, PreparedProgram, Trace, TraceOptions } from '../../engine/index.js';
import { builtins, type PlainObject, type Value, withRows } from '../../values/index.js';
import { measure } from '../benchmark/benchmark.js';
import { type Optimizations, optimizationsOf } from '../compile-flags.js';
import { type Coverage, CoverageCounter } from '../coverage/coverage.js';
import { type CoverageRun, runsFor } from '../coverage/coverage-runs.js';
import { type Probe, ProbeTable } from '../coverage/probe-table.js';
import { openCommandEngine } from '../eval/command-engine.js';
import type { Io } from '../io.js';
import type { ParsedFile } from '../load-policies.js';
import { caseBuiltin, reportCases } from './cases.js';
import { discoverTests, renameDuplicates, type TestRule, testExpressions } from './discover.js';
import { outcomesOf, type TestThreads } from './parallel.js';
import { caseKey, caseText, type TestResult } from './result.js';
import { type TestOutcome, TestProgram } from './test-program.js';
import type { TestSources } from './touched.js';
import { expressionText, writtenText } from './values-text.js';
import { notRun } from './verdict.js';

export interface TestOptions {
  readonly compile: CompileOptions;
  /** Time limit of each test in milliseconds. */
  readonly timeout: number;
  /** The regular expression that selects tests by full name. */
  readonly pattern: string;
  /** Whether a full name fits the pattern. */
  readonly matches: (fullName: string) => boolean;
  /** The tests that run; left out, all. */
  readonly select?: ((tests: readonly TestRule[], sources: TestSources) => readonly TestRule[]) | undefined;
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
  /** Whether traces show the refs of rules with their variables. */
  readonly ruleKeys?: boolean;
  /** Whether to report that place alone, without values. */
  readonly located?: boolean;
  /** Whether failing tests are explained. */
  readonly why: boolean;
  /** Whether traces show the author's terms in the place of generated names. */
  readonly asWritten: boolean;
  /** The events that the trace of a failing test shows; undefined: no traces. */
  readonly explain: TraceOptions['mode'] | undefined;
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
  program: PreparedProgram,
  { compile, parallel, timeout }: TestOptions,
  { entry, env }: Pick<Io, 'entry' | 'env'>,
): TestThreads | undefined {
  const count = (parallel ?? availableParallelism()) - 1;
  if (entry === undefined || count < 1) return undefined;
  const data = () => ({ ...program.packed(), env: { ...env }, capabilities: compile.capabilities, timeMs: timeout });
  return { entry, count, afterMs: parallel === undefined ? singleThreadMs : 0, data };
}

/** Functions have no value of their own. */
export function isRun({ skip, isFunction }: TestRule): boolean {
  return !skip && !isFunction;
}

export function testResultOf({ package: pkg, name, location }: TestRule, outcome: TestOutcome): TestResult {
  return { location, package: pkg, name, skip: false, ...outcome };
}

function isLocated({ failureLines, located }: TestOptions): boolean {
  return failureLines || located === true;
}

/** The case of a test that was reported last. */
interface FollowedCase {
  key: string | undefined;
}

/** Where a test came to, and where after each of its cases. */
interface LastProbes {
  readonly last: Probe | undefined;
  readonly byCase: ReadonlyMap<string, Probe>;
}

/** The parts of a run. */
interface Parts {
  readonly sources: TestSources;
  readonly allTests: readonly TestRule[];
  readonly tests: readonly TestRule[];
  readonly engine: Engine;
  readonly program: TestProgram;
  readonly threads: TestThreads | undefined;
  readonly probes: ProbeTable | undefined;
  readonly followed: FollowedCase;
  readonly further: readonly FurtherRun[];
}

export class TestRun {
  /** The tests to run. */
  readonly tests: readonly TestRule[];
  /** All tests, also those that were not selected. */
  readonly allTests: readonly TestRule[];
  readonly sources: TestSources;
  readonly #coverage = new CoverageCounter();
  readonly #engine: Engine;
  readonly #program: TestProgram;
  readonly #threads: TestThreads | undefined;
  readonly #options: TestOptions;
  readonly #probes: ProbeTable | undefined;
  readonly #followed: FollowedCase;
  readonly #further: readonly FurtherRun[];

  private constructor(options: TestOptions, parts: Parts) {
    this.#options = options;
    this.sources = parts.sources;
    this.allTests = parts.allTests;
    this.tests = parts.tests;
    this.#engine = parts.engine;
    this.#program = parts.program;
    this.#threads = parts.threads;
    this.#probes = parts.probes;
    this.#followed = parts.followed;
    this.#further = parts.further;
  }

  /** Compiles and plans. Rejects with CompileErrors. */
  static async prepare(
    given: readonly ParsedFile[],
    data: PlainObject,
    options: TestOptions,
    io: Pick<Io, 'entry' | 'env'>,
  ): Promise<TestRun> {
    const parsed = renameDuplicates(given);
    const cases: (readonly Value[])[] = [];
    const followed: FollowedCase = { key: undefined };
    const caseRow = caseBuiltin((keys) => {
      cases.push(keys);
      followed.key = caseKey(keys.map(caseText));
    });
    const compile = {
      ...options.compile,
      builtins: withRows(options.compile.builtins ?? builtins, [caseRow]),
      print: !options.benchmark,
      captureTestValues: options.failureLines,
      instrument: reportCases,
    };
    const engine = await openCommandEngine(parsed, data, compile, io);
    const compiled = await engine.compiled();
    const sources = { parsed, data, compiled };
    const allTests = discoverTests(parsed, options.matches);
    const tests = options.select?.(allTests, sources) ?? allTests;
    const probes =
      options.coverage || isLocated(options)
        ? new ProbeTable(compiled, { ...(isLocated(options) && { watched: testExpressions(compiled) }) })
        : undefined;
    // Tests of one name are one document.
    const requests = new Map(tests.filter(isRun).map(({ fullName, path }) => [fullName, { name: fullName, path }]));
    const open = async (optimizations: Optimizations, probes?: ProbeTable): Promise<PreparedProgram> =>
      await engine.plan([...requests.values()], {
        ...optimizations,
        ...(probes && { probes, builtins: probes.builtins }),
      });
    const further: FurtherRun[] = [];
    for (const kind of options.coverage ? runsFor(options.coverageRuns) : []) {
      const all = new ProbeTable(compiled);
      further.push({ kind, session: await open(optimizationsOf(kind), all), probes: all });
    }
    // Without the rule index the whole body of a test is evaluated, to locate a failure.
    const program = await open({ ruleIndex: probes === undefined || options.coverage }, probes);
    const isShared = probes === undefined && !options.benchmark;
    const threads = isShared ? threadsFor(program, options, io) : undefined;
    const testProgram = new TestProgram(program, cases, options.timeout);
    const run = { sources, allTests, tests, engine, program: testProgram, threads, probes, followed, further };
    return new TestRun(options, run);
  }

  /** Results come in the order of the tests. */
  async *results(): AsyncIterableIterator<TestResult> {
    const outcomes = outcomesOf(this.tests.filter(isRun), this.#program, this.#threads);
    try {
      for (const test of this.tests) {
        const probes = this.#follow(test);
        if (isRun(test)) yield await this.#resultOf(test, (await outcomes.next()).value as TestOutcome, probes());
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
      await session
        .run(fullName, undefined, { timeMs: this.#options.timeout, onPrint: () => undefined })
        .catch(() => undefined);
    }
  }

  /** The coverage of all runs so far. */
  coverage(): Coverage {
    return this.#coverage.report(this.modules, this.#options.coverageRuns);
  }

  /** The modules that are written by authors. */
  get modules(): readonly Module[] {
    return this.sources.parsed.filter(({ isTable }) => isTable !== true).map(({ module }) => module);
  }

  /** The result of a test, from the outcome of its evaluation. */
  async #resultOf(test: TestRule, outcome: TestOutcome, { last, byCase }: LastProbes): Promise<TestResult> {
    const result = testResultOf(test, outcome);
    if (outcome.error !== undefined) return result;
    if (outcome.fail) {
      const trace = await this.#trace(test);
      const failedAt = this.#failure(test, last, trace);
      const casesFailedAt = new Map([...byCase].map(([key, probe]) => [key, this.#failure(test, probe, trace)]));
      const why = this.#options.why ? await this.#why(test, result) : undefined;
      return {
        ...result,
        failedAt,
        casesFailedAt,
        why,
        trace:
          this.#options.explain &&
          trace?.toTable({
            values: this.#options.failureLines,
            asWritten: this.#options.asWritten,
            ruleKeys: this.#options.ruleKeys,
          }),
      };
    }
    return this.#options.benchmark ? await this.#measured(test, result) : result;
  }

  async #measured(test: TestRule, result: TestResult): Promise<TestResult> {
    const start = performance.now();
    const elapsed = () => result.duration + Math.round((performance.now() - start) * 1e6);
    try {
      const benchmark = await measure(async () => void (await this.#program.value(test)), {
        allocations: this.#options.allocations,
      });
      const extra = { 'timer_rego_query_eval_ns/op': benchmark.nanoseconds / benchmark.runs };
      return { ...result, duration: elapsed(), output: '', benchmark: { ...benchmark, extra } };
    } catch (error) {
      return { ...result, error: error as Error, duration: elapsed() };
    }
  }

  async #why(test: TestRule, result: TestResult): Promise<TestResult['why']> {
    const { explainFailure } = await import('./failure-why.js');
    return await explainFailure(this.#engine, this.#program, test, result, this.#options.timeout);
  }

  get #traceMode(): TraceOptions['mode'] | undefined {
    const { explain, failureLines } = this.#options;
    return explain ?? (failureLines ? 'fails' : undefined);
  }

  /** The trace of a test that failed; the value of a test with cases may be true. */
  async #trace({ path, fullName, hasCases }: TestRule): Promise<Trace | undefined> {
    const mode = this.#traceMode;
    if (mode === undefined) return undefined;
    const decided = hasCases ? undefined : ({ asked: fullName, as: 'truth', value: undefined } as const);
    return await this.#engine.trace({ path }, undefined, {
      mode,
      known: new Map(),
      prints: true,
      values: this.#options.failureLines,
      timeMs: this.#options.timeout,
      decided,
    });
  }

  /**
   * Records the last expression of a test's own body that a run reaches: a failing test fails
   * there.
   */
  #follow({ span }: TestRule): () => LastProbes {
    const probes = this.#probes;
    let last: Probe | undefined;
    const byCase = new Map<string, Probe>();
    if (probes === undefined || !isLocated(this.#options)) return () => ({ last, byCase });
    const followed = this.#followed;
    followed.key = undefined;
    probes.onProbe = (probe) => {
      const { kind, loc } = probe;
      if (kind === 'expression' && loc.source === span.source && loc.start >= span.start && loc.end <= span.end)
        last = probe;
      if (last !== probe || followed.key === undefined) return;
      const before = byCase.get(followed.key);
      // The search has come back to an expression before: it looks for the next case.
      if (before !== undefined && before.loc.start > loc.start) followed.key = undefined;
      else byCase.set(followed.key, probe);
    };
    return () => ({ last, byCase });
  }

  #failure({ body }: TestRule, probe: Probe | undefined, trace: Trace | undefined): TestResult['failedAt'] {
    const probes = this.#probes;
    if (probes === undefined || probe === undefined) return undefined;
    const { loc } = probe;
    const written = body.find((expr) => expr.loc.start <= loc.start && loc.end <= expr.loc.end);
    const span = written?.loc ?? loc;
    const location = locationOf(span);
    if (!this.#options.failureLines) return { location, text: writtenText(span) };
    const failed = trace?.failed(span);
    return { location, text: expressionText(span, probes, probe, failed) };
  }
}
