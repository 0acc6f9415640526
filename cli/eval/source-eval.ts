import type { Body, Compiled, CompiledQuery, Warning } from '../../compiler/index.js';
import { compileErrors, compileQuery, debugInfo, hintsOf, plan, rulesAtPath } from '../../compiler/index.js';
import type {
  AskWays,
  Deciding,
  Engine,
  ExplainedOptions,
  ExplainedQuery,
  Explanation,
  OnPlug,
  PreparedProgram,
  QuerySolution,
  Trace,
  TraceOptions,
} from '../../engine/index.js';
import { ask, captured, missingIn, NotedAnswers, numbered, queryResults, solutionNumber } from '../../engine/index.js';
import type { DebugInfo, Policy } from '../../ir-schema/index.js';
import type { EvaluationOptions } from '../../runtime/index.js';
import type { Value } from '../../values/index.js';
import type { Optimizations } from '../compile-flags.js';
import { compileOptions, givenCoverageRuns, languageVersion, optimizationsOf } from '../compile-flags.js';
import { type Coverage, CoverageCounter } from '../coverage/coverage.js';
import { runsFor } from '../coverage/coverage-runs.js';
import { ProbeTable } from '../coverage/probe-table.js';
import type { FlagValues } from '../flags.js';
import { dependenciesOf } from '../inspect/dependencies.js';
import type { Io } from '../io.js';
import type { LoadOptions, ParsedFile } from '../load-policies.js';
import { loggedEvent } from '../recording/log-event.js';
import { openCommandEngine } from './command-engine.js';
import { explainMode, onPlug, wantsMetrics, wantsProfile, whyLimitsOfFlags } from './eval-flags.js';
import { type ExpressionProfile, profileFlags, profileOf } from './profile.js';
import { parseEvalQuery as parsePath } from './query.js';
import { parseAll, readQueryText, sourceOptions, type UnparsedSources } from './read-sources.js';
import type { TimerName, Timers } from './timers.js';

interface SourceAnswer {
  readonly results: QuerySolution[];
  readonly coverage?: Coverage;
  readonly profile?: readonly ExpressionProfile[];
  readonly trace?: Trace;
  readonly why?: Explanation;
}

/** The plan of a query, and the policies that it was made of. */
interface PlannedQuery {
  readonly policy: Policy;
  readonly debug: DebugInfo;
  readonly name: string;
  readonly parsed: readonly ParsedFile[];
}

/** A query that has been compiled and planned. */
export interface PreparedQuery {
  /** Answers it, and explains the answer where `failed` gets the explanation of an error. */
  ask(input: Value | undefined, options: EvaluationOptions, failed?: AskWays['failed']): Promise<SourceAnswer>;
  /** The name that a query for one document misspells, as a sentence. */
  missing(): string | undefined;
  /** The warnings about the rules that it reads, and about it. */
  warnings(ofQuery: boolean): Promise<readonly Warning[]>;
  /** The plan that answers it: of a rule or a package the one that `build` makes. */
  planned(): PlannedQuery;
  /** Whether it has a solution. */
  holds(input: Value | undefined): Promise<boolean>;
}

