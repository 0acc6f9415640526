/** The largest, the smallest and the sum of members that depend on the input. */
import { isSet } from '../../../../values/index.js';
import type { Formula } from '../formulas.js';
import { type Guarded, known, type SymbolicSettings, type SymbolicValue } from '../symbolic-value.js';
import { orderedMembers } from './collection-operations.js';
import { amountTerm, amountWhere, type Entries } from './symbolic-builtins.js';

/** The results of a built-in over the members of a list or a set; undefined for others. */
export function aggregate(
  name: string,
  [collection]: readonly SymbolicValue[],
  settings: SymbolicSettings,
  entriesOf: Entries,
): readonly Guarded[] | undefined {
  if (name !== 'max' && name !== 'min' && name !== 'sum') return undefined;
  const found = membersOf(collection!, settings, entriesOf);
  if (found === undefined) return undefined;
  return name === 'sum' ? [summed(found, settings)] : outermost(found, name === 'max', settings);
}

interface Members {
  readonly guard: Formula;
  /** No two equal ones of a set are there. */
  readonly members: readonly Guarded[];
}

function membersOf(value: SymbolicValue, settings: SymbolicSettings, entriesOf: Entries): Members | undefined {
  const { formulas: f, comparing, input } = settings;
  const isSetValue =
    value.type === 'set' ||
    (value.type === 'known' && isSet(value.value)) ||
    (value.type === 'part' && input.isSetPart(value.part));
  if (isSetValue) {
    const entries = entriesOf(value);
    const members = entries.map(({ guard, value: own }, i) => ({
      guard: f.and(guard, f.not(comparing.memberOf(own, entries.slice(0, i)))),
      value: own,
    }));
    return { guard: value.type === 'part' ? input.isKind(value.part, 'set') : f.yes, members };
  }
  // The order of the members shows in no result.
  return value.type === 'array' ? { guard: f.yes, members: value.members } : orderedMembers(value, settings);
}

/** Each member, where no other one is beyond it. */
function outermost(
  { guard, members }: Members,
  isLargest: boolean,
  { formulas: f, comparing }: SymbolicSettings,
): readonly Guarded[] {
  return members.map((one, i) => {
    const others = members.filter((_, j) => j !== i);
    const none = others.map((other) => {
      const isBeyond = isLargest ? comparing.below(one.value, other.value) : comparing.below(other.value, one.value);
      return f.not(f.and(other.guard, isBeyond));
    });
    return { guard: f.and(guard, one.guard, ...none), value: one.value };
  });
}

/** A member that is no number makes an error. */
function summed({ guard, members }: Members, settings: SymbolicSettings): Guarded {
  const { formulas: f, input } = settings;
  if (members.length > 1) input.roundings.add('+');
  const terms: string[] = [];
  const numbers = members.map((member) => {
    const isNumber = settings.comparing.isOfKind(member.value, 'number');
    const own = amountTerm(member.value, settings);
    if (own !== undefined) terms.push(amountWhere(f.and(member.guard, isNumber), own.term, settings));
    return f.or(f.not(member.guard), isNumber);
  });
  const value: SymbolicValue = terms.length === 0 ? known(0) : { type: 'number', term: `(+ ${terms.join(' ')} 0.0)` };
  return { guard: f.and(guard, ...numbers), value };
}
