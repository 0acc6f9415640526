/** Evaluates queries from loaded plans, without the compiler. */

import type { CompileCapabilities } from '../../compiler/index.js';
import type { QuerySolution, Trace, TracedPlan, TraceOptions } from '../../engine/index.js';
import { createContext, missingIn, partOf } from '../../engine/index.js';
import { documentPathText, engineOf, LibraryEngine } from '../../library/parts.js';
import { answerKey, type EngineContext, type EvaluationOptions, wallClockNs } from '../../runtime/index.js';
import { builtins, declaredOnly, isObject, type PlainObject, sortStrings, type Value } from '../../values/index.js';
import { nodeHost } from '../../values/node.js';
import type { FlagValues } from '../flags.js';
import type { Io } from '../io.js';
import type { Output } from '../output/output.js';
import { explainMode, wantsProfile } from './eval-flags.js';
import type { EvalSources } from './eval-sources.js';
import type { ExpressionProfile } from './profile.js';
import { parseEvalQuery, type Query } from './query.js';
import type { PreparedQuery } from './source-eval.js';
import type { Timers } from './timers.js';

/**
 * Whether the loaded plans can answer a query, so that the query is not compiled: a plan by its
 * name, or the document that a plan was made for; without any policies, any path; and a document
 * that holds what a plan alone answers.
 */
export function isPlanned(text: string, sources: EvalSources, flags: FlagValues): boolean {
  const { bundle, loose } = sources;
  const plans = namesOf(bundle);
  if (plans.includes(text.trim())) return true;
  const isExplained = explainMode(flags) !== undefined;
  const modules = bundle.modules.length + (loose?.modules.length ?? 0);
  const query = parseEvalQuery(text, { plans, package: flags.text('package'), imports: flags.all('import') });
  if (modules === 0) return plans.length > 0 || (!isExplained && query !== undefined);
  if (query?.kind === 'data' && planAloneNear(sources, query.path.map(String)) !== undefined) return true;
  if (flags.on('why') || flags.on('coverage') || wantsProfile(flags)) return false;
  const changesMeaning = isExplained || flags.on('strict') || flags.has('schema') || (loose?.modules.length ?? 0) > 0;
  return !changesMeaning && query?.kind === 'data' && plans.includes(query.path.join('/'));
}

/**
 * Throws an Error where a plan alone could answer a query, and a flag asks about the expressions of
 * policies: to compile the query would answer from fewer rules than there are.
 */
export function checkSource(flag: string, text: string, sources: EvalSources, flags: FlagValues): void {
  const { bundle, loose } = sources;
  const all = namesOf(bundle);
  if (all.length === 0) return;
  const needs = `--${flag} needs policies in source`;
  const asked = text.trim();
  if (bundle.modules.length + (loose?.modules.length ?? 0) === 0) throw new Error(`${needs}, and there are only plans`);
  if (all.includes(asked)) throw new Error(`${needs}, and ${asked} is the name of a plan`);
  const query = parseEvalQuery(text, { plans: [], package: flags.text('package'), imports: flags.all('import') });
  if (query?.kind === 'data' && planAloneNear(sources, query.path.map(String)) !== undefined)
    throw new Error(`${needs}, and there is only a plan for ${asked}`);
}

/**
 * Throws an Error for a query that only the compiler can plan, and that reads documents of plans
 * without policies: the compiler would take them for undefined.
 */
