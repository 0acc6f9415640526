/** Built-ins over an unknown input. Those that the solver does not know are free functions. */
import type { BuiltinDeclaration } from '../../../../compiler/index.js';
import { isArray, isNumber, isPlainObject, isSet, type PlainObject, type Value } from '../../../../values/index.js';
import { type Formula, type Formulas, smtText } from '../formulas.js';
import type { Part, SymbolicInput } from '../symbolic-input.js';
import type { Guarded, Member, SymbolicSettings, SymbolicValue } from '../symbolic-value.js';
import { known, textOf } from '../symbolic-value.js';
import { free } from './free-calls.js';
import { globTerm, regexTerm } from './pattern-term.js';

export type Entries = (value: SymbolicValue) => readonly Member[];

/** The formula of a built-in that is true or false; undefined for others. */
export function builtinTest(
  name: string,
  operands: readonly SymbolicValue[],
  settings: SymbolicSettings,
  entriesOf: Entries,
): Formula | undefined {
  const { formulas: f, comparing } = settings;
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
    case 'is_set':
      return settings.comparing.isOfKind(a, name.slice('is_'.length) as 'string');
    case 'is_boolean':
      return settings.comparing.isOfKind(a, 'true', 'false');
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
  row: BuiltinDeclaration | undefined,
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
  if (name === 'glob.match') {
    const found = globTest(operands, settings);
    if (found !== undefined) return found;
  }
  if (name === 'sprintf' && settings.readsFormats) {
    const made = formatted(operands, settings, row);
    if (made !== undefined) return made;
  }
  const text = textResult(name, operands, settings) ?? numberResult(name, operands, settings);
  if (text !== undefined) return text;
  const operator = arithmetic[name];
  if (operator !== undefined && !operands.some(({ type }) => type === 'set')) {
    const [left, right] = [amountTerm(a, settings), amountTerm(b, settings)];
    if (left === undefined || right === undefined) return [];
    settings.input.roundings.add(operator);
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
      if (found.value === undefined) return [{ guard: found.guard, value: operands[2]! }];
      const there = settings.comparing.isThere(found.value);
      return [
        { guard: f.and(found.guard, there), value: found.value },
        { guard: f.and(found.guard, f.not(there)), value: operands[2]! },
      ];
    }
    const looked = lookedUp(operands, settings, entriesOf, row);
    if (looked !== undefined) return looked;
  }
  return [free(name, operands, settings, row)];
}

/** Whether a known glob matches. */
function globTest(operands: readonly SymbolicValue[], settings: SymbolicSettings): readonly Guarded[] | undefined {
  const [glob, delimiters, own] = operands as [SymbolicValue, SymbolicValue, SymbolicValue];
  if (glob.type !== 'known' || typeof glob.value !== 'string' || delimiters.type !== 'known') return undefined;
  const pattern = globTerm(glob.value, delimiters.value);
  if (pattern === undefined) return undefined;
  const text = textTerm(own, settings);
  if (text === undefined) return [];
  const formula = settings.formulas.atom(`(str.in_re ${text.term} ${pattern})`);
  return [{ guard: text.guard, value: { type: 'truth', formula } }];
}

/** The text of a known format with texts; others stay unknown. */
function formatted(
  operands: readonly SymbolicValue[],
  settings: SymbolicSettings,
  row: BuiltinDeclaration | undefined,
): readonly Guarded[] | undefined {
  const { formulas: f } = settings;
  const [format, list] = operands as [SymbolicValue, SymbolicValue];
  if (format.type !== 'known' || typeof format.value !== 'string' || list.type !== 'array') return undefined;
  if (list.order !== undefined || list.members.some(({ guard }) => guard !== f.yes)) return undefined;
  const parts = format.value.split(/%[sv]/);
  if (parts.some((part) => part.includes('%')) || parts.length !== list.members.length + 1) return undefined;
  const texts = list.members.map(({ value }) => textTerm(value, settings));
  if (texts.some((text) => text === undefined)) return undefined;
  const all = texts as readonly GuardedTerm[];
  const joined = parts.flatMap((part, i) => [smtText(part), ...(i < all.length ? [all[i]!.term] : [])]);
  const guard = f.and(...all.map((text) => text.guard));
  const made: Guarded = { guard, value: { type: 'string', term: `(str.++ ${joined.join(' ')} "" "")` } };
  if (guard === f.yes) return [made];
  const other = free('sprintf', operands, settings, row);
  return [made, { ...other, guard: f.and(f.not(guard), other.guard) }];
}

