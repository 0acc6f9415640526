/** Questions answered by the search alone, as executables: to compare it with plans. */

import { stringTerm, varTerm } from '../../compiler/ast/make.js';
import type { RefTerm } from '../../compiler/ast/nodes.js';
import type { Compiled, CompiledQuery } from '../../compiler/resolve/compiled.js';
import { shownName } from '../../compiler/resolve/local-names.js';
import { nowhere } from '../../compiler/source/location.js';
import type { Frame } from '../../engine/query/bindings.js';
import { QueryEnvironment } from '../../engine/query/environment.js';
import { Machine, type Next, type Step } from '../../engine/query/machine.js';
import { locatedInQuery } from '../../engine/query/query-errors.js';
import { QuerySearch } from '../../engine/query/query-search.js';
import type { SearchProgram } from '../../engine/query/search.js';
import { programFor } from '../../engine/query/search-program.js';
import type { Evaluation } from '../../runtime/evaluation/evaluation.js';
import { type Executable, resultOf } from '../../runtime/evaluation/executable.js';
import { makeObject } from '../../values/compare.js';
import { RegoSet } from '../../values/set.js';
import type { Value } from '../../values/value.js';

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
  readonly #program: SearchProgram;
  readonly #questions: readonly (RefTerm | CompiledQuery)[];

  constructor(program: SearchProgram, questions: readonly Question[]) {
    this.entrypoints = new Map(questions.map(({ name }, i) => [name, i]));
    this.#questions = questions.map((question) => ('query' in question ? question.query : refTo(question.path)));
    this.builtins = [...program.builtins.keys()];
    this.#program = program;
  }

  run(entrypoint: number, input: Value | undefined, data: Value | undefined, evaluation: Evaluation): readonly Value[] {
    const question = this.#questions[entrypoint]!;
    const machine = new Machine(new QueryEnvironment({ input, data }), evaluation.meter);
    const search = new QuerySearch(this.#program, evaluation, machine);
    // `search.frame` is that of the latest expression.
    const { frame } = search;
    const results: Value[] = [];
    const take = (result: Value): Next => {
      results.push(result);
      return machine.fail();
    };
    const first: Step = () =>
      'terms' in question
        ? search.ref(question, frame, (value) => take({ result: value }))
        : search.body(question.body, frame, () => take(solutionOf(frame, question)));
    try {
      machine.run(first);
    } catch (error) {
      throw locatedInQuery(error, search.frame);
    }
    return results.length > 1 ? [...new RegoSet(results)] : results;
  }

  decide(entrypoint: number, input: Value | undefined, data: Value | undefined, evaluation: Evaluation): Value | undefined {
    return resultOf(this.run(entrypoint, input, data, evaluation));
  }
}

/** The bindings of a query, by the names that the author wrote. */
function solutionOf(frame: Frame, { names }: CompiledQuery): Value {
  const written = [...frame.values].flatMap(([name, value]) => {
    const own = shownName(name, names);
    return own === undefined ? [] : [[own, value] as const];
  });
  return makeObject(written);
}

function refTo(path: readonly string[]): RefTerm {
  return { type: 'ref', loc: nowhere, terms: [varTerm(nowhere, 'data'), ...path.map((key) => stringTerm(nowhere, key))] };
}
