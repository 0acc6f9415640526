/** Values that may depend on the unknown input, and comparisons of them. */

import type { NumberValue, Value } from '../../../values/index.js';
import {
  compare,
  equal,
  isArray,
  isNumber,
  isObject,
  isPlainObject,
  isSet,
  objectEntries,
  toJson,
} from '../../../values/index.js';
import { type Formula, type Formulas, smtNumber, smtText } from './formulas.js';
import { type KindName, kinds } from './shapes.js';
import type { Part, SymbolicInput } from './symbolic-input.js';
import { Unprovable } from './unprovable.js';

export type SymbolicValue =
  | { readonly type: 'known'; readonly value: Value }
  /** A part of the input, or the result of a function that the solver does not know. */
  | { readonly type: 'part'; readonly part: Part }
  /** A number or a text, as a term of the solver. */
  | { readonly type: 'number' | 'string'; readonly term: string }
  | { readonly type: 'truth'; readonly formula: Formula }
  /** A collection whose members are there where their guards hold. */
  | ListValue
  | { readonly type: 'set'; readonly members: readonly Guarded[] }
  /** An object with a member in the place of its own. */
  | { readonly type: 'overlaid'; readonly base: SymbolicValue; readonly key: string; readonly value: SymbolicValue }
  | { readonly type: 'object'; readonly members: readonly Member[] };

interface ListValue {
  readonly type: 'array';
  readonly members: readonly Guarded[];
  /** The texts of collections whose order an evaluation gives the members. */
  readonly order?: string;
}

export interface Guarded {
  readonly guard: Formula;
  readonly value: SymbolicValue;
}

/** A member of a collection with its key. */
export interface Member extends Guarded {
  readonly key: SymbolicValue;
}

/** A call whose result is not known. */
export interface FreeCall {
  readonly name: string;
  readonly operands: readonly SymbolicValue[];
  readonly result: Part;
}

/** The parts that evaluations of one question share. */
export interface SymbolicSettings {
  readonly formulas: Formulas;
  readonly input: SymbolicInput;
  readonly comparing: Comparing;
  /** Calls of built-ins that the solver does not know, by their results. */
  readonly freeCalls: Map<Part, FreeCall>;
  /** Whether texts of formats are told: most proofs need none, and are faster without. */
  readonly readsFormats: boolean;
}

export function known(value: Value): SymbolicValue {
  return { type: 'known', value };
}

/** Values with those of equal text together. */
export function mergedValues(values: readonly Guarded[], f: Formulas): readonly Guarded[] {
  const byText = new Map<string, { readonly value: SymbolicValue; readonly guards: Formula[] }>();
  for (const { guard, value } of values) {
    if (guard === f.no) continue;
    const key = textOf(value);
    const same = byText.get(key);
    if (same === undefined) byText.set(key, { value, guards: [guard] });
    else same.guards.push(guard);
  }
  return [...byText.values()].map(({ value, guards }) => ({ guard: f.or(...guards), value }));
}

type Listed = Extract<SymbolicValue, { readonly type: 'object' }> | ListValue;

/** The most pairs of members of lists: rules that take more are not proved. */
const mostPairs = 100_000;

/** Comparisons of values in formulas. */
export class Comparing {
  readonly #formulas: Formulas;
  readonly #input: SymbolicInput;
  #count = 0;

  constructor(formulas: Formulas, input: SymbolicInput) {
    this.#formulas = formulas;
    this.#input = input;
  }

  /** A number as the solver has it. */
  number(value: NumberValue): string {
    return numberText(value);
  }

  /** Whether a value is there, and is not false. */
  holds(value: SymbolicValue): Formula {
    switch (value.type) {
      case 'known':
        return this.#formulas.of(value.value !== false);
      case 'part':
        return this.#formulas.not(this.#input.isKind(value.part, 'none', 'false'));
      case 'truth':
        return value.formula;
      default:
        return this.#formulas.yes;
    }
  }

