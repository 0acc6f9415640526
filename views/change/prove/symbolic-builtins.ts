/** Built-ins over an unknown input. Those that the solver does not know are free functions. */
import { isArray, isPlainObject, isSet, type Value } from '../../../values/index.js';
import { type Formula, smtText } from './formulas.js';
import { regexTerm } from './regex-term.js';
import {
  type Guarded,
  known,
  type SymbolicSettings,
  type SymbolicValue,
  textOf,
  Unprovable,
} from './symbolic-value.js';

type Entries = (value: SymbolicValue) => readonly (Guarded & { readonly key: SymbolicValue })[];

/** The formula of a built-in that is true or false; undefined for others. */
export function builtinTest(
  name: string,
  operands: readonly SymbolicValue[],
  settings: SymbolicSettings,
  entriesOf: Entries,
): Formula | undefined {
  const { formulas: f, comparing, input } = settings;
  const [a, b, c] = operands as [SymbolicValue, SymbolicValue, SymbolicValue];
  switch (name) {
    case 'equal':
      return comparing.equals(a, b);
    case 'neq':
      return f.not(comparing.equals(a, b));
    case 'lt':
      return comparing.below(a, b);
    case 'gt':
      return comparing.below(b, a);
    case 'lte':
      return f.not(comparing.below(b, a));
    case 'gte':
      return f.not(comparing.below(a, b));
    case 'internal.member_2':
      return comparing.memberOf(a, entriesOf(b));
    case 'internal.member_3':
      return f.or(
        ...entriesOf(c).map((entry) =>
          f.and(entry.guard, comparing.equals(a, entry.key), comparing.equals(b, entry.value)),
        ),
      );
    case 'is_string':
    case 'is_number':
    case 'is_null':
    case 'is_array':
    case 'is_object':
      if (a.type !== 'part') return undefined;
      return input.isKind(a.part, name.slice('is_'.length) as 'string');
    case 'is_boolean':
      return a.type === 'part' ? input.isKind(a.part, 'true', 'false') : undefined;
    default:
      return undefined;
  }
}

/** Tests of texts: undefined for operands that are none. */
const textTests: Readonly<Record<string, (a: string, b: string) => string>> = {
  startswith: (text, start) => `(str.prefixof ${start} ${text})`,
  endswith: (text, end) => `(str.suffixof ${end} ${text})`,
  contains: (text, part) => `(str.contains ${text} ${part})`,
};

const arithmetic: Readonly<Record<string, string>> = { plus: '+', minus: '-', mul: '*' };

/** The results of a built-in, with the formulas under which they are there. */
export function builtinResult(
  name: string,
  operands: readonly SymbolicValue[],
  settings: SymbolicSettings,
  entriesOf: Entries,
): readonly Guarded[] {
  const { formulas: f } = settings;
  const [a, b] = operands as [SymbolicValue, SymbolicValue];
  const test = textTests[name];
  if (test !== undefined) {
    const [text, part] = [textTerm(a, settings), textTerm(b, settings)];
    if (text === undefined || part === undefined) return [];
    return [
      { guard: f.and(text.guard, part.guard), value: { type: 'truth', formula: f.atom(test(text.term, part.term)) } },
    ];
  }
  if (name === 'regex.match' && a.type === 'known' && typeof a.value === 'string') {
    const [pattern, text] = [regexTerm(a.value), textTerm(b, settings)];
    if (text === undefined) return [];
    if (pattern !== undefined)
      return [{ guard: text.guard, value: { type: 'truth', formula: f.atom(`(str.in_re ${text.term} ${pattern})`) } }];
  }
  const operator = arithmetic[name];
  if (operator !== undefined && !operands.some(({ type }) => type === 'set')) {
    const [left, right] = [numberTerm(a, settings), numberTerm(b, settings)];
    if (left === undefined || right === undefined) return [];
    return [
      {
        guard: f.and(left.guard, right.guard),
        value: { type: 'number', term: `(${operator} ${left.term} ${right.term})` },
      },
    ];
  }
  if (name === 'count') return [counted(a, settings, entriesOf)];
  if (name === 'object.get') {
    const found = memberAt(a, b, settings);
    if (found !== undefined) {
      const there = settings.comparing.isThere(found.value);
      return [
        { guard: f.and(found.guard, there), value: found.value },
        { guard: f.and(found.guard, f.not(there)), value: operands[2]! },
      ];
    }
  }
  return [free(name, operands, settings)];
}

