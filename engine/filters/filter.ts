/** Data filters of an engine: a rule → the condition on rows under which it holds. */

import type { Compiled, RefTerm, Term } from '../../compiler/index.js';
import { documentText, nowhere, printTerm, rulesRead, stringTerm, varTerm } from '../../compiler/index.js';
import { type HeldVersion, resultOf } from '../../runtime/index.js';
import { isObject, type Value } from '../../values/index.js';
import type { Engine } from '../engine.js';
import type { Caller, DecideOptions } from '../evaluation/decide-options.js';
import { type ResultSets, sized } from '../evaluation/evaluate.js';
import { timers } from '../evaluation/metrics.js';
import { type PartialQuery, partialQuery } from '../evaluation/partial-query.js';
import { BudgetedOptions } from '../evaluation/slice-limits.js';
import { partOf } from '../paths/path-parts.js';
import { programsOf } from '../policies/decide-beside.js';
import type { ProgramSource } from '../policies/program-source.js';
import { type SourcesBeside, sourcesOf } from '../policies/sources-of.js';
import type { FilterCondition } from '../query/filters/condition.js';
import { FilterError } from '../query/filters/filter-error.js';
import { type FilterHint, hintsFor } from '../query/filters/hints.js';
import type { NamedTarget } from '../query/filters/mappings.js';
import { maskPath } from '../query/filters/mask-rule.js';
import { translate } from '../query/filters/translate.js';
import type { Version } from '../version.js';
import { AnnotatedRules } from './annotated-rules.js';

interface FilterQuestion {
  readonly path: readonly string[];
  readonly input: Value | undefined;
  /** Undefined: the unknowns of annotations. */
  readonly unknowns: readonly RefTerm[] | undefined;
  /** Documents whose rules are not inlined. */
  readonly disableInlining?: readonly RefTerm[];
  /** Undefined: the mask rule of an annotation. */
  readonly maskRule: Term | undefined;
  /** Each of them must be able to express the condition. */
  readonly targets: readonly NamedTarget[];
}

export interface Filtered {
  readonly condition: FilterCondition;
  /** The value of the rule of masks. */
  readonly masks: Value | undefined;
  /** The name of the rule of masks, if neither rules nor documents have it. */
  readonly missingMaskRule: string | undefined;
  readonly hints: readonly FilterHint[];
  /** The query that was evaluated partially. */
  readonly asked: FilterQuery;
  /** The path of the rule of masks. */
  readonly maskRule: readonly string[] | undefined;
  /** The bundles and the revision of the policies that answered. */
  readonly version: Version;
}

type FilterQuery = PartialQuery & { readonly unknowns: readonly RefTerm[] };

interface FilterCaller {
  readonly caller?: Caller | undefined;
  readonly beside?: SourcesBeside | undefined;
}

/**
 * The condition under which a rule holds, and the masks of its columns. Rejects with a FilterError
 * where a target cannot express it, and as decisions do.
 * @param use gets them before the documents can change, with which masks may share parts
 */
