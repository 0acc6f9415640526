/** Partial evaluation for an engine: from a query's text to its residual, in slices. */

import type { Body, Compiled, CompiledQuery, QueryContext, RefTerm, Term } from '../../compiler/index.js';
import { compileErrors, compileQuerySteps, nowhere, parseQuerySteps, varTerm } from '../../compiler/index.js';
import { type EngineContext, EvaluationError } from '../../runtime/index.js';
import { checkedSteps, inSlices, type Steps, type Value } from '../../values/index.js';
import { knownDocuments } from '../policies/known-documents.js';
import type { Language } from '../policies/language.js';
import { type PartialResult, partialSteps } from '../query/partial/partial.js';
import type { ResidualOptions } from '../query/partial/partial-options.js';
import { programFor } from '../query/search-program.js';
import type { Caller, QueryOptions } from './decide-options.js';
import { timers } from './metrics.js';
import { evaluateInSlices } from './sliced-evaluation.js';

/** How much of the heap a partial evaluation may fill. */
const heapShare = 1 / 4;

export interface PartialQuery extends Omit<ResidualOptions, 'unknowns' | 'disableInlining' | 'known'> {
  /** A text, or a query that has been parsed. */
  readonly query: string | Body;
  /** The names that the query may use. */
  readonly scope?: Pick<QueryContext, 'package' | 'imports'>;
  /** A text with more tokens is refused. Default: no limit. */
  readonly maxTokens?: number | undefined;
  /** Terms such as `input.user`. Default: `input`. */
  readonly unknowns?: readonly Term[] | undefined;
  readonly disableInlining?: readonly RefTerm[] | undefined;
}

/** The documents and options of a partial evaluation. */
interface Surroundings {
  readonly compiled: Compiled;
  /** The language of the query. */
  readonly language: Language;
  readonly documents: { readonly input: Value | undefined; readonly data: Value };
  readonly context: EngineContext;
}

/** Compiles and evaluates. Rejects with CompileErrors or an EvaluationError. */
export async function partialQuery(
  { compiled, language, documents, context }: Surroundings,
  asked: PartialQuery,
  options: QueryOptions,
  caller: Caller | undefined,
): Promise<PartialResult> {
  const { metrics, instrument, timeMs = 0 } = options;
  const started = performance.now();
  const check = () => {
    if (timeMs > 0 && performance.now() - started > timeMs)
      throw new EvaluationError('eval_cancel_error', 'query execution timed out');
    if (caller?.signal.aborted) throw new EvaluationError('eval_cancel_error', 'caller cancelled query execution');
  };
  const query = await inSlices(checkedSteps(compiledQuery(compiled, language, asked, options), check));
  const program = await programFor(compiled, [query.body]);
  const evaluating = performance.now();
  // Compiling and evaluating have one time limit.
  const left = timeMs === 0 ? {} : { timeMs: Math.max(1, timeMs - (evaluating - started)) };
  const limited = { ...options, ...left, heapShare, ...(caller && { signal: caller.signal }) };
  const observed = instrument === true &&
    metrics !== undefined && { plugged: (time: number) => metrics.observe('plug', time) };
  const partial: ResidualOptions = {
    ...partialOptionsOf(asked, language),
    ...observed,
    known: knownDocuments(compiled),
  };
  const result = await evaluateInSlices(
    (evaluation) => partialSteps(program, query, documents, evaluation, partial),
    context,
    limited,
  );
  metrics?.since('timer_rego_partial_eval_ns', evaluating);
  return result;
}

/** The options of the residual. Default: the input is unknown. */
export function partialOptionsOf(asked: PartialQuery, language: Language): ResidualOptions {
  const { unknowns = [varTerm(nowhere, 'input')], disableInlining = [] } = asked;
  return { supportVersion: language === 'v0' ? 'v0v1' : 'v1', ...asked, unknowns, disableInlining };
}

/** `==` unifies in a query whose values are not asked for. */
export function* compiledQuery(
  compiled: Compiled,
  language: Language,
  { query: asked, scope, maxTokens }: PartialQuery,
  options: QueryOptions,
): Steps<CompiledQuery> {
  const { metrics, unsafeBuiltins, instrument } = options;
  const started = performance.now();
  const reading = { regoVersion: language, ...(maxTokens !== undefined && { maxStatementTokens: maxTokens }) };
  const parsed = typeof asked === 'string' ? yield* parseQuerySteps(asked, reading) : asked;
  metrics?.since(timers.queryParse, started);
  const compiling = performance.now();
  const compileOptions = {
    ...compiled.options,
    ...(unsafeBuiltins !== undefined && { unsafeBuiltins }),
    ...(instrument === true &&
      metrics !== undefined && { onTimer: (name: string, nanoseconds: number) => metrics.add(name, nanoseconds) }),
  };
  const query = yield* compileQuerySteps(compiled, parsed, { ...scope, options: compileOptions, unifies: true });
  if (query.diagnostics.length > 0) throw compileErrors(query.diagnostics);
  metrics?.since(timers.queryCompile, compiling);
  return query;
}
