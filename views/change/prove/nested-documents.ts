/** Rules of several keys as objects in objects, with values or sets in the last one. */
import type { Conflicts } from './conflicts.js';
import type { Formula } from './formulas.js';
import { type Guarded, type Member, type SymbolicSettings, type SymbolicValue, textOf } from './symbolic-value.js';
import { Unprovable } from './unprovable.js';

/** A value or a member of a set, with the keys above it. */
interface Leaf {
  readonly guard: Formula;
  readonly keys: readonly SymbolicValue[];
  readonly isMember: boolean;
  readonly value: SymbolicValue;
}

export interface NestedDocument {
  readonly value: SymbolicValue;
  /** Two values have the same keys. */
  readonly conflict: Formula;
}

/** The document of lists that have the keys, a text for the kind of head, and the value. */
export function nestedDocument(
  tuples: readonly Guarded[],
  settings: SymbolicSettings,
  conflicts: Conflicts,
): NestedDocument {
  const leaves = tuples.map(({ guard, value }): Leaf => {
    const parts = (value as { readonly members: readonly Guarded[] }).members.map((one) => one.value);
    const [kind, own] = parts.slice(-2);
    return { guard, keys: parts.slice(0, -2), isMember: textOf(kind!) === '"contains"', value: own! };
  });
  const [first] = leaves;
  if (leaves.some(({ keys, isMember }) => keys.length !== first!.keys.length || isMember !== first!.isMember))
    throw new Unprovable('rules of several keys of which some have more');
  const { result, conflict } = conflicts.within(() => membersAt(leaves, settings, conflicts));
  return { value: { type: 'object', members: result }, conflict };
}

/** The members by the first keys of leaves, which have equally many. */
function membersAt(leaves: readonly Leaf[], settings: SymbolicSettings, conflicts: Conflicts): readonly Member[] {
  const { formulas: f, comparing } = settings;
  const isLast = leaves[0]?.keys.length === 1;
  if (isLast && !leaves[0]!.isMember) {
    const members = leaves.map(({ guard, keys, value }) => ({ guard, key: keys[0]!, value }));
    conflicts.addKeys(members, f.yes);
    return members;
  }
  return [...Map.groupBy(leaves, ({ keys }) => textOf(keys[0]!)).values()].map((own): Member => {
    const key = own[0]!.keys[0]!;
    const below = leaves.map((leaf): Leaf => {
      const isSame = own.includes(leaf) ? f.yes : comparing.equals(leaf.keys[0]!, key);
      return { ...leaf, guard: f.and(leaf.guard, isSame), keys: leaf.keys.slice(1) };
    });
    const there = below.filter(({ guard }) => guard !== f.no);
    const value: SymbolicValue = isLast
      ? { type: 'set', members: there.map(({ guard, value: member }) => ({ guard, value: member })) }
      : { type: 'object', members: membersAt(there, settings, conflicts) };
    return { guard: f.or(...own.map(({ guard }) => guard)), key, value };
  });
}