const isNatural = (value: SymbolicValue | undefined): value is { readonly type: 'known'; readonly value: number } =>
  value?.type === 'known' && typeof value.value === 'number' && Number.isInteger(value.value) && value.value >= 0;

/** Texts that the solver makes; undefined for other built-ins, or operands of another form. */
function textResult(
  name: string,
  operands: readonly SymbolicValue[],
  settings: SymbolicSettings,
): readonly Guarded[] | undefined {
  const { formulas: f } = settings;
  const [a, b, c] = operands as [SymbolicValue, SymbolicValue, SymbolicValue];
  const made = (guard: Formula, term: string): readonly Guarded[] => [{ guard, value: { type: 'string', term } }];
  switch (name) {
    case 'concat': {
      if (a.type !== 'known' || typeof a.value !== 'string' || b.type !== 'array') return undefined;
      if (b.order !== undefined || b.members.some(({ guard }) => guard !== f.yes)) return undefined;
      const terms = b.members.map(({ value }) => textTerm(value, settings));
      if (terms.some((term) => term === undefined)) return [];
      const all = terms as readonly GuardedTerm[];
      const delimiter = smtText(a.value);
      const joined = all.flatMap(({ term }, i) => (i === 0 ? [term] : [delimiter, term]));
      return made(f.and(...all.map(({ guard }) => guard)), `(str.++ ${joined.join(' ')} "" "")`);
    }
    case 'substring': {
      const text = textTerm(a, settings);
      if (!isNatural(b) || !isNatural(c)) return undefined;
      return text === undefined ? [] : made(text.guard, `(str.substr ${text.term} ${b.value} ${c.value})`);
    }
    case 'trim_prefix':
    case 'trim_suffix': {
      const [text, part] = [textTerm(a, settings), textTerm(b, settings)];
      if (text === undefined || part === undefined) return [];
      const left = `(- (str.len ${text.term}) (str.len ${part.term}))`;
      const [test, from] = name === 'trim_prefix' ? ['prefixof', `(str.len ${part.term})`] : ['suffixof', '0'];
      const term = `(ite (str.${test} ${part.term} ${text.term}) (str.substr ${text.term} ${from} ${left}) ${text.term})`;
      return made(f.and(text.guard, part.guard), term);
    }
    case 'type_name': {
      if (a.type !== 'part' || settings.input.isSetPart(a.part)) return undefined;
      const names = ['null', 'boolean', 'boolean', 'number', 'string', 'array'];
      const term = names.reduceRight(
        (others, one, i) => `(ite (= k${(a as { readonly part: Part }).part.id} ${i + 1}) "${one}" ${others})`,
        '"object"',
      );
      return made(settings.comparing.isThere(a), term);
    }
    default:
      return undefined;
  }
}

/** Numbers that are made of one: results are exact for whole numbers. */
function numberResult(
  name: string,
  operands: readonly SymbolicValue[],
  settings: SymbolicSettings,
): readonly Guarded[] | undefined {
  const make = numberTerms[name];
  const [a, b] = operands as [SymbolicValue, SymbolicValue];
  if (make !== undefined) {
    const own = amountTerm(a, settings);
    return own === undefined ? [] : [{ guard: own.guard, value: { type: 'number', term: make(own.term) } }];
  }
  if (name !== 'div' || b.type !== 'known' || typeof b.value !== 'number' || b.value === 0) return undefined;
  const own = amountTerm(a, settings);
  settings.input.roundings.add('/');
  return own === undefined
    ? []
    : [{ guard: own.guard, value: { type: 'number', term: `(/ ${own.term} ${settings.comparing.number(b.value)})` } }];
}

