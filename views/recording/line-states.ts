/** The states of lines in the sources of a plan, after a run. */

import { type RunSetting, runTables } from '../../engine/index.js';
import type { Stmt } from '../../ir-schema/index.js';
import type { StatementObserver } from '../../runtime/index.js';
import type { ObservedPolicy } from './observed-run.js';

export interface LineState {
  readonly file: string;
  readonly row: number;
  readonly state: 'passed' | 'failed' | 'unreached';
}

/**
 * Evaluates a plan, and tells its lines by their outermost statements: a failure inside of `not` is
 * none. Neither times nor events are recorded, which take ten times as long as the evaluation.
 */
export function lineStates(observed: ObservedPolicy, entrypoint: string, setting: RunSetting): readonly LineState[] {
  const outcomes = new StatementOutcomes();
  runTables(observed.tables, entrypoint, setting, { observer: outcomes });
  return linesBy(outcomes, observed);
}

interface Outcome {
  passed: boolean;
  failed: boolean;
}

/** Whether statements passed, or failed, at least once. */
class StatementOutcomes implements StatementObserver {
  readonly #byStatement = new Map<Stmt, Outcome>();
  readonly #open: Outcome[] = [];

  of(stmt: Stmt): Outcome | undefined {
    return this.#byStatement.get(stmt);
  }

  before(stmt: Stmt): void {
    let outcome = this.#byStatement.get(stmt);
    if (outcome === undefined) this.#byStatement.set(stmt, (outcome = { passed: false, failed: false }));
    this.#open.push(outcome);
  }

  passed(): void {
    this.#open.pop()!.passed = true;
  }

  ended(_stmt: Stmt, how: 'failed' | 'left'): void {
    const outcome = this.#open.pop()!;
    if (how === 'failed') outcome.failed = true;
  }
}

function linesBy(outcomes: StatementOutcomes, { policy, addresses }: ObservedPolicy): readonly LineState[] {
  const files = (policy.static?.files ?? []).map(({ value }) => value);
  const rows = new Map<
    string,
    { readonly file: string; readonly row: number; depth: number; states: Set<LineState['state']> }
  >();
  for (const { depth, stmt } of addresses) {
    const { file, row } = stmt.stmt;
    const name = files[file];
    if (name === undefined || name === '' || row === 0) continue;
    const key = `${name}:${row}`;
    let line = rows.get(key);
    if (line === undefined || line.depth > depth) rows.set(key, (line = { file: name, row, depth, states: new Set() }));
    if (line.depth < depth) continue;
    const outcome = outcomes.of(stmt);
    line.states.add(outcome === undefined ? 'unreached' : outcome.failed && !outcome.passed ? 'failed' : 'passed');
  }
  return [...rows.values()].map(({ file, row, states }) => ({
    file,
    row,
    state: states.has('failed') ? 'failed' : states.has('passed') ? 'passed' : 'unreached',
  }));
}
