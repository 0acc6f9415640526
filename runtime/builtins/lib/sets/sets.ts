/** Unions, intersections and differences of sets. */
import { sortedMembers } from '../../../values/compare.js';
import { RegoSet } from '../../../values/set.js';
import type { Value } from '../../../values/value.js';
import { countWork } from '../../../values/work.js';
import { setOperand } from '../../value-operands.js';

/** Units for a member that is looked up and put into another set. */
const unitsPerMember = 10;

export function intersect(x: RegoSet, y: RegoSet): RegoSet {
  if (y.size < x.size) return intersect(y, x);
  const common = new RegoSet();
  for (const member of x) {
    countWork(unitsPerMember);
    if (y.has(member)) common.add(member);
  }
  return common;
}

export function unite(x: RegoSet, y: RegoSet): RegoSet {
  if (x.size === 0) return y;
  if (y.size === 0) return x;
  const all = new RegoSet();
  for (const members of [x, y]) addAll(all, members);
  return all;
}

/** The members of `x` that are not in `y`. */
export function difference(x: RegoSet, y: RegoSet): RegoSet {
  const rest = new RegoSet();
  for (const member of x) {
    countWork(unitsPerMember);
    if (!y.has(member)) rest.add(member);
  }
  return rest;
}

function addAll(set: RegoSet, members: RegoSet): void {
  for (const member of members) {
    countWork(unitsPerMember);
    set.add(member);
  }
}

function setsOf(operand: Value): RegoSet[] {
  return sortedMembers(setOperand(operand, 1)).map((member) => setOperand(member, 1));
}

export function intersection(operand: Value): RegoSet {
  const members = setsOf(operand);
  return members.length === 0 ? new RegoSet() : members.reduce(intersect);
}

export function union(operand: Value): RegoSet {
  const all = new RegoSet();
  for (const members of setsOf(operand)) addAll(all, members);
  return all;
}
