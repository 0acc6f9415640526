/** Built-ins over sets and collections whose members depend on the input. */
import { isSet } from '../../../values/index.js';
import type { Entries } from './symbolic-builtins.js';
import type { Guarded, SymbolicSettings, SymbolicValue } from './symbolic-value.js';

/** The results of a built-in over collections; undefined for others. */
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
    case 'object.keys': {
      if (a.type !== 'part' && a.type !== 'object') return undefined;
      const isObject = a.type === 'part' ? input.isKind(a.part, 'object') : f.yes;
      const members = entriesOf(a).map(({ guard, key }) => ({ guard: f.and(guard, isObject), value: key }));
      return [{ guard: isObject, value: { type: 'set', members } }];
    }
    case 'array.concat': {
      const lists = [a, b].map((value) => {
        if (value.type === 'part') {
          const elements = input.elements(value.part).map((part) => ({ type: 'part', part }) as const);
          const members = elements.map((one) => ({ guard: comparing.isThere(one), value: one }));
          return { guard: input.isKind(value.part, 'array'), members };
        }
        return value.type === 'array' && value.isUnordered !== true
          ? { guard: f.yes, members: value.members }
          : undefined;
      });
      const [left, right] = lists;
      if (left === undefined || right === undefined) return undefined;
      return [
        {
          guard: f.and(left.guard, right.guard),
          value: { type: 'array', members: [...left.members, ...right.members] },
        },
      ];
    }
    default:
      return undefined;
  }
}

function guarded({ guard, value }: Guarded): Guarded {
  return { guard, value };
}