  /** Whether a value is of one of some kinds. */
  isOfKind(value: SymbolicValue, ...wanted: readonly KindName[]): Formula {
    const f = this.#formulas;
    if (value.type === 'part') return this.#input.isKind(value.part, ...wanted);
    if (value.type === 'known') return f.of(wanted.includes(kindOf(value.value)));
    if (value.type === 'truth') return f.of(wanted.includes('true'));
    return f.of(wanted.includes(value.type === 'overlaid' ? 'object' : value.type));
  }

  /** Whether a value is there. */
  isThere(value: SymbolicValue): Formula {
    return value.type === 'part' ? this.#formulas.not(this.#input.isKind(value.part, 'none')) : this.#formulas.yes;
  }

  equals(a: SymbolicValue, b: SymbolicValue): Formula {
    const f = this.#formulas;
    if (a.type === 'known' && b.type === 'known') return f.of(equal(a.value, b.value));
    if (a.type === 'known') return this.equals(b, a);
    if (a.type === 'part' && b.type === 'part') return this.#equalParts(a.part, b.part);
    if (a.type === 'part') return this.#partEquals(a.part, b);
    if (b.type === 'part') return this.#partEquals(b.part, a);
    const [own, other] = [this.#expanded(a), this.#expanded(b)];
    if (own.type === 'number' || own.type === 'string') {
      const term = own.type === other.type ? (other as typeof own).term : this.#termOf(own.type, other);
      return term === undefined ? f.no : f.atom(`(= ${own.term} ${term})`);
    }
    if (own.type === 'truth') {
      if (other.type === 'known')
        return typeof other.value === 'boolean' ? (other.value ? own.formula : f.not(own.formula)) : f.no;
      return other.type === 'truth' ? this.#alike(own.formula, other.formula) : f.no;
    }
    if (own.type === 'known') return other.type === 'known' ? f.no : this.equals(other, own);
    if (own.type === 'overlaid' || other.type === 'overlaid')
      throw new Unprovable('an input with a replaced part is compared as a whole');
    if (own.type !== other.type) return f.no;
    if (own.type === 'set') return this.#equalSets(own.members, (other as typeof own).members);
    return this.#equalLists(own as Listed, other as Listed);
  }

  #alike(a: Formula, b: Formula): Formula {
    const f = this.#formulas;
    return f.or(f.and(a, b), f.and(f.not(a), f.not(b)));
  }

