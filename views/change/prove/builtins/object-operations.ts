/** Built-ins over objects whose members depend on the input. */
import { isArray, isPlainObject, isSet } from '../../../../values/index.js';
import type { Formula } from '../formulas.js';
import { type Guarded, known, type Member, type SymbolicSettings, type SymbolicValue } from '../symbolic-value.js';
import type { Entries } from './symbolic-builtins.js';

/** The results of a built-in over objects; undefined for others, and operands of another form. */
export function objectOperation(
  name: string,
  operands: readonly SymbolicValue[],
  settings: SymbolicSettings,
  entriesOf: Entries,
): readonly Guarded[] | undefined {
  const [a, b] = operands as [SymbolicValue, SymbolicValue];
  switch (name) {
    case 'object.keys': {
      const found = membersOf(a, settings);
      if (found === undefined) return undefined;
      const members = found.members.map(({ guard, key }) => ({ guard, value: key }));
      return [{ guard: found.guard, value: { type: 'set', members } }];
    }
    case 'object.union':
      return united(a, b, settings);
    case 'object.remove':
    case 'object.filter':
      return chosen(a, b, { settings, entriesOf, isKept: name === 'object.filter' });
    default:
      return undefined;
  }
}

interface Members {
  /** Whether the value is an object. */
  readonly guard: Formula;
  readonly members: readonly Member[];
}

/** @param names members of an unknown object that are told apart */
function membersOf(
  value: SymbolicValue,
  { formulas: f, input, comparing }: SymbolicSettings,
  names: readonly SymbolicValue[] = [],
): Members | undefined {
  if (value.type === 'object') return { guard: f.yes, members: value.members };
  if (value.type === 'known') {
    if (!isPlainObject(value.value)) return undefined;
    const entries = Object.entries(value.value);
    return {
      guard: f.yes,
      members: entries.map(([key, one]) => ({ guard: f.yes, key: known(key), value: known(one) })),
    };
  }
  if (value.type !== 'part') return undefined;
  const { part } = value;
  for (const name of names) if (name.type === 'known' && typeof name.value === 'string') input.child(part, name.value);
  const others = input
    .unknownMembers(part)
    .map((child) => ({ key: { type: 'string', term: child.keyText! } as const, child }));
  const named = [...part.children].flatMap(([key, child]) =>
    typeof key === 'string' ? [{ key: known(key), child }] : [],
  );
  const isObject = input.isKind(part, 'object');
  const members = [...named, ...others].map(({ key, child }) => {
    const own: SymbolicValue = { type: 'part', part: child };
    return { guard: f.and(isObject, comparing.isThere(own)), key, value: own };
  });
  return { guard: isObject, members };
}

/** The second one's members win; objects in both would be united, too: that is not told here. */
function united(a: SymbolicValue, b: SymbolicValue, settings: SymbolicSettings): readonly Guarded[] | undefined {
  const { formulas: f, comparing } = settings;
  const left = membersOf(a, settings);
  const right =
    left &&
    membersOf(
      b,
      settings,
      left.members.map(({ key }) => key),
    );
  if (left === undefined || right === undefined) return undefined;
  const isObject = ({ value }: Member) => settings.comparing.isOfKind(value, 'object');
  const members: Member[] = [...right.members];
  for (const one of left.members) {
    const same = right.members.map((other) => ({
      other,
      guard: f.and(other.guard, comparing.equals(one.key, other.key)),
    }));
    for (const { other, guard } of same)
      if (f.and(one.guard, guard, isObject(one), isObject(other)) !== f.no) return undefined;
    members.push({ ...one, guard: f.and(one.guard, f.not(f.or(...same.map(({ guard }) => guard)))) });
  }
  return [{ guard: f.and(left.guard, right.guard), value: { type: 'object', members } }];
}

/** An object without, or with only, the members of some keys. */
function chosen(
  object: SymbolicValue,
  keys: SymbolicValue,
  { settings, entriesOf, isKept }: Choosing,
): readonly Guarded[] | undefined {
  const { formulas: f, comparing } = settings;
  const wanted = keysOf(keys, entriesOf);
  const found =
    wanted &&
    membersOf(
      object,
      settings,
      wanted.map(({ value }) => value),
    );
  if (found === undefined) return undefined;
  const members = found.members.map((member) => {
    const isWanted = comparing.memberOf(member.key, wanted!);
    return { ...member, guard: f.and(member.guard, isKept ? isWanted : f.not(isWanted)) };
  });
  return [{ guard: found.guard, value: { type: 'object', members } }];
}

interface Choosing {
  readonly settings: SymbolicSettings;
  readonly entriesOf: Entries;
  readonly isKept: boolean;
}

/** The members of a list or a set, or the keys of an object. */
function keysOf(value: SymbolicValue, entriesOf: Entries): readonly Guarded[] | undefined {
  if (value.type === 'known' && !isArray(value.value) && !isSet(value.value) && !isPlainObject(value.value))
    return undefined;
  if (!['known', 'array', 'set', 'object'].includes(value.type)) return undefined;
  const isObject = value.type === 'object' || (value.type === 'known' && isPlainObject(value.value));
  return entriesOf(value).map(({ guard, key, value: own }) => ({ guard, value: isObject ? key : own }));
}