export async function filter<T>(
  engine: Engine,
  question: FilterQuestion,
  options: DecideOptions,
  use: (found: Filtered) => T,
  { caller, beside }: FilterCaller = {},
): Promise<T> {
  const { path, input, targets } = question;
  const { metrics } = options;
  let version: Version;
  let compiled: Compiled | undefined;
  // The documents are those of the same version: after this, nothing waits until they are held.
  do {
    version = engine.version;
    compiled = await sourcesOf(engine, version, path, beside);
  } while (version !== engine.version);
  if (compiled === undefined) throw withoutSource(path);
  const preparing = performance.now();
  const annotated = AnnotatedRules.of(compiled);
  const unknowns = question.unknowns ?? annotated.unknowns(path, metrics);
  metrics?.since(timers.prepPartial, preparing);
  return await engine.evaluator.holding(async (held) => {
    const { root } = held;
    const asked = queryOf(question, unknowns);
    const constraining = performance.now();
    const surroundings = {
      compiled,
      language: 'v1',
      documents: { input, data: root },
      context: engine.context,
    } as const;
    const residual = await partialQuery(surroundings, asked, options, caller);
    metrics?.since(timers.evalConstraints, constraining);
    const translating = performance.now();
    const condition = translate(residual, targets);
    metrics?.since(timers.translateQueries, translating);
    const hints = hintsFor(compiled, path, input, unknowns);
    const isNever = condition.type === 'constant' && !condition.holds;
    const rule = question.maskRule ?? annotated.maskRule(path, metrics);
    const modules = [...compiled.modules.values()].map(({ parsed }) => parsed);
    const mask = rule && maskPath(rule, path, modules);
    const isMissing = rule !== undefined && (mask === undefined || !isDefined(compiled, mask, root));
    const missingMaskRule = isMissing ? printTerm(rule) : undefined;
    const found = { condition, missingMaskRule, hints, asked, maskRule: mask, version };
    if (rule === undefined || mask === undefined || isNever) return use({ ...found, masks: undefined });
    const started = performance.now();
    const finish = (masks: Value | undefined): T => {
      if (masks !== undefined && !isObject(masks)) throw withoutMasks(rule);
      metrics?.since(timers.evalMaskRule, started);
      metrics?.since(timers.queryEval, started);
      metrics?.add(timers.externalResolve, 0);
      return use({ ...found, masks });
    };
    const { policies } = version;
    const programs =
      policies !== undefined && compiled === (await policies.compiled()) ? policies.programs : programsOf(compiled);
    return finish(await decideHeld(engine, { programs, path: mask, input, held }, options, caller));
  });
}

/** A path of policies, and of documents that are held. */
interface HeldQuestion {
  readonly programs: ProgramSource;
  readonly path: readonly string[];
  readonly input: Value | undefined;
  readonly held: HeldVersion;
}

/** The value at a path. */
async function decideHeld(
  { evaluator }: Engine,
  { programs, path, input, held }: HeldQuestion,
  options: DecideOptions,
  caller: Caller | undefined,
): Promise<Value | undefined> {
  const program = await programs.forPath(path);
  if (program === undefined) return partOf(held.root, path);
  const asked = { targets: [program.target], input, held };
  const use = ([results = []]: ResultSets) => resultOf(results);
  const document = await evaluator.all(asked, new BudgetedOptions(options), use, caller);
  return sized(document === undefined ? undefined : partOf(document, program.rest), options);
}

/** A document, with unknown rows. */
function queryOf({ path, disableInlining }: FilterQuestion, unknowns: readonly RefTerm[]): FilterQuery {
  const query = `data${path.map((name) => `[${JSON.stringify(name)}]`).join('')}`;
  return { query, unknowns, disableInlining, nondeterministicBuiltins: true };
}

/** Whether rules or a document are at a path. */
function isDefined({ ruleTree }: Compiled, path: readonly string[], data: Value): boolean {
  const ref = [varTerm(nowhere, 'data'), ...path.map((name) => stringTerm(nowhere, name))];
  if (rulesRead(ruleTree, ref).length > 0) return true;
  return partOf(data, path) !== undefined;
}

/** A misspelt name must not show the columns that the rule would have masked. */
export function withoutMaskRule(name: string): FilterError {
  return new FilterError([{ code: 'invalid_masks', message: `there is no rule ${name} for the masks` }]);
}

/** A client that finds no masks would show the values. */
function withoutMasks(rule: Term): FilterError {
  return new FilterError([
    { code: 'invalid_masks', message: `the value of the mask rule ${printTerm(rule)} is no object` },
  ]);
}

function withoutSource(path: readonly string[]): FilterError {
  const message = `${documentText(path)} is answered by a plan, and the bundle has no policy source beside it`;
  return new FilterError([{ code: 'pe_fragment_error', message }]);
}