const floorOf = (term: string) => `(to_real (to_int ${term}))`;
const ceilingOf = (term: string) => `(- ${floorOf(`(- ${term})`)})`;

/** Between -1 and 0 the reference has results of its own: see `values/numbers/float.ts`. */
const ofSmall = (term: string, small: string, other: string) =>
  `(ite (and (< (- 1.0) ${term}) (< ${term} 0.0)) ${small} ${other})`;

const numberTerms: Readonly<Record<string, (term: string) => string>> = {
  floor: (term) => ofSmall(term, '0.0', floorOf(term)),
  ceil: (term) => ofSmall(term, '1.0', ceilingOf(term)),
  abs: (term) => `(ite (< ${term} 0.0) (- ${term}) ${term})`,
  round: (term) => `(ite (< ${term} 0.0) ${ceilingOf(`(- ${term} 0.5)`)} ${floorOf(`(+ ${term} 0.5)`)})`,
};

interface GuardedTerm {
  readonly guard: Formula;
  readonly term: string;
}

export function textTerm(value: SymbolicValue, { formulas: f, input }: SymbolicSettings): GuardedTerm | undefined {
  if (value.type === 'part') return { guard: input.isKind(value.part, 'string'), term: `s${value.part.id}` };
  if (value.type === 'string') return { guard: f.yes, term: value.term };
  return value.type === 'known' && typeof value.value === 'string'
    ? { guard: f.yes, term: smtText(value.value) }
    : undefined;
}

export function amountTerm(
  value: SymbolicValue,
  { formulas: f, input, comparing }: SymbolicSettings,
): GuardedTerm | undefined {
  if (value.type === 'part') return { guard: input.isKind(value.part, 'number'), term: `r${value.part.id}` };
  if (value.type === 'number') return { guard: f.yes, term: value.term };
  return value.type === 'known' && isNumber(value.value)
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
  if (value.type === 'number' || value.type === 'truth') return { guard: f.no, value: known(0) };
  if (value.type === 'string')
    return { guard: f.yes, value: { type: 'number', term: `(to_real (str.len ${value.term}))` } };
  const entries = entriesOf(value);
  input.counted.add(textOf(value));
  const isDistinct = value.type !== 'set' && !(value.type === 'part' && input.isSetPart(value.part));
  const own = ({ key, value: one }: Member) => (value.type === 'object' ? key : one);
  const guards = entries.map((entry, i) => {
    if (isDistinct && value.type !== 'object') return entry.guard;
    const before = entries.slice(0, i).map((other) => ({ guard: other.guard, value: own(other) }));
    return f.and(entry.guard, f.not(comparing.memberOf(own(entry), before)));
  });
  const ones = guards.map((guard) => oneWhere(guard, f, input));
  const sum = ones.length === 0 ? '0.0' : `(+ ${ones.join(' ')} 0.0)`;
  if (value.type !== 'part') return { guard: f.yes, value: { type: 'number', term: sum } };
  const result = input.result(`count(${value.part.name})`);
  const is = (term: string) => f.atom(`(= r${result.id} ${term})`);
  const isText = input.isKind(value.part, 'string');
  const isCollection = input.isKind(value.part, 'array', 'object', 'set');
  input.facts.push(
    f.or(f.not(isText), is(`(to_real (str.len s${value.part.id}))`)),
    f.or(f.not(isCollection), is(sum)),
  );
  return { guard: f.or(isText, isCollection), value: { type: 'number', term: `r${result.id}` } };
}

/** A number that is one where a formula holds, and nothing otherwise. */
export function oneWhere(guard: Formula, f: Formulas, input: SymbolicInput): string {
  if (guard === f.yes) return '1.0';
  const one = input.result(`one of #${guard.id}`);
  const is = (count: number) => f.atom(`(= r${one.id} ${count}.0)`);
  input.facts.push(f.or(f.and(guard, is(1)), f.and(f.not(guard), is(0))));
  return `r${one.id}`;
}