  #termOf(type: 'number' | 'string', value: SymbolicValue): string | undefined {
    if (value.type !== 'known') return undefined;
    if (type === 'string') return typeof value.value === 'string' ? smtText(value.value) : undefined;
    return isNumber(value.value) ? numberText(value.value) : undefined;
  }

  #equalParts(a: Part, b: Part): Formula {
    const f = this.#formulas;
    if (a === b) return f.not(this.#input.isKind(a, 'none'));
    const both = f.and(f.atom(`(= k${a.id} k${b.id})`), f.not(this.#input.isKind(a, 'none')));
    const isPlainKind = this.#input.isKind(a, 'null', 'false', 'true');
    const numbers = f.and(this.#input.isKind(a, 'number'), f.atom(`(= r${a.id} r${b.id})`));
    const texts = f.and(this.#input.isKind(a, 'string'), f.atom(`(= s${a.id} s${b.id})`));
    const whole = f.and(this.#input.isKind(a, 'array', 'object', 'set'), f.atom(`(= c${a.id} c${b.id})`));
    return f.and(both, f.or(isPlainKind, numbers, texts, whole));
  }

  #partEquals(part: Part, other: SymbolicValue): Formula {
    const f = this.#formulas;
    const input = this.#input;
    if (other.type === 'number') return f.and(input.isKind(part, 'number'), f.atom(`(= r${part.id} ${other.term})`));
    if (other.type === 'string') return f.and(input.isKind(part, 'string'), f.atom(`(= s${part.id} ${other.term})`));
    if (other.type === 'truth')
      return f.or(
        f.and(input.isKind(part, 'true'), other.formula),
        f.and(input.isKind(part, 'false'), f.not(other.formula)),
      );
    if (other.type === 'known') {
      const { value } = other;
      if (value === null) return input.isKind(part, 'null');
      if (typeof value === 'boolean') return input.isKind(part, value ? 'true' : 'false');
      if (isNumber(value)) return f.and(input.isKind(part, 'number'), f.atom(`(= r${part.id} ${numberText(value)})`));
      if (typeof value === 'string')
        return f.and(input.isKind(part, 'string'), f.atom(`(= s${part.id} ${smtText(value)})`));
      if (isArray(value)) return this.#partEqualsList(part, value.map(known));
      if (isPlainObject(value))
        return this.#partEqualsObject(
          part,
          Object.entries(value).map(([key, member]) => [key, known(member)]),
        );
      if (isSet(value)) return this.#partEqualsSet(part, this.#expanded(other));
    }
    if (other.type === 'array') {
      if (other.members.every(({ guard }) => guard === f.yes))
        return this.#partEqualsList(
          part,
          other.members.map(({ value }) => value),
        );
      const { members } = other;
      const elements = members.map((_, i) => ({ type: 'part' as const, part: input.child(part, i) }));
      const own = elements.map((value) => ({ guard: this.isThere(value), value }));
      const end = input.isKind(input.child(part, members.length), 'none');
      return f.and(input.isKind(part, 'array'), end, this.#equalSequences({ type: 'array', members: own }, other));
    }
    if (other.type === 'set') return this.#partEqualsSet(part, other);
    if (other.type === 'object') return this.#partEqualsMembers(part, other.members);
    throw new Unprovable('a part of the input is compared with a collection that depends on it');
  }

  /** Inputs have no sets: the part is a result of a built-in. */
  #partEqualsSet(part: Part, other: SymbolicValue): Formula {
    const input = this.#input;
    if (other.type !== 'set' || !input.isSetPart(part)) return this.#formulas.no;
    const own = input.elements(part).map((element) => {
      const value = { type: 'part', part: element } as const;
      return { guard: this.isThere(value), value };
    });
    return this.#formulas.and(input.isKind(part, 'set'), this.#equalSets(own, other.members));
  }

  #partEqualsMembers(part: Part, members: readonly Member[]): Formula {
    const input = this.#input;
    // Keys that are known are members of the part, too.
    for (const { key } of members)
      if (key.type === 'known' && typeof key.value === 'string') input.child(part, key.value);
    const others = input.unknownMembers(part);
    const named = [...part.children].flatMap(([key, child]) =>
      typeof key === 'string' ? [{ key: known(key), child }] : [],
    );
    const unknown = others.map((child) => ({ key: { type: 'string', term: child.keyText! } as const, child }));
    const own = [...named, ...unknown].map(({ key, child }) => {
      const value = { type: 'part', part: child } as const;
      return pairOf({ guard: this.isThere(value), key, value }, this.#formulas.yes);
    });
    const pairs = members.map((member) => pairOf(member, this.#formulas.yes));
    return this.#formulas.and(input.isKind(part, 'object'), this.#equalSets(own, pairs));
  }

  #partEqualsList(part: Part, items: readonly SymbolicValue[]): Formula {
    const f = this.#formulas;
    const end = this.#input.child(part, items.length);
    const parts = items.map((item, i) => this.equals({ type: 'part', part: this.#input.child(part, i) }, item));
    return f.and(this.#input.isKind(part, 'array'), ...parts, this.#input.isKind(end, 'none'));
  }

  #partEqualsObject(part: Part, entries: readonly (readonly [string, SymbolicValue])[]): Formula {
    const f = this.#formulas;
    const input = this.#input;
    const parts = entries.map(([key, item]) => this.equals({ type: 'part', part: input.child(part, key) }, item));
    const names = new Set(entries.map(([key]) => key));
    const named = [...part.children].flatMap(([key, child]) => (names.has(String(key)) ? [] : [child]));
    const others = [...named, ...input.unknownMembers(part)];
    return f.and(input.isKind(part, 'object'), ...parts, ...others.map((other) => input.isKind(other, 'none')));
  }

  #equalSets(a: readonly Guarded[], b: readonly Guarded[]): Formula {
    const f = this.#formulas;
    const within = (some: readonly Guarded[], all: readonly Guarded[]) =>
      some.map(({ guard, value }) => f.or(f.not(guard), this.memberOf(value, all)));
    return f.and(...within(a, b), ...within(b, a));
  }

  memberOf(value: SymbolicValue, members: readonly Guarded[]): Formula {
    const f = this.#formulas;
    return f.or(...members.map((member) => f.and(member.guard, this.equals(value, member.value))));
  }

  #equalLists(a: Listed, b: Listed): Formula {
    const f = this.#formulas;
    if (a.type === 'object' && b.type === 'object')
      return this.#equalSets(
        a.members.map((member) => pairOf(member, f.yes)),
        b.members.map((member) => pairOf(member, f.yes)),
      );
    const isFixed = [...a.members, ...b.members].every(({ guard }) => guard === f.yes);
    if (!isFixed) return this.#equalSequences(a as ListValue, b as ListValue);
    if (a.members.length !== b.members.length) return f.no;
    return f.and(...a.members.map(({ value }, i) => this.equals(value, b.members[i]!.value)));
  }

  /** Members that are there are the same, one by one. */
  #equalSequences(a: ListValue, b: ListValue): Formula {
    const f = this.#formulas;
    if (textOf(a) === textOf(b)) return f.yes;
    if (a.order !== undefined || b.order !== undefined)
      throw new Unprovable('lists are compared whose order is that of unknown keys');
    this.#count += a.members.length * b.members.length;
    if (this.#count > mostPairs) throw new Unprovable('there are too many combinations');
    const none = (members: readonly Guarded[]) => f.not(f.or(...members.map(({ guard }) => guard)));
    let below = Array.from({ length: b.members.length + 1 }, (_, j) => none(b.members.slice(j)));
    for (let i = a.members.length - 1; i >= 0; i--) {
      const one = a.members[i]!;
      const row: Formula[] = Array.from({ length: b.members.length + 1 }, () => f.no);
      row[b.members.length] = none(a.members.slice(i));
      for (let j = b.members.length - 1; j >= 0; j--) {
        const other = b.members[j]!;
        const skipped = f.and(f.not(one.guard), below[j]!);
        const skippedOther = f.and(one.guard, f.not(other.guard), row[j + 1]!);
        const both = f.and(one.guard, other.guard, this.equals(one.value, other.value), below[j + 1]!);
        row[j] = f.or(skipped, skippedOther, both);
      }
      below = row;
    }
    return below[0]!;
  }

  /** A known collection as one with members. */
  #expanded(value: SymbolicValue): SymbolicValue {
    if (value.type !== 'known') return value;
    const members = (values: Iterable<Value>) =>
      [...values].map((one) => ({ guard: this.#formulas.yes, value: known(one) }));
    if (isArray(value.value)) return { type: 'array', members: members(value.value) };
    if (isSet(value.value)) return { type: 'set', members: members(value.value) };
    if (isObject(value.value))
      return {
        type: 'object',
        members: Array.from(objectEntries(value.value), ([key, one]) => ({
          guard: this.#formulas.yes,
          key: known(key),
          value: known(one),
        })),
      };
    return value;
  }

  /** Whether a value is below another one in the order of the language. */
  below(a: SymbolicValue, b: SymbolicValue): Formula {
    const f = this.#formulas;
    if (a.type === 'known' && b.type === 'known') return f.of(compare(a.value, b.value) < 0);
    const [own, other] = [this.#orderOf(a), this.#orderOf(b)];
    const isBelow = own.kind === other.kind ? f.no : f.atom(`(< ${own.kind} ${other.kind})`);
    const sameKind = (kind: number) => f.and(f.atom(`(= ${own.kind} ${kind})`), f.atom(`(= ${other.kind} ${kind})`));
    const numbers =
      own.number === undefined || other.number === undefined
        ? f.no
        : f.and(sameKind(kinds.number), f.atom(`(< ${own.number} ${other.number})`));
    const texts =
      own.text === undefined || other.text === undefined
        ? f.no
        : f.and(sameKind(kinds.string), f.atom(`(str.< ${own.text} ${other.text})`));
    // The order of two collections is not told.
    const free = this.#input.result(`${textOf(a)} < ${textOf(b)}`);
    const wholes =
      own.isWhole && other.isWhole
        ? f.and(
            f.atom(`(= ${own.kind} ${other.kind})`),
            f.atom(`(>= ${own.kind} ${kinds.array})`),
            this.#input.isKind(free, 'true'),
          )
        : f.no;
    return f.and(this.isThere(a), this.isThere(b), f.or(isBelow, numbers, texts, wholes));
  }

  #orderOf(value: SymbolicValue): {
    readonly kind: string;
    readonly number?: string;
    readonly text?: string;
    readonly isWhole: boolean;
  } {
    switch (value.type) {
      case 'part': {
        const { id } = value.part;
        return { kind: `k${id}`, number: `r${id}`, text: `s${id}`, isWhole: true };
      }
      case 'number':
        return { kind: String(kinds.number), number: value.term, isWhole: false };
      case 'string':
        return { kind: String(kinds.string), text: value.term, isWhole: false };
      case 'known':
        return this.#orderOfKnown(value.value);
      case 'truth':
        throw new Unprovable('a truth value is ordered');
      case 'overlaid':
        return { kind: String(kinds.object), isWhole: true };
      default:
        return { kind: String(kinds[value.type]), isWhole: true };
    }
  }

  #orderOfKnown(value: Value): {
    readonly kind: string;
    readonly number?: string;
    readonly text?: string;
    readonly isWhole: boolean;
  } {
    if (value === null) return { kind: String(kinds.null), isWhole: false };
    if (typeof value === 'boolean') return { kind: String(value ? kinds.true : kinds.false), isWhole: false };
    if (isNumber(value)) return { kind: String(kinds.number), number: numberText(value), isWhole: false };
    if (typeof value === 'string') return { kind: String(kinds.string), text: smtText(value), isWhole: false };
    const kind = isArray(value) ? kinds.array : isSet(value) ? kinds.set : kinds.object;
    return { kind: String(kind), isWhole: true };
  }
}

function kindOf(value: Value): KindName {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (typeof value === 'string') return 'string';
  if (isArray(value)) return 'array';
  if (isSet(value)) return 'set';
  return isObject(value) ? 'object' : 'number';
}

/** A member with its key, as a list of both. */
function pairOf({ guard, key, value }: Member, yes: Formula): Guarded {
  return { guard, value: { type: 'array', members: [key, value].map((one) => ({ guard: yes, value: one })) } };
}

function numberText(value: NumberValue): string {
  const text = smtNumber(value);
  if (text === undefined) throw new Unprovable(`the number ${value} is too large to be written out`);
  return text;
}

/** A text that is the same for the same value. */
export function textOf(value: SymbolicValue): string {
  switch (value.type) {
    case 'known':
      return knownText(value.value);
    case 'part':
      return value.part.name;
    case 'number':
    case 'string':
      return value.term;
    case 'truth':
      return `#${value.formula.id}`;
    case 'overlaid':
      return `${textOf(value.base)} with ${value.key}: ${textOf(value.value)}`;
    case 'object':
      return `object(${value.members.map(({ guard, key, value: one }) => `${guard.id}:${textOf(key)}=${textOf(one)}`).join(', ')})`;
    default: {
      const order = value.type === 'array' && value.order !== undefined ? ` in the order of ${value.order}` : '';
      return `${value.type}(${value.members.map(({ guard, value: one }) => `${guard.id}:${textOf(one)}`).join(', ')})${order}`;
    }
  }
}

/** Sets are told apart from arrays. */
function knownText(value: Value): string {
  if (isSet(value)) return `set{${[...value].map(knownText).sort().join(', ')}}`;
  if (isArray(value)) return `[${value.map(knownText).join(', ')}]`;
  if (!isPlainObject(value)) return toJson(value);
  const entries = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${knownText(member)}`);
  return `{${entries.sort().join(', ')}}`;
}
