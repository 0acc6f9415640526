/** The question that a path or a query is in one version. */
import { resultOf } from '../../runtime/index.js';
import type { Value } from '../../values/index.js';
import type { EvaluationTarget } from '../evaluation/evaluate.js';
import { inOrder } from '../evaluation/solutions.js';
import type { PathProgram } from '../policies/program-source.js';
import type { CompiledPolicies, Version } from '../version.js';
import { inFrontOf, partOf } from './path-parts.js';
import type { Question } from './question.js';

/** A document by the segments of its path, or the solutions of a query. */
export type PathOrQuery = { readonly path: readonly string[] } | { readonly query: string };

/** Plans a query in slices. Rejects with CompileErrors. */
export async function queryQuestionIn({ programs }: CompiledPolicies, query: string): Promise<Question> {
  return solutionsOf(await programs.forQuery(query, undefined, undefined, false, {}));
}

/** Plans a path in slices. Throws or rejects with CompileErrors, also where a function is there. */
export function pathQuestionIn(
  version: Version,
  asked: { readonly path: readonly string[] },
): Question | Promise<Question> {
  const found = version.policies?.programs.forPath(asked.path);
  return found instanceof Promise
    ? found.then((program) => joined(version, asked.path, program))
    : joined(version, asked.path, found);
}

/** Plans without waiting. Where a function is at a path, there is no document. */
export function questionAtOnce(version: Version, asked: PathOrQuery): Question {
  const { policies } = version;
  if (policies !== undefined && policies.atOnce === undefined)
    throw new Error('restored programs make no synchronous decisions');
  const programs = policies?.atOnce;
  if ('query' in asked) {
    if (programs === undefined) throw new Error('without policies a query is planned by prepareQuery');
    return solutionsOf(programs.forQueryAtOnce(asked.query));
  }
  return joined(version, asked.path, programs?.forPathAtOnce(asked.path));
}

/** An array of objects by variable; undefined where there are none. */
function solutionsOf(target: EvaluationTarget): Question {
  return {
    targets: [target],
    readsData: false,
    isWhole: false,
    answer: ([results = []]) => (results.length === 0 ? undefined : inOrder(results)),
  };
}

/** Entrypoints of plans answer before rules and documents at the same path. */
function joined({ plans, policies }: Version, path: readonly string[], program: PathProgram | undefined): Question {
  const planned = plans.size === 0 ? undefined : plans.ask(path);
  if (planned === undefined || planned.targets.length === 0) return questionOf(program, path);
  if (policies === undefined) return planned;
  const own = questionOf(program, path);
  const { length } = planned.targets;
  return {
    targets: [...planned.targets, ...own.targets],
    readsData: true,
    isWhole: false,
    answer: (results, data) =>
      inFrontOf(own.answer(results.slice(length), data), planned.answer(results.slice(0, length), data)),
  };
}

function questionOf(program: PathProgram | undefined, path: readonly string[]): Question {
  if (program === undefined)
    return { targets: [], readsData: true, isWhole: false, answer: (_results, data) => partOf(data, path) };
  const { target, rest } = program;
  const answerOf = (result: Value | undefined) => partOf(result, rest);
  return {
    targets: [target],
    readsData: false,
    isWhole: rest.length === 0,
    answer: ([results = []]) => answerOf(resultOf(results)),
    answerOf,
  };
}
