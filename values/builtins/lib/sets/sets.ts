/** Unions, intersections and differences of sets. */
import { sortedMembers } from '../../../compare.js';
import { RegoSet } from '../../../set.js';
import { isSet, type Value } from '../../../value.js';
import { countWork } from '../../../work.js';
import { operandTypeError } from '../../builtin-errors.js';

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

/** The sets of a set of sets. The reference's message is the same for the set and its members. */
export function setsOperand(operand: Value, position: number): readonly RegoSet[] {
  return sortedMembers(asSet(operand, position)).map((member) => asSet(member, position));
}

function asSet(value: Value, position: number): RegoSet {
  if (!isSet(value)) throw operandTypeError(position, value, 'set');
  return value;
}

export function intersection(sets: readonly RegoSet[]): RegoSet {
  return sets.length === 0 ? new RegoSet() : sets.reduce(intersect);
}

export function unionOfSets(sets: readonly RegoSet[]): RegoSet {
  const all = new RegoSet();
  for (const members of sets) addAll(all, members);
  return all;
}
