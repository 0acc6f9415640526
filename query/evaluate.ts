/**
 * Evaluates queries on checked syntax trees: the same answers as plans give, found by unification
 * and backtracking, in the order in which the rules' authors read them. It is slower than a plan;
 * it serves explanations and partial evaluation.
 */

import { stringTerm, varTerm } from '../compiler/ast/make.js';
import type { RefTerm } from '../compiler/ast/nodes.js';
import type { Compiled, CompiledQuery } from '../compiler/resolve/compiled.js';
import { nowhere } from '../compiler/source/location.js';
import type { Evaluation } from '../runtime/evaluation/evaluation.js';
import { type Executable, resultOf } from '../runtime/evaluation/executable.js';
import { RegoSet } from '../values/set.js';
import type { Value } from '../values/value.js';
import { Environment } from './environment.js';
import { Machine } from './machine.js';
import { programFor } from './program.js';
import { QuerySearch } from './query-search.js';
import type { Program } from './search.js';

/** The document at a path (`authz/allow`), or the solutions of a query. */
type Question = { readonly name: string; readonly path: readonly string[] } | { readonly name: string; readonly query: CompiledQuery };

/**
 * Prepares questions for evaluation; loads the libraries of the built-ins that may be called.
 *
 * @example
 * const executable = await prepareQueries(compiled, [{ name: 'eval', query }]);
 * const solutions = executable.run(0, input, data, evaluation);
 */
export async function prepareQueries(compiled: Compiled, questions: readonly Question[]): Promise<Executable> {
  const bodies = questions.flatMap((question) => ('query' in question ? [question.query.body] : []));
  return new QueryExecutable(await programFor(compiled, bodies), questions);
}

class QueryExecutable implements Executable {
  readonly entrypoints: ReadonlyMap<string, number>;
  readonly builtins: readonly string[];
  readonly #program: Program;
  readonly #questions: readonly (RefTerm | CompiledQuery)[];

  constructor(program: Program, questions: readonly Question[]) {
    this.entrypoints = new Map(questions.map(({ name }, i) => [name, i]));
    this.#questions = questions.map((question) => ('query' in question ? question.query : refTo(question.path)));
    this.builtins = [...program.builtins.keys()];
    this.#program = program;
  }

  run(entrypoint: number, input: Value | undefined, data: Value | undefined, evaluation: Evaluation): readonly Value[] {
    const question = this.#questions[entrypoint]!;
    const results: Value[] = [];
    const machine = new Machine(new Environment({ input, data }), evaluation.meter);
    const search = new QuerySearch(this.#program, evaluation, machine);
    if ('terms' in question) search.answer(question, (value) => results.push({ result: value }));
    else search.query(question, (solution) => results.push(solution));
    return results.length > 1 ? [...new RegoSet(results)] : results;
  }

  decide(entrypoint: number, input: Value | undefined, data: Value | undefined, evaluation: Evaluation): Value | undefined {
    return resultOf(this.run(entrypoint, input, data, evaluation));
  }
}

function refTo(path: readonly string[]): RefTerm {
  return { type: 'ref', loc: nowhere, terms: [varTerm(nowhere, 'data'), ...path.map((key) => stringTerm(nowhere, key))] };
}
