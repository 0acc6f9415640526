/** Data filters of an engine: a rule → the condition on rows under which it holds. */

import type { RefTerm, Term } from '../../compiler/ast/nodes.js';
import type { Compiled } from '../../compiler/resolve/compiled.js';
import { prepareQueries } from '../../query/evaluate.js';
import { annotationsAt } from '../../query/filters/annotations.js';
import type { Condition } from '../../query/filters/condition.js';
import { FilterError } from '../../query/filters/filter-error.js';
import { type Hint, hintsFor } from '../../query/filters/hints.js';
import type { NamedTarget } from '../../query/filters/mappings.js';
import { maskPath } from '../../query/filters/mask-rule.js';
import { translate } from '../../query/filters/translate.js';
import { lookup } from '../../runtime/values/compare.js';
import type { Value } from '../../runtime/values/value.js';
import type { Engine } from '../engine.js';
import type { Caller, DecideOptions } from '../evaluation/caller.js';
import { evaluateAsync, type Target } from '../evaluation/evaluate.js';
import { timers } from '../evaluation/metrics.js';
import { partialQuery } from '../evaluation/partial.js';
import { type SourcesBeside, sourcesOf } from '../policies/sources-of.js';

interface FilterQuestion {
  readonly path: readonly string[];
  readonly input: Value | undefined;
  /** Undefined: those that annotations name. */
  readonly unknowns: readonly RefTerm[] | undefined;
  /** Undefined: the one that an annotation names. */
  readonly maskRule: Term | undefined;
  /** Each of them must be able to express the condition. */
  readonly targets: readonly NamedTarget[];
}

export interface Filtered {
  readonly condition: Condition;
  /** The value of the rule of masks. */
  readonly masks: Value | undefined;
  readonly hints: readonly Hint[];
}

interface FilterCaller {
  readonly caller?: Caller | undefined;
  readonly beside?: SourcesBeside | undefined;
}

/**
 * The condition under which a rule holds, and the masks of its columns. Rejects with a FilterError
 * where a target cannot express it, and as decisions do.
 */
export async function filter(
  engine: Engine,
  question: FilterQuestion,
  options: DecideOptions,
  { caller, beside }: FilterCaller = {},
): Promise<Filtered> {
  const { path, input, targets } = question;
  const compiled = await sourcesOf(engine, engine.version, path, beside);
  if (compiled === undefined) throw withoutSource(path);
  const preparing = performance.now();
  const modules = [...compiled.modules.values()].map(({ parsed }) => parsed);
  const annotated = annotationsAt(modules, path);
  const unknowns = question.unknowns ?? annotated.unknowns;
  options.metrics?.since(timers.prepPartial, preparing);
  const evaluating: DecideOptions = { ...options, ...(caller && { signal: caller.signal }) };
  return await engine.evaluator.holding(async ({ root }) => {
    const run = (target: Target) => evaluateAsync(target, input, root, engine.context, evaluating);
    const query = `data${path.map((name) => `[${JSON.stringify(name)}]`).join('')}`;
    const asked = { query, unknowns, nondeterministicBuiltins: true };
    const partial = performance.now();
    const residual = await partialQuery(compiled, 'v1', asked, { input, data: root }, engine.context, options, caller);
    options.metrics?.since(timers.evalConstraints, partial);
    const translating = performance.now();
    const condition = translate(residual, targets);
    options.metrics?.since(timers.translateQueries, translating);
    const isNever = condition.type === 'constant' && !condition.holds;
    const rule = question.maskRule ?? annotated.maskRule;
    const mask = rule === undefined || isNever ? undefined : maskPath(rule, path, modules);
    const masks = mask === undefined ? undefined : await masksOf(compiled, mask, run, options);
    return { condition, masks, hints: hintsFor(compiled, path, input, unknowns) };
  });
}

type Run = (target: Target) => Promise<readonly Value[]>;

async function masksOf(compiled: Compiled, path: readonly string[], run: Run, { metrics }: DecideOptions): Promise<Value | undefined> {
  const started = performance.now();
  const executable = await prepareQueries(compiled, [{ name: 'masks', path }]);
  const [found] = await run({ executable, plan: 0 });
  metrics?.since(timers.evalMaskRule, started);
  metrics?.since(timers.queryEval, started);
  return found === undefined ? undefined : lookup(found, 'result');
}

function withoutSource(path: readonly string[]): FilterError {
  const name = ['data', ...path].join('.');
  const message = `${name} is answered by a plan, and the bundle has no policy source beside it`;
  return new FilterError([{ code: 'pe_fragment_error', message }]);
}
