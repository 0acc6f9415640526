/** Programs for sessions: of a query over policies, and of a plan. */

import type { Body, Compiled, Environment, Import, Origins, Package, Source } from '../../compiler/index.js';
import { compileErrors, compileQuery, debugInfo, hintsOf, plan } from '../../compiler/index.js';
import { captured, numbered, type QuerySolution, queryResults, solutionNumber } from '../../engine/index.js';
import { type Policy, queryFile } from '../../ir-schema/index.js';
import { loadLibraries } from '../../runtime/index.js';
import { type Builtin, lookup, type Value, withDeclared, withRows } from '../../values/index.js';
import type { DebugProgram, SourceText } from './debug-program.js';
import { DebugError } from './session.js';

/** The parts that do not depend on what is asked. */
export type DebugSurroundings = Pick<
  DebugProgram,
  'context' | 'input' | 'data' | 'builtins' | 'sources' | 'strictBuiltinErrors' | 'known' | 'timeNs' | 'logged'
>;

export interface DebuggedQuery {
  readonly body: Body;
  readonly text: string;
  readonly package?: Package | undefined;
  readonly imports?: readonly Import[];
  /** The name of the outermost frame. Default: `query`. */
  readonly name?: string;
}

export interface WrittenPolicies {
  readonly origins: ReadonlyMap<Source, Origins>;
  readonly authors: readonly SourceText[];
}

/**
 * A query over policies. It is planned without optimization, with debug information beside the
 * plan. Rejects with CompileErrors.
 * @param written policies that `build -O` has written, and the authors' texts behind them
 */
export async function queryProgram(
  compiled: Compiled,
  query: DebuggedQuery,
  surroundings: DebugSurroundings,
  written?: WrittenPolicies,
): Promise<DebugProgram> {
  const { body, text, package: pkg, imports = [], name = 'query' } = query;
  const capture = captured(body, { compiled, package: pkg, imports });
  const done = compileQuery(compiled, capture.body, { ...(pkg && { package: pkg }), imports });
  if (done.diagnostics.length > 0) throw compileErrors(done.diagnostics, hintsOf(compiled));
  const environments = new Map<string, Environment>();
  const policy = plan(compiled, [{ name, query: numbered(done) }], {
    builtins: [solutionNumber],
    notes: true,
    environments,
    origins: written?.origins,
  });
  const info = debugInfo(policy, compiled, written && { origins: written.origins });
  const files = info.sources.map(({ file }) => file);
  // The residual of a policy in the bundle may have the name of the author's text, and other lines.
  if (new Set(files).size < files.length) return await queryProgram(compiled, query, surroundings);
  const builtins = withRows(surroundings.builtins, [solutionNumber]);
  await loadCalled(policy, builtins);
  const own: SourceText = { name: queryFile, path: undefined, kind: 'query', text };
  return {
    ...surroundings,
    policy,
    plan: name,
    info,
    compiled,
    environments,
    builtins,
    sources: [...withAuthors(surroundings.sources, written?.authors ?? []), own],
    name,
    answer: (results) => {
      const found = queryResults(results, body, done, capture);
      const solutions = found.map(answerValue);
      return { value: solutions[0], solutions };
    },
  };
}

/** The authors' texts in the place of others with their names. */
function withAuthors(sources: readonly SourceText[], authors: readonly SourceText[]): readonly SourceText[] {
  const names = new Set(authors.map(({ name }) => name));
  return [...sources.filter(({ name }) => !names.has(name)), ...authors];
}

/**
 * A plan, of this or another compiler.
 * @param entrypoint the name of one of its plans; needed where there are several
 */
export async function planDebugProgram(
  policy: Policy,
  entrypoint: string | undefined,
  {
    info,
    compiled,
    answer = resultsAnswer,
    ...surroundings
  }: DebugSurroundings & Pick<DebugProgram, 'info' | 'compiled'> & Partial<Pick<DebugProgram, 'answer'>>,
): Promise<DebugProgram> {
  const names = (policy.plans?.plans ?? []).map(({ name }) => name);
  const wanted = entrypoint ?? (names.length === 1 ? names[0] : undefined);
  if (wanted === undefined || !names.includes(wanted)) {
    const given = entrypoint === undefined ? 'name one of its entrypoints' : `the plan has no entrypoint ${entrypoint}`;
    throw new DebugError('invalid_launch', `${given}: ${names.join(', ')}`);
  }
  const builtins = withDeclared(surroundings.builtins, { builtins: policy.static?.builtin_funcs ?? [] });
  await loadCalled(policy, builtins);
  return {
    ...surroundings,
    policy,
    plan: wanted,
    info,
    compiled,
    builtins,
    name: wanted,
    answer,
  };
}

/** The values that the results of an entrypoint bind to `result`. */
function resultsAnswer(results: readonly Value[]): ReturnType<DebugProgram['answer']> {
  const solutions = results.map((result) => lookup(result, 'result') ?? result);
  return { value: solutions[0], solutions };
}

/** The bindings of a query's solution; the value of its last expression where it binds nothing. */
function answerValue(result: QuerySolution): Value {
  return Object.keys(result.bindings).length > 0 ? result.bindings : solutionValue(result);
}

/** The value of the last expression; the bindings where there is none. */
export function solutionValue({ expressions, bindings }: QuerySolution): Value {
  const last = expressions.at(-1);
  return last === undefined ? bindings : last.value;
}

async function loadCalled(policy: Policy, builtins: ReadonlyMap<string, Builtin>): Promise<void> {
  await loadLibraries(
    (policy.static?.builtin_funcs ?? []).map(({ name }) => name),
    builtins,
  );
}
