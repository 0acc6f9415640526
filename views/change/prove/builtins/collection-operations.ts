/** Built-ins over sets and lists that depend on the input. */
import { isArray, isSet } from '../../../../values/index.js';
import type { Formula } from '../formulas.js';
import { type Guarded, known, type SymbolicSettings, type SymbolicValue } from '../symbolic-value.js';
import type { Entries } from './symbolic-builtins.js';

/** The results of a built-in over sets; undefined for others. */
export function setOperation(
  name: string,
  operands: readonly SymbolicValue[],
  settings: SymbolicSettings,
  entriesOf: Entries,
): readonly Guarded[] | undefined {
  const { formulas: f, comparing, input } = settings;
  const [a, b] = operands as [SymbolicValue, SymbolicValue];
  const isSetValue = (value: SymbolicValue) =>
    value.type === 'set' ||
    (value.type === 'known' && isSet(value.value)) ||
    (value.type === 'part' && input.isSetPart(value.part));
  const thereOf = (value: SymbolicValue) => (value.type === 'part' ? input.isKind(value.part, 'set') : f.yes);
  const made = (members: readonly Guarded[]): readonly Guarded[] => [
    { guard: f.and(thereOf(a), thereOf(b)), value: { type: 'set', members } },
  ];
  switch (name) {
    case 'minus':
    case 'and':
    case 'or': {
      if (!isSetValue(a) || !isSetValue(b)) {
        // Numbers are told apart later; a set with another value has no result.
        return name !== 'minus' || isSetValue(a) || isSetValue(b) ? [] : undefined;
      }
      const [own, others] = [entriesOf(a), entriesOf(b)];
      if (name === 'or') return made([...own, ...others].map(guarded));
      return made(
        own.map(({ guard, value }) => {
          const isBoth = comparing.memberOf(value, others);
          return { guard: f.and(guard, name === 'and' ? isBoth : f.not(isBoth)), value };
        }),
      );
    }
    default:
      return undefined;
  }
}

function guarded({ guard, value }: Guarded): Guarded {
  return { guard, value };
}

/** The longest slice whose elements are told one by one. */
const longestSlice = 16;

/** The results of a built-in over lists; undefined for others. */
export function arrayOperation(
  name: string,
  operands: readonly SymbolicValue[],
  settings: SymbolicSettings,
): readonly Guarded[] | undefined {
  const [a, b, c] = operands as [SymbolicValue, SymbolicValue, SymbolicValue];
  switch (name) {
    case 'array.concat': {
      const [left, right] = [orderedMembers(a, settings), orderedMembers(b, settings)];
      if (left === undefined || right === undefined) return undefined;
      return made(settings.formulas.and(left.guard, right.guard), [...left.members, ...right.members]);
    }
    case 'array.reverse': {
      const list = orderedMembers(a, settings);
      return list && made(list.guard, list.members.toReversed());
    }
    case 'array.slice':
      return sliced(a, b, c, settings);
    default:
      return undefined;
  }
}

function made(guard: Formula, members: readonly Guarded[]): readonly Guarded[] {
  return [{ guard, value: { type: 'array', members } }];
}

interface List {
  readonly guard: Formula;
  readonly members: readonly Guarded[];
}

/** The elements of a list; undefined where their order is not known. */
export function orderedMembers(
  value: SymbolicValue,
  { formulas: f, input, comparing }: SymbolicSettings,
): List | undefined {
  if (value.type === 'known')
    return isArray(value.value)
      ? { guard: f.yes, members: value.value.map((one) => ({ guard: f.yes, value: known(one) })) }
      : undefined;
  if (value.type === 'part') {
    const elements = input.elements(value.part).map((part) => ({ type: 'part', part }) as const);
    const members = elements.map((one) => ({ guard: comparing.isThere(one), value: one }));
    return { guard: input.isKind(value.part, 'array'), members };
  }
  return value.type === 'array' && value.order === undefined ? { guard: f.yes, members: value.members } : undefined;
}

/** A slice between known indexes. */
function sliced(
  list: SymbolicValue,
  start: SymbolicValue,
  stop: SymbolicValue,
  settings: SymbolicSettings,
): readonly Guarded[] | undefined {
  const { formulas: f, input, comparing } = settings;
  const [from, to] = [indexOf(start), indexOf(stop)];
  if (from === undefined || to === undefined) return undefined;
  if (list.type !== 'part') {
    const found = orderedMembers(list, settings);
    if (found === undefined || found.members.some(({ guard }) => guard !== f.yes)) return undefined;
    return made(found.guard, from < to ? found.members.slice(from, to) : []);
  }
  if (to - from > longestSlice) return undefined;
  const parts = Array.from({ length: Math.max(0, to - from) }, (_, i) => input.child(list.part, from + i));
  const elements = parts.map((part) => ({ type: 'part', part }) as const);
  return made(
    input.isKind(list.part, 'array'),
    elements.map((one) => ({ guard: comparing.isThere(one), value: one })),
  );
}

/** A known index; one below zero is the first. */
function indexOf(value: SymbolicValue): number | undefined {
  if (value.type !== 'known' || typeof value.value !== 'number' || !Number.isInteger(value.value)) return undefined;
  return value.value > 999 ? undefined : Math.max(0, value.value);
}
