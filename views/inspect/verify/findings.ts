/** Statements and functions that no engine needs, and reads that can find nothing. */

import { type AddressedStatement, effectsOf, makesValue, type Stmt } from '../../../ir-schema/index.js';
import type { PlanView } from '../plan-view.js';
import type { PlanProblem } from './problem.js';

type Located = (statement: AddressedStatement) => Pick<PlanProblem, 'at' | 'location'>;

/** Statements that an undefined operand does not make undefined, or that give it on. */
const takesUndefined: ReadonlySet<Stmt['type']> = new Set<Stmt['type']>([
  'AssignVarStmt',
  'CallDynamicStmt',
  'CallStmt',
  'IsUndefinedStmt',
  'ReturnLocalStmt',
  'WithStmt',
]);

/** Locals that nothing can have set where they are read: the statement is always undefined. */
export function unsetReads(view: PlanView, located: Located): PlanProblem[] {
  return view.addresses.owners.flatMap((owner) => {
    const statements = view.addresses.inside(owner);
    const params = 'params' in owner.body ? (owner.body.params ?? []) : [0, 1];
    const first = new Map<number, number>(params.map((param) => [param, -1]));
    const loops = new Map<number, AddressedStatement[]>();
    statements.forEach((statement, i) => {
      for (const local of effectsOf(statement.stmt).writes) {
        if (!first.has(local)) first.set(local, i);
        loops.set(local, [...(loops.get(local) ?? []), ...loopsAround(statement)]);
      }
    });
    return statements.flatMap((statement, i) => {
      if (takesUndefined.has(statement.stmt.type)) return [];
      const { reads, writes } = effectsOf(statement.stmt);
      const own = statement.stmt.type === 'AssignVarOnceStmt' ? writes[0] : undefined;
      const unset = new Set(reads.filter((local) => local !== own && !((first.get(local) ?? Infinity) < i)));
      // An earlier round of a loop may have set it.
      const around = loopsAround(statement);
      return [...unset]
        .filter((local) => !(loops.get(local) ?? []).some((loop) => around.includes(loop)))
        .map(
          (local): PlanProblem => ({
            kind: 'unset',
            message: `local ${local} is read but not set before`,
            ...located(statement),
          }),
        );
    });
  });
}

function loopsAround(statement: AddressedStatement): AddressedStatement[] {
  const loops: AddressedStatement[] = [];
  for (let { parent } = statement; parent !== undefined; parent = parent.parent)
    if (parent.stmt.type === 'ScanStmt') loops.push(parent);
  return loops;
}

/** Statements behind one that always leaves their block, the first of each block. */
export function unreachable(view: PlanView, located: Located): PlanProblem[] {
  const left = new Set<string>();
  const told = new Set<string>();
  return [...view.addresses].flatMap((statement) => {
    const block = blockKey(statement);
    const isUnreachable = left.has(block) && !told.has(block);
    if (isUnreachable) told.add(block);
    if (statement.stmt.type === 'BreakStmt' || statement.stmt.type === 'ReturnLocalStmt') left.add(block);
    return isUnreachable ? [{ kind: 'unreachable' as const, message: 'no way leads here', ...located(statement) }] : [];
  });
}

function blockKey({ owner, steps }: AddressedStatement): string {
  return `${owner.name}/${steps.slice(0, -1).join('.')}`;
}

/** Functions that no plan calls, built-ins that none calls, and values that nothing reads. */
export function unused(view: PlanView, called: ReadonlySet<string>, located: Located): PlanProblem[] {
  const { addresses, graph, policy } = view;
  const plans = addresses.owners.filter(({ kind }) => kind === 'plan');
  const reached = new Set(plans.flatMap((plan) => graph.reachableFrom(plan)));
  const functions = addresses.owners.filter((owner) => owner.kind === 'func' && !reached.has(owner));
  const builtins = (policy.static?.builtin_funcs ?? []).filter(({ name }) => !called.has(name));
  return [
    ...functions.map(({ name }): PlanProblem => ({ kind: 'unused', message: 'no plan calls the function', at: name })),
    ...builtins.map(
      ({ name }): PlanProblem => ({ kind: 'unused', message: `built-in ${name} is declared but not called` }),
    ),
    ...addresses.owners.flatMap((owner) => {
      const statements = addresses.inside(owner);
      const read = new Set(statements.flatMap(({ stmt }) => effectsOf(stmt).reads));
      if ('return' in owner.body) read.add(owner.body.return);
      return statements.flatMap((statement): PlanProblem[] => {
        const [local] = makesValue(statement.stmt) ? effectsOf(statement.stmt).writes : [];
        if (local === undefined || read.has(local)) return [];
        return [{ kind: 'unused', message: `local ${local} is set but never read`, ...located(statement) }];
      });
    }),
  ];
}

/** One problem for all statements without a position. */
export function missingPositions(view: PlanView): PlanProblem[] {
  const without = [...view.addresses].filter(({ stmt: { stmt } }) => stmt.row <= 0);
  if (without.length === 0) return [];
  const [{ address }] = without as [AddressedStatement];
  const more = without.length === 1 ? '1 statement has' : `${without.length} statements have`;
  return [{ kind: 'position', message: `${more} no position`, at: address }];
}
