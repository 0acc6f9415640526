/** The states of lines in the sources of a plan, after a run. */

import type { Policy } from '../../ir-schema/index.js';
import { Addresses } from '../../ir-schema/index.js';
import type { PlanProfileReport } from './profile-report.js';

export interface LineState {
  readonly file: string;
  readonly row: number;
  readonly state: 'passed' | 'failed' | 'unreached';
}

/** By line, from its outermost statements: a failure inside of `not` is none. */
export function lineStates(policy: Policy, { statements }: PlanProfileReport): readonly LineState[] {
  const files = (policy.static?.files ?? []).map(({ value }) => value);
  const counts = new Map(statements.map((statement) => [statement.address, statement]));
  const rows = new Map<
    string,
    { readonly file: string; readonly row: number; depth: number; states: Set<LineState['state']> }
  >();
  for (const { address, depth, stmt } of new Addresses(policy)) {
    const { file, row } = stmt.stmt;
    const name = files[file];
    if (name === undefined || name === '' || row === 0) continue;
    const key = `${name}:${row}`;
    let line = rows.get(key);
    if (line === undefined || line.depth > depth) rows.set(key, (line = { file: name, row, depth, states: new Set() }));
    if (line.depth < depth) continue;
    const count = counts.get(address);
    line.states.add(count === undefined ? 'unreached' : count.passed === 0 && count.failed > 0 ? 'failed' : 'passed');
  }
  return [...rows.values()].map(({ file, row, states }) => ({
    file,
    row,
    state: states.has('failed') ? 'failed' : states.has('passed') ? 'passed' : 'unreached',
  }));
}
