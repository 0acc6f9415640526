/** Runs tests: all tests are entrypoints of one plan, which is prepared once. */

import type { CompileOptions } from '../../compiler/resolve/options.js';
import { locationOf } from '../../compiler/source/location.js';
import type { PreparedProgram } from '../../engine/prepared-program.js';
import { withRows } from '../../runtime/builtins/declared.js';
import { builtins } from '../../runtime/builtins/registry.js';
import type { EvaluationOptions } from '../../runtime/evaluation/options.js';
import type { PlainObject, Value } from '../../runtime/values/value.js';
import { type Optimizations, optimizationsOf } from '../compile-flags.js';
import { type Coverage, CoverageCounter } from '../coverage/coverage.js';
import type { CoverageRun } from '../coverage/coverage-runs.js';
import { ProbeTable } from '../coverage/probe-table.js';
import { measure } from '../eval/benchmark.js';
import { openEngine } from '../eval/command-engine.js';
import type { Io } from '../io.js';
import type { ParsedFile } from '../policies.js';
import { caseBuiltin, reportCases } from './cases.js';
import { discoverTests, renameDuplicates, type TestRule, testExpressions } from './discover.js';
import type { TestResult } from './result.js';
import { expressionText } from './values-text.js';
import { judge, notCalled, skipped } from './verdict.js';

export interface TestOptions {
  readonly compile: CompileOptions;
  /** Time limit of each test in milliseconds. */
  readonly timeout: number;
  /** Selects tests by full name. */
  readonly matches: (fullName: string) => boolean;
  readonly coverage: boolean;
  /** Optimizations to disable in additional runs, to explain uncovered ranges. */
  readonly coverageRuns: readonly CoverageRun[];
  readonly benchmark: boolean;
  /** Whether benchmarks count allocations. */
  readonly allocations: boolean;
  /** Whether to report where a test's own body failed. */
  readonly failureLines: boolean;
}

/** The tests, planned without an optimization. */
interface FurtherRun {
  readonly kind: CoverageRun;
  readonly session: PreparedProgram;
  readonly probes: ProbeTable;
}

export class TestRun {
  readonly tests: readonly TestRule[];
  readonly #coverage = new CoverageCounter();
  readonly parsed: readonly ParsedFile[];
  readonly #session: PreparedProgram;
  readonly #options: TestOptions;
  readonly #cases: (readonly Value[])[];
  readonly #probes: ProbeTable | undefined;
  readonly #further: readonly FurtherRun[];

  private constructor(
    parsed: readonly ParsedFile[],
    tests: readonly TestRule[],
    session: PreparedProgram,
    options: TestOptions,
    cases: (readonly Value[])[],
    probes: ProbeTable | undefined,
    further: readonly FurtherRun[],
  ) {
    this.parsed = parsed;
    this.tests = tests;
    this.#session = session;
    this.#options = options;
    this.#cases = cases;
    this.#probes = probes;
    this.#further = further;
  }

  /** Compiles and plans. Rejects with CompileErrors. */
  static async prepare(given: readonly ParsedFile[], data: PlainObject, options: TestOptions, io: Io): Promise<TestRun> {
    const parsed = renameDuplicates(given);
    const cases: (readonly Value[])[] = [];
    const own = caseBuiltin((keys) => void cases.push(keys));
    const compile = {
      ...options.compile,
      builtins: withRows(options.compile.builtins ?? builtins, [own]),
      print: !options.benchmark,
      captureTestValues: options.failureLines,
      instrument: reportCases,
    };
    const engine = await openEngine(parsed, data, compile, io);
    const compiled = await engine.compiled();
    const tests = discoverTests(parsed, options.matches);
    const probes =
      options.coverage || options.failureLines
        ? new ProbeTable(compiled, { ...(options.failureLines && { watched: testExpressions(compiled) }) })
        : undefined;
    const requests = new Map(
      tests.filter(({ skip, isFunction }) => !skip && !isFunction).map(({ fullName, path }) => [fullName, { name: fullName, path }]),
    );
    const open = async (probes: ProbeTable | undefined, optimizations: Optimizations): Promise<PreparedProgram> => {
      const instrumented = probes && { probes, builtins: probes.builtins };
      return await engine.plan([...requests.values()], { ...optimizations, ...instrumented });
    };
    // Without the rule index the whole body of a test is evaluated, to locate a failure.
    const session = await open(probes, { ruleIndex: probes === undefined || options.coverage });
    const further: FurtherRun[] = [];
    for (const kind of options.coverage ? options.coverageRuns : []) {
      const all = new ProbeTable(compiled);
      further.push({ kind, session: await open(all, optimizationsOf(kind)), probes: all });
    }
    return new TestRun(parsed, tests, session, options, cases, probes, further);
  }