/** A number that is a term where a formula holds, and zero otherwise. */
export function amountWhere(guard: Formula, term: string, { formulas: f, input }: SymbolicSettings): string {
  if (guard === f.yes) return term;
  const amount = input.result(`${term} where #${guard.id}`);
  const is = (other: string) => f.atom(`(= r${amount.id} ${other})`);
  input.facts.push(f.or(f.and(guard, is(term)), f.and(f.not(guard), is('0.0'))));
  return `r${amount.id}`;
}

function sizeOf(value: Value): number | undefined {
  if (typeof value === 'string') return [...value].length;
  if (isArray(value)) return value.length;
  if (isSet(value)) return value.size;
  return isPlainObject(value) ? Object.keys(value).length : undefined;
}

/** The results of `object.get` for a key that depends on the input. */
function lookedUp(
  operands: readonly SymbolicValue[],
  settings: SymbolicSettings,
  entriesOf: Entries,
  row: BuiltinDeclaration | undefined,
): readonly Guarded[] | undefined {
  const { formulas: f, comparing } = settings;
  const [object, key, other] = operands as [SymbolicValue, SymbolicValue, SymbolicValue];
  // A list is a path.
  if (object.type === 'overlaid' || (key.type === 'known' && isArray(key.value))) return undefined;
  const isPath = settings.comparing.isOfKind(key, 'array');
  const given = f.and(settings.comparing.isOfKind(object, 'object'), comparing.isThere(key), f.not(isPath));
  if (given === f.no) return undefined;
  const found = entriesOf(object).map(({ guard, key: own, value }) => ({
    guard: f.and(given, guard, comparing.equals(own, key)),
    value,
  }));
  const none = f.and(given, f.not(f.or(...found.map(({ guard }) => guard))));
  const results = [...found, { guard: none, value: other }];
  if (isPath === f.no) return results;
  if (isFlat(object) && key.type === 'part') return [...results, ...byPath(object, key.part, other, settings)];
  const path = free('object.get', operands, settings, row);
  return [...results, { ...path, guard: f.and(isPath, path.guard) }];
}

/** A known object without members of its members. */
function isFlat(value: SymbolicValue): value is { readonly type: 'known'; readonly value: PlainObject } {
  if (value.type !== 'known' || !isPlainObject(value.value)) return false;
  return Object.values(value.value).every((member) => typeof member !== 'object' || isNumber(member));
}

/** The results of `object.get` for a list as the path: a flat object, or a member of it. */
function byPath(
  { value: object }: { readonly value: PlainObject },
  list: Part,
  other: SymbolicValue,
  { formulas: f, input, comparing }: SymbolicSettings,
): readonly Guarded[] {
  const [first, second] = [input.child(list, 0), input.child(list, 1)];
  const isPath = input.isKind(list, 'array');
  const isEmpty = f.and(isPath, input.isKind(first, 'none'));
  const found = Object.entries(object).map(([name, member]) => {
    const isIt = comparing.equals({ type: 'part', part: first }, known(name));
    return { guard: f.and(isPath, isIt, input.isKind(second, 'none')), value: known(member) };
  });
  const none = f.and(isPath, f.not(isEmpty), ...found.map(({ guard }) => f.not(guard)));
  return [{ guard: isEmpty, value: known(object) }, ...found, { guard: none, value: other }];
}

/**
 * The part that `object.get` looks up, without a value for a key that no object has. Undefined
 * where the key depends on the input.
 */
function memberAt(
  object: SymbolicValue,
  key: SymbolicValue,
  { input }: SymbolicSettings,
): { readonly guard: Formula; readonly value: SymbolicValue | undefined } | undefined {
  if (object.type !== 'part' || key.type !== 'known') return undefined;
  const path = isArray(key.value) ? key.value : [key.value];
  const isObjectPart = input.isKind(object.part, 'object');
  let { part } = object;
  for (const step of path) {
    const next = input.member(part, step);
    if (next === undefined) return { guard: isObjectPart, value: undefined };
    part = next;
  }
  return { guard: isObjectPart, value: { type: 'part', part } };
}
