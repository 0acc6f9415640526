/** Traces of an engine's decisions and queries. */

import type { Compiled, CompiledQuery } from '../../compiler/index.js';
import type { EngineContext } from '../../runtime/index.js';
import { inSlices, type Value } from '../../values/index.js';
import type { Bundle } from '../bundle/bundle.js';
import type { PathOrQuery } from '../paths/resolve.js';
import { compileQueryText } from '../policies/compile-query.js';
import type { PolicySettings } from '../policies/next-policies.js';
import { tracedPathQuery } from '../policies/path-queries.js';
import type { Version } from '../version.js';
import type { PartialQuery } from './partial-query.js';
import type { TracedPlan } from './plan-trace.js';
import { explainQuery, type Trace, type TraceOptions } from './trace.js';

/** The subject of a trace: a path, a query, or a query with unknowns. */
export type TracedQuestion = PathOrQuery | { readonly compiled: CompiledQuery } | { readonly partial: PartialQuery };

/** The parts of an engine that a trace uses. */
interface Traced {
  readonly version: Version;
  readonly compiled: () => Promise<Compiled>;
  readonly settings: PolicySettings;
  readonly context: EngineContext;
}

/**
 * The trace of a plan holds the event loop, so it ends after some calls and rounds of loops. The
 * time is for built-ins that take long.
 */
const mostInstructions = 50_000;
const longestMs = 1000;

/** Rejects with CompileErrors. The documents must stay as they are meanwhile. */
export async function traceOf(
  asked: TracedQuestion,
  documents: { readonly input: Value | undefined; readonly data: Value },
  { version, compiled: compile, settings, context }: Traced,
  options: TraceOptions,
): Promise<Trace> {
  const planned = 'path' in asked && version.plans.size > 0 ? version.plans.namesFor(asked.path) : [];
  if (planned.length > 0) {
    const { explainPlans } = await import('./plan-trace.js');
    const timeMs = Math.min(options.timeMs || longestMs, longestMs);
    const plans = plansNamed(version.bundles.values(), planned);
    return explainPlans(plans, { documents, builtins: settings.builtins, context }, options, {
      timeMs,
      instructions: mostInstructions,
    });
  }
  const compiled = await compile();
  if ('partial' in asked) {
    const { compiledQuery, partialOptionsOf } = await import('./partial-query.js');
    const query = await inSlices(compiledQuery(compiled, settings.language, asked.partial, {}));
    return await explainQuery(compiled, query, documents, context, {
      ...options,
      partial: partialOptionsOf(asked.partial, settings.language),
    });
  }
  return await explainQuery(compiled, await compiledQuestion(asked, compiled, settings), documents, context, options);
}

/** The query that a question is traced as. */
export function compiledQuestion(
  asked: Exclude<TracedQuestion, { readonly partial: PartialQuery }>,
  compiled: Compiled,
  { language }: PolicySettings,
): CompiledQuery | Promise<CompiledQuery> {
  if ('path' in asked) return tracedPathQuery(asked.path);
  if ('compiled' in asked) return asked.compiled;
  const compilation = { language, unsafeBuiltins: undefined, metrics: undefined, instrument: false };
  return inSlices(compileQueryText(compiled, asked.query, compilation));
}

/** The plans of some names, in bundles that have no modules. */
function plansNamed(bundles: Iterable<Bundle>, names: readonly string[]): readonly TracedPlan[] {
  const policies = [...bundles]
    .flatMap(({ modules, plans }) => (modules.length === 0 ? plans : []))
    .map(({ policy }) => policy);
  const isIn = (policy: unknown, name: string) =>
    (policy as { plans?: { plans?: { name?: unknown }[] } }).plans?.plans?.some((plan) => plan.name === name);
  return names.flatMap((name) => policies.filter((policy) => isIn(policy, name)).map((policy) => ({ policy, name })));
}
