/** Values of partial evaluation: known ones, and terms that stay open. */

import type { ObjectEntry, Term } from '../../../compiler/index.js';
import { booleanTerm, isLiteral, nowhere, nullTerm, numberTerm, stringTerm } from '../../../compiler/index.js';
import type { ObjectValue, Value } from '../../../values/index.js';
import { isArray, isNumber, isSet, numberText, sortedEntries, sortedMembers } from '../../../values/index.js';
import type { Frame } from '../bindings.js';
import { termValue } from '../term-value.js';
import { checkDepth } from './residual/term-depth.js';

/**
 * A term of the residual: its variables have the names that they have there. It is a variable, a
 * ref, or an array, a set or an object with such a term inside.
 */
export class Open {
  readonly term: Term;
  /** The place in the input, where its value is known except for an open part. */
  readonly place: KnownPlace | undefined;

  /** Throws a HaltError for a term that nests too deeply. */
  constructor(term: Term, place?: KnownPlace) {
    checkDepth(term);
    this.term = term;
    this.place = place;
  }
}

/** A place of the input, and its known value. */
export interface KnownPlace {
  /** From `input` on, all keys known. */
  readonly path: readonly Term[];
  readonly value: Value;
  /** Found among others: variables for it are followed too, as in the reference's residuals. */
  readonly isElement: boolean;
}

export type Symbolic = Value | Open;

export function isOpen(value: Symbolic | undefined): value is Open {
  return value instanceof Open;
}

/**
 * The value of a variable; undefined if it has none yet. A frame of partial evaluation holds open
 * terms beside values. The evaluator gets such a frame only for expressions whose variables have
 * values.
 */
export function symbolicOf(frame: Frame, name: string): Symbolic | undefined {
  return frame.values.get(name) as Symbolic | undefined;
}

const terms = new WeakMap<object, Term>();

/** The term of a symbolic value. */
export function termOfSymbolic(value: Symbolic): Term {
  return isOpen(value) ? value.term : literal(value);
}

/** A value as a literal. */
function literal(value: Value): Term {
  if (value === null) return nullTerm(nowhere);
  if (typeof value === 'string') return stringTerm(nowhere, value);
  if (typeof value === 'boolean') return booleanTerm(nowhere, value);
  if (isNumber(value)) return numberTerm(nowhere, numberText(value));
  let term = terms.get(value);
  if (term === undefined) terms.set(value, (term = collection(value)));
  return term;
}

function collection(value: Value): Term {
  const loc = nowhere;
  if (isArray(value)) return { type: 'array', loc, items: value.map(literal) };
  if (isSet(value)) return { type: 'set', loc, items: sortedMembers(value).map(literal) };
  const entries = [...sortedEntries(value as ObjectValue)].map(([key, item]) => ({
    key: literal(key),
    value: literal(item),
  }));
  return { type: 'object', loc, entries };
}

const noFrame: Frame = { values: new Map() } as unknown as Frame;

/** The symbolic value of a closed term of the residual. */
export function symbolicTerm(term: Term): Symbolic {
  return isLiteral(term) ? termValue(term, noFrame) : new Open(term);
}

/** The symbolic value of a term that needs no search; undefined if a variable in it has none. */
export function resolve(term: Term, frame: Frame): Symbolic | undefined {
  switch (term.type) {
    case 'var':
      return symbolicOf(frame, term.name);
    case 'array':
    case 'set': {
      if (isLiteral(term)) return termValue(term, frame);
      const items = all(term.items, frame);
      return items && symbolicTerm({ type: term.type, loc: term.loc, items });
    }
    case 'object': {
      if (isLiteral(term)) return termValue(term, frame);
      const entries: ObjectEntry[] = [];
      for (const entry of term.entries) {
        const [key, value] = [resolve(entry.key, frame), resolve(entry.value, frame)];
        if (key === undefined || value === undefined) return undefined;
        entries.push({ key: termOfSymbolic(key), value: termOfSymbolic(value) });
      }
      return symbolicTerm({ type: 'object', loc: term.loc, entries });
    }
    default:
      return termValue(term, frame);
  }
}

/** The symbolic value of a term whose variables have values: of a head, once its body holds. */
export function resolved(term: Term, frame: Frame): Symbolic {
  const value = resolve(term, frame);
  if (value === undefined) throw new Error('a variable of the term has no value');
  return value;
}

function all(items: readonly Term[], frame: Frame): readonly Term[] | undefined {
  const found: Term[] = [];
  for (const item of items) {
    const value = resolve(item, frame);
    if (value === undefined) return undefined;
    found.push(termOfSymbolic(value));
  }
  return found;
}

/** Whether a term can be evaluated without a search. */
export function isPlainTerm({ type }: Term): boolean {
  return (
    type !== 'ref' && type !== 'arraycomprehension' && type !== 'setcomprehension' && type !== 'objectcomprehension'
  );
}