  /** Runs the tests one after the other. */
  async *results(): AsyncIterableIterator<TestResult> {
    for (const test of this.tests) yield test.skip ? skipped(test) : await this.#run(test);
    if (this.#probes !== undefined) this.#coverage.add(this.#probes);
    for (const { kind, session, probes } of this.#further) {
      await this.#runAll(session);
      this.#coverage.add(probes, kind);
    }
  }

  /** Runs tests only for their coverage; an error keeps the coverage up to that point. */
  async #runAll(session: PreparedProgram): Promise<void> {
    for (const { fullName, skip, isFunction } of this.tests) {
      if (skip || isFunction) continue;
      await session.run(fullName, undefined, { timeMs: this.#options.timeout, onPrint: () => undefined }).catch(() => undefined);
    }
  }

  /** The coverage of all runs so far. */
  coverage(): Coverage {
    return this.#coverage.report(this.parsed.map(({ module }) => module));
  }

  async #run(test: TestRule): Promise<TestResult> {
    const { package: pkg, name, location } = test;
    let output = '';
    const evaluation: EvaluationOptions = {
      timeMs: this.#options.timeout,
      onPrint: (line) => void (output += `${line}\n`),
      onRestart: () => {
        output = '';
        this.#cases.length = 0;
      },
    };
    const evaluate = async () => {
      this.#cases.length = 0;
      const [solution] = await this.#session.run(test.fullName, undefined, evaluation);
      return (solution as PlainObject | undefined)?.result;
    };
    const lastProbe = this.#follow(test);
    const start = performance.now();
    const elapsed = () => Math.round((performance.now() - start) * 1e6);
    const shared = { location, package: pkg, name, skip: false, subResults: new Map<string, never>() };
    if (test.isFunction) return { ...shared, fail: false, error: notCalled(test), duration: 0, output };
    try {
      const value = await evaluate();
      const duration = elapsed();
      const verdict = judge(test, value, this.#cases);
      if (!this.#options.benchmark || verdict.fail) {
        const failedAt = verdict.fail ? this.#failure(test, lastProbe()) : undefined;
        return { ...shared, ...verdict, duration, output, ...(failedAt && { failedAt }) };
      }
      const benchmark = await measure(async () => void (await evaluate()), { allocations: this.#options.allocations });
      const perRun = benchmark.nanoseconds / benchmark.runs;
      return {
        ...shared,
        ...verdict,
        duration: elapsed(),
        output: '',
        benchmark: { ...benchmark, extra: { 'timer_rego_query_eval_ns/op': perRun } },
      };
    } catch (error) {
      return { ...shared, fail: false, error: error as Error, duration: elapsed(), output };
    }
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

  #failure({ body }: TestRule, probe: number | undefined): TestResult['failedAt'] {
    const probes = this.#probes;
    if (probes === undefined || probe === undefined) return undefined;
    const { loc } = probes.all[probe]!;
    const written = body.find((expr) => expr.loc.start <= loc.start && loc.end <= expr.loc.end);
    const span = written?.loc ?? loc;
    return { location: locationOf(span), text: expressionText(span, probes, probe) };
  }
}