/** Rejects with a PolicyLoadError or CompileErrors. */
export async function prepareQuery(
  text: string,
  sources: UnparsedSources,
  flags: FlagValues,
  timers: Timers,
  io: Io,
): Promise<PreparedQuery> {
  const given = await compileOptions(flags);
  const load: LoadOptions = { version: languageVersion(flags), capabilities: given.capabilities };
  const hasModules = sources.bundle.modules.length + (sources.loose?.modules.length ?? 0) > 0;
  const timed = <T>(name: TimerName, action: () => T | Promise<T>) =>
    hasModules ? timers.time(name, action) : action();
  const parsed = await timed('rego_module_parse', () => parseAll(sources, load));
  const options = sourceOptions(given, flags, timers);
  const engine = await timed('rego_module_compile', () => openCommandEngine(parsed, sources.bundle.data, options, io));
  const compiled = await engine.compiled();
  const mode = explainMode(flags);
  const question = await readQuery(text, compiled, load, flags, timers);
  // Documents are in memory when an evaluation begins: it takes no time to fetch them.
  if (wantsMetrics(flags) && dependenciesOf(question.compiled.body, compiled).base.length > 0)
    timers.add('timer_rego_external_resolve_ns', 0);
  const profiles = wantsProfile(flags);
  const wantsCoverage = flags.on('coverage');
  const probes = wantsCoverage || profiles ? new ProbeTable(compiled, { timed: profiles }) : undefined;
  const wanted: Optimizations = {
    ...(flags.on('disable-indexing') && { ruleIndex: false }),
    ...(flags.on('disable-early-exit') && { earlyExit: false }),
  };
  const openWith = async (probes: ProbeTable | undefined, optimizations: Optimizations): Promise<PreparedProgram> => {
    const internal = [solutionNumber, ...(probes?.builtins ?? [])];
    const requests = [{ name: 'query', query: question.compiled }];
    return await engine.plan(requests, { ...optimizations, builtins: internal, ...(probes && { probes }) });
  };
  const session = await openWith(probes, wanted);
  const cover = async (first: ProbeTable, input: Value | undefined, evaluation: EvaluationOptions) => {
    const counter = new CoverageCounter();
    counter.add(first);
    const reasons = givenCoverageRuns(flags);
    for (const kind of runsFor(reasons)) {
      const all = new ProbeTable(compiled);
      const further = await openWith(all, { ...wanted, ...optimizationsOf(kind) });
      // Without the optimization the run may end in an error: its coverage counts up to that point.
      await further.run('query', input, { ...evaluation, onPrint: () => undefined }).catch(() => undefined);
      counter.add(all, kind);
    }
    const modules = parsed.map(({ module }) => module);
    return counter.report(modules, reasons);
  };
  const trace = async (
    input: Value | undefined,
    { options, known }: NotedAnswers,
    mode: TraceOptions['mode'],
    holds: boolean,
  ): Promise<Trace> => {
    const { timeMs, strictBuiltinErrors } = options;
    return await engine.trace({ compiled: question.traced }, input, {
      mode,
      known,
      prints: true,
      values: flags.on('var-values'),
      timeMs: timeMs ?? 0,
      strictBuiltinErrors,
      decided: { asked: text.trim(), as: 'solution', value: holds || undefined },
    });
  };
  const run = async (input: Value | undefined, evaluation: EvaluationOptions): Promise<SourceAnswer> => {
    const noted = new NotedAnswers({ ...evaluation, metrics: timers.builtins });
    const answers = await timers.time('rego_query_eval', () => session.run('query', input, noted.options));
    probes?.ended();
    return {
      results: question.results(answers, onPlug(flags, timers)),
      ...(probes && wantsCoverage && { coverage: await cover(probes, input, evaluation) }),
      ...(probes && profiles && { profile: profileOf(probes, ...profileFlags(flags)) }),
      ...(mode !== undefined && { trace: await trace(input, noted, mode, answers.length > 0) }),
    };
  };
  return {
    missing() {
      const asked = parsePath(text, { plans: [], package: flags.text('package'), imports: flags.all('import') });
      return asked?.kind === 'data' ? missingIn(engine, asked.path.map(String)) : undefined;
    },
    warnings: (ofQuery) => warningsOf(question.traced.body, compiled, sources, flags, ofQuery),
    ask: (input, options, failed) => {
      const whys = failed && { query: question.explained(), ...whyLimitsOfFlags(flags), event: loggedEvent(text) };
      return askAndExplain(engine, (noted) => run(input, noted), { input, options, whys, failed });
    },
    planned() {
      const path = entrypointOf(text, compiled, flags);
      const name = path?.join('/') ?? 'query';
      const request = path === undefined ? { name, query: question.traced } : { name, path };
      const policy = plan(compiled, [request], { ...wanted, notes: true });
      return { policy, debug: debugInfo(policy, compiled), name, parsed };
    },
    async holds(input) {
      return (await session.run('query', input, {})).length > 0;
    },
  };
}