export function checkReads(text: string, sources: EvalSources, flags: FlagValues): void {
  if (plansAlone(sources).length === 0) return;
  const scope = { plans: [], package: flags.text('package'), imports: flags.all('import') };
  for (const [ref] of text.matchAll(/(?<![\w.])[A-Za-z_]\w*(?:\.\w+|\["[^"]*"\])*/g)) {
    const query = parseEvalQuery(ref, scope);
    const name = query?.kind === 'data' ? planAloneNear(sources, query.path.map(String)) : undefined;
    if (name !== undefined)
      throw new Error(
        `query ${JSON.stringify(text.trim())} needs policies in source, and there is only a plan for ${name}: ask for it alone`,
      );
  }
}

/** A plan without policies whose document is at a path, holds it, or is within it. */
function planAloneNear(sources: EvalSources, path: readonly string[]): string | undefined {
  const asked = path.join('/');
  const isWithin = (inner: string, outer: string): boolean =>
    outer === '' || inner === outer || inner.startsWith(`${outer}/`);
  return plansAlone(sources).find((name) => isWithin(name, asked) || isWithin(asked, name));
}

/** The names of plans in bundles without policies. */
function plansAlone({ bundles, loose }: EvalSources): readonly string[] {
  const parts = [...bundles.map((named) => named.bundle), ...(loose === undefined ? [] : [loose])];
  return parts.filter(({ modules }) => modules.length === 0).flatMap(namesOf);
}

function namesOf({ plans }: Pick<EvalSources['bundle'], 'plans'>): string[] {
  return plans.flatMap(({ policy }) => planNames(policy));
}

function planNames(policy: unknown): string[] {
  const plans = (policy as { plans?: { plans?: unknown } | null } | null)?.plans?.plans;
  return Array.isArray(plans) ? plans.map((row) => String((row as { name?: unknown } | null)?.name)) : [];
}

/** The settings of one round of evaluation. */
export interface RoundSettings {
  readonly flags: FlagValues;
  readonly timers: Timers;
  readonly io: Io;
  readonly capabilities: CompileCapabilities | undefined;
  /** Where the plan is evaluated again, for those who watch. */
  readonly noted?: NotedRound | undefined;
}

/** The notes of a round for further evaluations of its plan. */
export class NotedRound {
  /** Answers of built-ins that may answer otherwise next time. */
  readonly known = new Map<string, Value>();
  readonly timeNs = wallClockNs();
  /** The query, where policies were planned for it. */
  prepared: PreparedQuery | undefined;

  get options(): EvaluationOptions {
    return {
      timeNs: this.timeNs,
      onNondeterministic: (name, operands, value) => this.known.set(answerKey(name, operands), value),
    };
  }
}

/**
 * The results of a query for which `isPlanned` is true, and at a terminal the name that an
 * undefined one misspells.
 */
export async function planResults(
  text: string,
  sources: EvalSources,
  input: Value | undefined,
  { flags, timers, io, capabilities }: RoundSettings,
  options: EvaluationOptions,
): Promise<Pick<Output, 'results' | 'note'>> {
  const engine = await timers.time('rego_query_compile', () =>
    openPlans(sources, io, { capabilities, endsSoon: true }),
  );
  const query = await timers.time('rego_query_parse', () => readQuery(text, engine, flags));
  const results = await timers.time('rego_query_eval', () => resultsOf(engine, query, input, options));
  const isTold = results.length === 0 && query.kind === 'data' && io.isTerminal?.('stderr') === true;
  return { results, ...(isTold && { note: missingIn(engineOf(engine), query.path.map(String)) }) };
}

/** Loads the plans for many evaluations of a query for which `isPlanned` is true. */
export async function preparePlan(
  text: string,
  sources: EvalSources,
  flags: FlagValues,
  io: Io,
): Promise<(input: Value | undefined) => Promise<readonly QuerySolution[]>> {
  const engine = await openPlans(sources, io, { capabilities: undefined, endsSoon: false });
  const query = readQuery(text, engine, flags);
  return (input) => resultsOf(engine, query, input, {});
}

interface PlanSettings {
  readonly capabilities: CompileCapabilities | undefined;
  /** See `Platform`. */
  readonly endsSoon: boolean;
}

export function openPlans(
  { bundle, loose }: EvalSources,
  io: Io,
  { capabilities, endsSoon }: PlanSettings,
): Promise<LibraryEngine> {
  const policies = Object.fromEntries((loose?.modules ?? []).map(({ path, text }) => [path, text]));
  return LibraryEngine.open(Object.keys(policies).length === 0 ? [bundle] : [bundle, { policies }], {
    platform: { host: nodeHost, endsSoon, onWarning: (warning) => io.stderr(`warning: ${warning}\n`) },
    env: io.env as Record<string, string>,
    allowNet: capabilities?.allow_net,
    builtins: declaredOnly(capabilities, builtins),
  });
}

function readQuery(text: string, { entrypoints }: LibraryEngine, flags: FlagValues): Query {
  const query = parseEvalQuery(text, {
    plans: entrypoints,
    package: flags.text('package'),
    imports: flags.all('import'),
  });
  if (query === undefined) throw unknownQuery(text, entrypoints);
  return query;
}

/** The profile of a query for which `isPlanned` is true, by lines that its plans name. */
export async function planProfile(
  text: string,
  sources: EvalSources,
  input: Value | undefined,
  { flags, io }: RoundSettings,
): Promise<readonly ExpressionProfile[]> {
  const { runPlan } = await import('../../engine/evaluation/plan-trace.js');
  const { loadPlan } = await import('../../ir-schema/validate.js');
  const { PlanProfile } = await import('./plan-profile.js');
  const { profileFlags } = await import('./profile.js');
  const profile = new PlanProfile();
  const options = {
    known: new Map(),
    timeMs: flags.number('timeout') ?? 0,
    strictBuiltinErrors: flags.on('strict-builtin-errors'),
  };
  for (const { name, policy: json } of askedPlans(text, sources, flags)) {
    const policy = loadPlan(json);
    profile.begin(policy, name);
    runPlan(
      { policy, name },
      { documents: { input, data: sources.bundle.data }, builtins, context: planContext(io), options },
      { observer: profile },
    );
  }
  return profile.report(...profileFlags(flags));
}

/** The trace of a query for which `isPlanned` is true: of the statements of its plans. */
export async function planTrace(
  text: string,
  sources: EvalSources,
  input: Value | undefined,
  { flags, io }: RoundSettings,
  mode: TraceOptions['mode'],
): Promise<Trace> {
  const { explainPlans } = await import('../../engine/evaluation/plan-trace.js');
  const timeMs = flags.number('timeout') ?? 0;
  const options = { mode, known: new Map(), prints: true, strictBuiltinErrors: flags.on('strict-builtin-errors') };
  const documents = { input, data: sources.bundle.data };
  return explainPlans(askedPlans(text, sources, flags), { documents, builtins, context: planContext(io) }, options, {
    timeMs,
  });
}

/** The plans whose documents a query asks for. */
export function askedPlans(text: string, { bundle }: EvalSources, flags: FlagValues): readonly TracedPlan[] {
  const plans = bundle.plans.flatMap(({ policy }) => planNames(policy).map((name) => ({ name, policy })));
  const scope = { plans: plans.map(({ name }) => name), package: flags.text('package'), imports: flags.all('import') };
  const query = parseEvalQuery(text, scope);
  const asked = query === undefined ? '' : query.kind === 'plan' ? query.name : query.path.join('/');
  const isAsked = (name: string) =>
    asked === '' || name === asked || asked.startsWith(`${name}/`) || name.startsWith(`${asked}/`);
  return plans.filter(({ name }) => isAsked(name));
}

function planContext(io: Io): EngineContext {
  return createContext({ host: nodeHost }, { runtime: { env: { ...io.env } as PlainObject } });
}

function unknownQuery(text: string, entrypoints: readonly string[]): Error {
  const plans =
    entrypoints.length === 0
      ? 'there are none'
      : `there are ${entrypoints.slice(0, 10).join(', ')}${entrypoints.length > 10 ? ', …' : ''}`;
  return new Error(
    `query ${JSON.stringify(text.trim())} needs policies in source, and there are only plans: ask for a document (data.authz.allow) or a plan by its name (${plans})`,
  );
}

async function resultsOf(
  engine: LibraryEngine,
  query: Query,
  input: Value | undefined,
  options: Parameters<LibraryEngine['resultSet']>[2],
): Promise<QuerySolution[]> {
  if (query.kind === 'plan')
    return (await engine.resultSet(query.name, input, options)).map((bindings) => planResult(query, bindings));
  const path = query.path.map(String);
  const value =
    query.kind === 'input' ? partOf(input, path) : await engine.valueAsync(documentPathText(path), input, options);
  return value === undefined ? [] : [{ expressions: [expression(query, value)], bindings: {} }];
}

/**
 * A plan for a decision binds `result`, which is then the value; for other plans, the bindings are
 * shown.
 */
function planResult(query: Query, bindings: Value): QuerySolution {
  if (!isObject(bindings)) return { expressions: [expression(query, bindings)], bindings: {} };
  const { result } = bindings as PlainObject;
  const names = Object.keys(bindings);
  if (names.length === 1 && result !== undefined) return { expressions: [expression(query, result)], bindings: {} };
  return {
    expressions: [{ ...expression(query, true), variables: sortStrings(names) }],
    bindings: bindings as PlainObject,
  };
}

function expression({ text, row, col }: Query, value: Value) {
  return { value, text, location: { row, col }, variables: [] };
}