/** The solver knows that equal calls have equal results, and nothing more. */
function free(name: string, operands: readonly SymbolicValue[], { input, comparing }: SymbolicSettings): Guarded {
  const value: SymbolicValue = { type: 'part', part: input.result(`${name}(${operands.map(textOf).join(', ')})`) };
  return { guard: comparing.isThere(value), value };
}

interface GuardedTerm {
  readonly guard: Formula;
  readonly term: string;
}

function textTerm(value: SymbolicValue, { formulas: f, input }: SymbolicSettings): GuardedTerm | undefined {
  if (value.type === 'part') return { guard: input.isKind(value.part, 'string'), term: `s${value.part.id}` };
  if (value.type === 'string') return { guard: f.yes, term: value.term };
  return value.type === 'known' && typeof value.value === 'string'
    ? { guard: f.yes, term: smtText(value.value) }
    : undefined;
}

function numberTerm(
  value: SymbolicValue,
  { formulas: f, input, comparing }: SymbolicSettings,
): GuardedTerm | undefined {
  if (value.type === 'part') return { guard: input.isKind(value.part, 'number'), term: `r${value.part.id}` };
  if (value.type === 'number') return { guard: f.yes, term: value.term };
  return value.type === 'known' && typeof value.value === 'number'
    ? { guard: f.yes, term: comparing.number(value.value) }
    : undefined;
}

/** The members of a collection, counted one by one; the length of a text. */
function counted(value: SymbolicValue, settings: SymbolicSettings, entriesOf: Entries): Guarded {
  const { formulas: f, input, comparing } = settings;
  if (value.type === 'known') {
    const size = sizeOf(value.value);
    return size === undefined ? { guard: f.no, value: known(0) } : { guard: f.yes, value: known(size) };
  }
  const entries = entriesOf(value);
  const isDistinct = value.type !== 'set';
  const guards = entries.map(({ guard, value: own }, i) =>
    isDistinct ? guard : f.and(guard, f.not(comparing.memberOf(own, entries.slice(0, i)))),
  );
  const ones = guards.map((guard) => {
    const one = input.result(`one of #${guard.id}`);
    const is = (count: number) => f.atom(`(= r${one.id} ${count}.0)`);
    input.facts.push(f.or(f.and(guard, is(1)), f.and(f.not(guard), is(0))));
    return `r${one.id}`;
  });
  const sum = ones.length === 0 ? '0.0' : `(+ ${ones.join(' ')} 0.0)`;
  if (value.type !== 'part') return { guard: f.yes, value: { type: 'number', term: sum } };
  const result = input.result(`count(${value.part.name})`);
  const is = (term: string) => f.atom(`(= r${result.id} ${term})`);
  const isText = input.isKind(value.part, 'string');
  const isCollection = input.isKind(value.part, 'array', 'object');
  input.facts.push(
    f.or(f.not(isText), is(`(to_real (str.len s${value.part.id}))`)),
    f.or(f.not(isCollection), is(sum)),
  );
  return { guard: f.or(isText, isCollection), value: { type: 'number', term: `r${result.id}` } };
}

function sizeOf(value: Value): number | undefined {
  if (typeof value === 'string') return [...value].length;
  if (isArray(value)) return value.length;
  if (isSet(value)) return value.size;
  return isPlainObject(value) ? Object.keys(value).length : undefined;
}

/** The part that `object.get` looks up; undefined where the key depends on the input. */
function memberAt(object: SymbolicValue, key: SymbolicValue, { input }: SymbolicSettings): Guarded | undefined {
  if (object.type !== 'part' || key.type !== 'known') return undefined;
  const path = isArray(key.value) ? key.value : [key.value];
  let { part } = object;
  for (const step of path) {
    if (typeof step !== 'string' && typeof step !== 'number') throw new Unprovable('a key that is no text');
    part = input.child(part, step);
  }
  return { guard: input.isKind(object.part, 'object'), value: { type: 'part', part } };
}
