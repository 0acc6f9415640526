/** Where a variable or a rule got its value: the statements that write it. */

import { effectsOf, type Func, type Stmt } from '../../ir-schema/index.js';
import type { PlanMachine } from '../../runtime/index.js';
import { localNumber } from './frame-expressions.js';
import type { PlanMap } from './plan-map.js';
import type { ViewedFrame } from './stack-view.js';
import type { SessionTimeline } from './timeline.js';

/** Whether the next statement writes what is looked for, or begins a round that has written it. */
export type WriteTest = (next: Stmt) => boolean;

/** The writes of a frame's variable, given by its author's name or its number in the plan. */
export function variableWrites(
  name: string,
  frame: ViewedFrame | undefined,
  map: PlanMap,
  timeline: SessionTimeline,
): WriteTest | undefined {
  const local = frame?.statement && (map.namesAt(frame.statement.address).get(name) ?? localNumber(name));
  const started = frame?.call.started;
  if (local === undefined) return undefined;
  const writes = (stmt: Stmt | undefined) => stmt !== undefined && effectsOf(stmt).writes.includes(local);
  return (next) => {
    const { machine } = timeline;
    if (machine.frame?.started !== started) return false;
    // A loop gives its variables values when a round begins.
    return next.type === 'ScanStmt' ? false : writes(next) || writes(loopOfRound(machine));
  };
}

/** The loop whose next round begins, if one does. */
export function loopOfRound({ levels }: PlanMachine): Stmt | undefined {
  const [around, round] = levels.slice(-2);
  const loop = round?.position === 0 ? around?.stmts[around.position] : undefined;
  return loop?.type === 'ScanStmt' ? loop : undefined;
}

/** The writes of rules: statements that give them a value, or a part of it. */
export function ruleWrites(owners: ReadonlySet<Func>, map: PlanMap, timeline: SessionTimeline): WriteTest | undefined {
  if (owners.size === 0) return undefined;
  return (next) => {
    const func = timeline.machine.frame?.func;
    return func !== undefined && owners.has(func) && map.of(next).givesValue;
  };
}

/**
 * The statements that give a variable of this name its value, in any rule, with its local. A name
 * holds from the statement on that follows.
 */
export function writersOf(name: string, map: PlanMap): ReadonlyMap<Stmt, number> {
  const found = new Map<Stmt, number>();
  const { info } = map.index ?? {};
  for (const [i, owner] of map.addresses.owners.entries()) {
    const statements = map.addresses.inside(owner);
    for (const [number, local, from] of info?.owners[i]?.names ?? []) {
      if (info?.names[number] !== name) continue;
      const writer = statements.slice(0, from).findLast(({ stmt }) => effectsOf(stmt).writes.includes(local));
      if (writer !== undefined) found.set(writer.stmt, local);
    }
  }
  return found;
}
