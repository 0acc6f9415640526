/** Set algebra: the operators `&` and `|`, intersection, union, set_diff. `-` serves numbers as well: see numbers.ts. */
import { sortedMembers } from '../../values/compare.js';
import { RegoSet } from '../../values/set.js';
import { any, set } from '../../values/type.js';
import type { Value } from '../../values/value.js';
import { countWork } from '../../values/work.js';
import { arg, builtin } from '../builtin.js';
import { counted } from '../cost.js';
import { setOperand } from '../value-operands.js';

const own = { checksOperands: true } as const;
const twoSets = [arg('x', set(any)), arg('y', set(any))] as const;
const setOfSets = [arg('xs', set(set(any)))] as const;

/** Units for a member that is looked up and put into another set. */
const unitsPerMember = 10;

function intersect(x: RegoSet, y: RegoSet): RegoSet {
  if (y.size < x.size) return intersect(y, x);
  const common = new RegoSet();
  for (const member of x) {
    countWork(unitsPerMember);
    if (y.has(member)) common.add(member);
  }
  return common;
}

function unite(x: RegoSet, y: RegoSet): RegoSet {
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

function intersection(operand: Value): RegoSet {
  const members = setsOf(operand);
  return members.length === 0 ? new RegoSet() : members.reduce(intersect);
}

function union(operand: Value): RegoSet {
  const all = new RegoSet();
  for (const members of setsOf(operand)) addAll(all, members);
  return all;
}

// biome-ignore format: a table
export const sets = [
  builtin('and',          twoSets, set(any), (x, y) => intersect(setOperand(x, 1), setOperand(y, 2)), { ...own, infix: '&', cost: counted }),
  builtin('or',           twoSets, set(any), (x, y) => unite(setOperand(x, 1), setOperand(y, 2)), { ...own, infix: '|', cost: counted }),
  builtin('set_diff',     twoSets, set(any), (x, y) => difference(setOperand(x, 1), setOperand(y, 2)), { ...own, deprecated: true, cost: counted }),
  builtin('intersection', setOfSets, set(any), intersection, { ...own, cost: counted }),
  builtin('union',        setOfSets, set(any), union, { ...own, cost: counted }),
];
