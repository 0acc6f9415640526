/** All problems of a plan at once: for any engine, and for the one that is to run it. */

import { type AddressedStatement, findFaults, type Signature, StatementText } from '../../../ir-schema/index.js';
import { countedNoun } from '../../../values/index.js';
import { columnWidths, rowText } from '../columns.js';
import type { PlanView } from '../plan-view.js';
import { missingPositions, unreachable, unsetReads, unused } from './findings.js';
import { engines, isNote, type PlanEngine, type PlanProblem } from './problem.js';

export interface VerifyOptions {
  /** Built-ins with their signatures, those of the host too. */
  readonly builtins: ReadonlyMap<string, Signature>;
  /**
   * The engine that is to run the plan: what it refuses, and what it is known to answer otherwise.
   * `any`: what some engine refuses.
   */
  readonly target?: PlanEngine | 'any' | undefined;
  /** The built-ins that EOPA has. */
  readonly eopaBuiltins?: ReadonlySet<string> | undefined;
}

export function verifyPlan(view: PlanView, { builtins, target, eopaBuiltins }: VerifyOptions): PlanProblem[] {
  const text = new StatementText(view.policy);
  const located = (statement: AddressedStatement) => {
    const location = text.place(statement.stmt);
    return { at: statement.address, ...(location && { location }) };
  };
  const faults: PlanProblem[] = [];
  const called = findFaults(view.policy, builtins, (pointer, message) => {
    const found = view.addresses.atPointer(pointer);
    faults.push({
      kind: 'plan',
      message,
      ...(found ? located(found) : { at: view.addresses.ownerAtPointer(pointer)?.name ?? pointer }),
    });
  });
  const general = [
    ...faults,
    ...unsetReads(view, located),
    ...unreachable(view, located),
    ...unused(view, called, located),
    ...missingPositions(view),
  ];
  const refused = engines
    .filter((engine) => target === 'any' || target === engine)
    .flatMap((engine) => refusals[engine](view, located));
  if (target === 'rego-cpp') refused.push(...sharedLocals(view));
  if (target === 'eopa' && eopaBuiltins) refused.push(...newBuiltins(called, builtins, eopaBuiltins));
  return [...general, ...refused];
}

type Located = (statement: AddressedStatement) => Pick<PlanProblem, 'at' | 'location'>;

/** The faults because of which engines refuse a plan. */
const refusals: Readonly<Record<PlanEngine, (view: PlanView, located: Located) => PlanProblem[]>> = {
  // It defines functions as it reads them.
  eopa: ({ graph }, located) => {
    return graph.calls.flatMap(({ caller, callee, stmt }): PlanProblem[] => {
      if (typeof callee === 'string' || caller.kind === 'plan' || callee.index < caller.index) return [];
      return [{ kind: 'eopa', message: `function ${callee.name} stands behind its caller`, ...located(stmt) }];
    });
  },
  'rego-cpp': ({ policy, addresses }) => [
    ...(policy.static?.files ?? []).flatMap(({ value }, i): PlanProblem[] =>
      value === '' ? [{ kind: 'rego-cpp', message: `file ${i} has no name` }] : [],
    ),
    ...addresses.owners.flatMap(({ kind, name, body }): PlanProblem[] => {
      const hasPath = 'path' in body && body.path !== undefined && body.path.length > 0;
      return kind === 'plan' || hasPath ? [] : [{ kind: 'rego-cpp', message: 'the function has no path', at: name }];
    }),
  ],
  // It reads the declarations of built-ins.
  swift: ({ policy }) =>
    (policy.static?.builtin_funcs ?? [])
      .filter(({ decl }) => decl === null)
      .map(({ name }) => ({ kind: 'swift', message: `built-in ${name} has no declaration` })),
};

/** Frames of rego-cpp share registers: `--plan-locals unique` numbers locals over the plan. */
function sharedLocals({ addresses }: PlanView): PlanProblem[] {
  const owners = new Map<number, string>();
  for (const { name, body } of addresses.owners) {
    for (const local of 'params' in body ? (body.params ?? []).slice(2) : []) {
      const other = owners.get(local);
      if (other !== undefined) {
        const message = `local ${local} is in ${other} too, and frames share registers: build with --plan-locals unique`;
        return [{ kind: 'rego-cpp', message, at: name }];
      }
      owners.set(local, name);
    }
  }
  return [];
}

function newBuiltins(
  called: ReadonlySet<string>,
  known: ReadonlyMap<string, Signature>,
  of: ReadonlySet<string>,
): PlanProblem[] {
  return [...called]
    .filter((name) => known.has(name) && !of.has(name) && !name.startsWith('internal.'))
    .map((name) => ({ kind: 'eopa', message: `built-in ${name} is not in EOPA` }));
}

/**
 * A line for each problem and note, then their numbers.
 * @example
 * plan  authz/allow/0.3  there is no local -1  authz.rego:3:1
 * 1 problem
 */
export function problemsText(problems: readonly PlanProblem[]): string {
  const rows = problems.map(({ kind, message, at, location }) => {
    const place = location === undefined ? '' : `  ${location.file}:${location.row}:${location.col}`;
    return [kind, at ?? '', `${message}${place}`];
  });
  const widths = columnWidths(rows);
  const lines = rows.map((row) => rowText(row, widths));
  const notes = problems.filter(isNote).length;
  const counts = [countedNoun(problems.length - notes, 'problem'), ...(notes > 0 ? [countedNoun(notes, 'note')] : [])];
  return [...lines, counts.join(', ')].map((line) => `${line}\n`).join('');
}
