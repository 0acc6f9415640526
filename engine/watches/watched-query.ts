/** The solutions of a query, watched. */

import type { Compiled } from '../../compiler/index.js';
import { compileErrors, compileQuery, hintsOf, PlanInputs, parseQuery, planSteps } from '../../compiler/index.js';
import type { HeldVersion } from '../../runtime/index.js';
import { type Value, withRows } from '../../values/index.js';
import { exactly } from '../evaluation/decide-options.js';
import { type EvaluationTarget, type ResultSets, targetOf } from '../evaluation/evaluate.js';
import type { Evaluator } from '../evaluation/evaluator.js';
import { captured, type QuerySolution, queryResults } from '../evaluation/query-results.js';
import { BudgetedOptions } from '../evaluation/slice-limits.js';
import { numbered, solutionNumber } from '../evaluation/solutions.js';
import { linkInSlices } from '../policies/link-plan.js';
import type { Versions } from '../versions.js';
import { ReadTree } from './read-tree.js';
import type { Watched } from './watch-source.js';
import type { Answering } from './watched-path.js';

export interface WatchableQuery {
  readonly text: string;
  /** Built-ins that the query itself may not call. */
  readonly unsafeBuiltins?: ReadonlySet<string> | undefined;
}

export interface Solutions {
  readonly results: readonly QuerySolution[];
  /** Keeps the documents, with which the results may share parts. */
  readonly hold: () => HeldVersion;
}

/** A query that is compiled and planned. */
interface PlannedQuery {
  readonly target: EvaluationTarget;
  /** The parts of the policies that it was planned from. */
  readonly inputs: PlanInputs;
  readonly resultsOf: (solutions: readonly Value[]) => readonly QuerySolution[];
}

export class WatchedQuery<T> implements Watched<Answering<Solutions, T>, T> {
  readonly #record: (reads: ReadTree) => Evaluator;
  #reads = new ReadTree();
  readonly #query: WatchableQuery;
  readonly #versions: Versions;
  #planned: PlannedQuery | undefined;

  constructor(record: (reads: ReadTree) => Evaluator, query: WatchableQuery, versions: Versions) {
    this.#record = record;
    this.#query = query;
    this.#versions = versions;
  }

  get reads(): ReadTree {
    return this.#reads;
  }

  async refresh(): Promise<boolean> {
    const compiled = await this.#versions.compiled();
    if (this.#planned?.inputs.hold(compiled.ruleTree)) return false;
    this.#planned = await this.#plan(compiled);
    return true;
  }

  async #plan(compiled: Compiled): Promise<PlannedQuery> {
    const { text, unsafeBuiltins } = this.#query;
    const { language, builtins } = this.#versions.settings;
    const query = parseQuery(text, { regoVersion: language });
    const capture = captured(query, { compiled, package: undefined, imports: [] });
    const options = { ...compiled.options, ...(unsafeBuiltins && { unsafeBuiltins }) };
    const done = compileQuery(compiled, capture.body, { options });
    if (done.diagnostics.length > 0) throw compileErrors(done.diagnostics, hintsOf(compiled));
    const inputs = new PlanInputs();
    const planning = planSteps(compiled, [{ name: 'query', query: numbered(done) }], {
      inputs,
      builtins: [solutionNumber],
    });
    const executable = await linkInSlices(planning, withRows(builtins, [solutionNumber]));
    return {
      target: targetOf(executable, 'query'),
      inputs,
      resultsOf: (solutions) => queryResults(solutions, query, done, capture),
    };
  }

  async evaluate({ input, options, write, caller }: Answering<Solutions, T>): Promise<T> {
    this.#reads = new ReadTree();
    const evaluator = this.#record(this.#reads);
    // A watch is refreshed before it evaluates.
    const { target, resultsOf } = this.#planned!;
    const use = ([solutions = []]: ResultSets) =>
      write({ results: resultsOf(solutions), hold: () => evaluator.store.hold() });
    const asked = { targets: [target], input };
    return await evaluator.all(asked, new BudgetedOptions(options()), use, exactly(caller));
  }
}