interface AskedSource extends Pick<AskWays, 'failed'> {
  readonly input: Value | undefined;
  readonly options: EvaluationOptions;
  /** The query and the limits of its explanation; undefined where it is not explained. */
  readonly whys: (ExplainedOptions & { readonly query: ExplainedQuery }) | undefined;
}

async function askAndExplain(
  engine: Engine,
  run: (options: EvaluationOptions) => Promise<SourceAnswer>,
  { input, options, whys, failed }: AskedSource,
): Promise<SourceAnswer> {
  let answer: SourceAnswer = { results: [] };
  const decide: Deciding['decide'] = async (_, use, _caller, noted) => {
    answer = await run(noted ?? options);
    const value = answer.results[0]?.expressions[0]?.value;
    return use({ value, bundles: [], revision: 0, hold: () => engine.store.hold() });
  };
  const { query, ...why } = whys ?? {};
  const finish = (_: unknown, found?: Explanation) => (found === undefined ? answer : { ...answer, why: found });
  const ways = { options, why: whys && why, failed };
  return await ask({ engine, prepared: { decide }, query }, { input }, finish, ways);
}

async function warningsOf(
  query: Body,
  compiled: Compiled,
  { bundle }: UnparsedSources,
  flags: FlagValues,
  ofQuery: boolean,
): Promise<readonly Warning[]> {
  const { findSourceWarnings } = await import('../warnings/find-source-warnings.js');
  const paths = [...flags.all('data'), ...flags.all('bundle')];
  const found = await findSourceWarnings(compiled, { paths, documents: async () => bundle.data, query });
  return ofQuery ? found : found.filter(({ location }) => location.file !== '');
}

/** The path of a query that is a rule or a package. */
function entrypointOf(text: string, compiled: Compiled, flags: FlagValues): readonly string[] | undefined {
  const query = parsePath(text, { plans: [], package: flags.text('package'), imports: flags.all('import') });
  if (query?.kind !== 'data' || query.path.length === 0) return undefined;
  const path = query.path.filter((key) => typeof key === 'string');
  return path.length === query.path.length && rulesAtPath(compiled, path).length > 0 ? path : undefined;
}

interface Question {
  readonly compiled: CompiledQuery;
  /** The query without the numbers of solutions, which no explanation shows. */
  readonly traced: CompiledQuery;
  readonly results: (solutions: readonly Value[], plugged?: OnPlug) => QuerySolution[];
  /** The query without the variables that capture values. */
  readonly explained: () => ExplainedQuery;
}

async function readQuery(
  text: string,
  compiled: Compiled,
  load: LoadOptions,
  flags: FlagValues,
  timers: Timers,
): Promise<Question> {
  const {
    query,
    package: pkg,
    imports,
  } = await timers.time('rego_query_parse', () => readQueryText(text, load, flags));
  return await timers.time('rego_query_compile', () => {
    const capture = captured(query, { compiled, package: pkg, imports });
    const done = compileQuery(compiled, capture.body, { ...(pkg && { package: pkg }), imports });
    if (done.diagnostics.length > 0) throw compileErrors(done.diagnostics, hintsOf(compiled));
    const explained = (): ExplainedQuery => ({
      query: compileQuery(compiled, query, { ...(pkg && { package: pkg }), imports }),
      text,
      written: query.map(({ loc }) => loc),
    });
    return {
      compiled: numbered(done),
      traced: done,
      results: (solutions, plugged) => queryResults(solutions, query, done, capture, plugged),
      explained,
    };
  });
}
