/** The solutions of a query, watched. */

import type { Compiled } from '../../compiler/index.js';
import { compileErrors, compileQuery, hintsOf, PlanInputs, parseQuery, planSteps } from '../../compiler/index.js';
import type { HeldVersion } from '../../runtime/index.js';
import type { Value } from '../../values/index.js';
import { withRows } from '../../values/index.js';
import { exactly } from '../evaluation/decide-options.js';
import { type EvaluationTarget, targetOf } from '../evaluation/evaluate.js';
import { captured, type QuerySolution, queryResults } from '../evaluation/query-results.js';
import { BudgetedOptions } from '../evaluation/slice-limits.js';
import { numbered, solutionNumber } from '../evaluation/solutions.js';
import { linkInSlices } from '../policies/link-plan.js';
import type { PolicySettings } from '../policies/next-policies.js';
import type { ReadTree } from './read-tree.js';
import type { RecordedEngine } from './recorded-engine.js';
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
  readonly #engine: RecordedEngine;
  readonly #query: WatchableQuery;
  readonly #compiled: () => Promise<Compiled>;
  readonly #settings: PolicySettings;
  #planned: PlannedQuery | undefined;

  constructor(
    engine: RecordedEngine,
    query: WatchableQuery,
    compiled: () => Promise<Compiled>,
    settings: PolicySettings,
  ) {
    this.#engine = engine;
    this.#query = query;
    this.#compiled = compiled;
    this.#settings = settings;
  }

  get reads(): ReadTree {
    return this.#engine.reads;
  }

  async refresh(): Promise<boolean> {
    const compiled = await this.#compiled();
    if (this.#planned?.inputs.hold(compiled.ruleTree)) return false;
    this.#planned = await this.#plan(compiled);
    return true;
  }

  async #plan(compiled: Compiled): Promise<PlannedQuery> {
    const { text, unsafeBuiltins } = this.#query;
    const query = parseQuery(text, { regoVersion: this.#settings.language });
    const capture = captured(query, { compiled, package: undefined, imports: [] });
    const options = { ...compiled.options, ...(unsafeBuiltins && { unsafeBuiltins }) };
    const done = compileQuery(compiled, capture.body, { options });
    if (done.diagnostics.length > 0) throw compileErrors(done.diagnostics, hintsOf(compiled));
    const inputs = new PlanInputs();
    const planning = planSteps(compiled, [{ name: 'query', query: numbered(done) }], {
      inputs,
      builtins: [solutionNumber],
    });
    const executable = await linkInSlices(planning, withRows(this.#settings.builtins, [solutionNumber]));
    return {
      target: targetOf(executable, 'query'),
      inputs,
      resultsOf: (solutions) => queryResults(solutions, query, done, capture),
    };
  }

  async evaluate({ input, options, write, caller }: Answering<Solutions, T>): Promise<T> {
    const engine = this.#engine;
    // A watch is refreshed before it evaluates.
    const { target, resultsOf } = this.#planned!;
    const use = (solutions: readonly Value[]) =>
      write({ results: resultsOf(solutions), hold: () => engine.store.hold() });
    return await engine.recorded(async () =>
      engine.evaluator.one(target, input, new BudgetedOptions(options()), use, exactly(caller)),
    );
  }
}
