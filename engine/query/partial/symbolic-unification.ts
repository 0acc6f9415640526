/** Unification of symbolic values: open ones are saved as equalities. */

import type { ObjectTerm, Term } from '../../../compiler/index.js';
import { compareTerms, equalityExpr, isLiteral, nowhere, refTerm } from '../../../compiler/index.js';
import { equal } from '../../../values/index.js';
import type { Frame } from '../bindings.js';
import type { PartialSearch } from './partial-search.js';
import { openVariable, plug } from './plug.js';
import { canBeEqual } from './residual/shapes.js';
import { save } from './save.js';
import { isOpen, Open, resolve, type Symbolic, symbolicTerm, termOfSymbolic } from './symbolic.js';

export function saveEquality(search: PartialSearch, left: Term, right: Term): void {
  save(search, equalityExpr([left, right]));
}

/**
 * Makes a term equal to a symbolic value: binds its variables, saves undecided equalities.
 * Answers false where they can never be equal.
 * @param first whether the term stands before the value in a saved equality
 */
export function matchSymbolic(search: PartialSearch, term: Term, value: Symbolic, frame: Frame, first = true): boolean {
  const known = resolve(term, frame);
  if (known !== undefined) return first ? unifyValues(search, known, value) : unifyValues(search, value, known);
  if (term.type === 'var') {
    if (isOpen(value) && !canBind(value.term)) {
      const { term: variable } = openVariable(search, frame, term.name);
      saveSides(search, variable, value.term, first);
      if (value.place?.isElement === true) search.bind(frame, term.name, new Open(variable, value.place));
    } else search.bind(frame, term.name, value);
    return true;
  }
  const other = termOfSymbolic(value);
  if (!canBeEqual(term, other)) return false;
  if (term.type === 'array' && other.type === 'array') {
    return term.items.every((item, i) => matchSymbolic(search, item, symbolicTerm(other.items[i]!), frame, first));
  }
  if (term.type === 'object' && other.type === 'object') return matchObjects(search, term, other, frame, first);
  saveSides(search, plug(search, term, frame), other, first);
  return true;
}

function saveSides(search: PartialSearch, term: Term, other: Term, first: boolean): void {
  if (first) saveEquality(search, term, other);
  else saveEquality(search, other, term);
}

/** Sets with open members and closures are saved under a name; all else is written out. */
function canBind({ type }: Term): boolean {
  return type === 'var' || type === 'array' || type === 'object';
}

function matchObjects(search: PartialSearch, a: ObjectTerm, b: ObjectTerm, frame: Frame, first: boolean): boolean {
  const entries = a.entries.map(({ key, value }) => ({ key: plug(search, key, frame), value }));
  if (!entries.every(({ key }) => isLiteral(key)) || !b.entries.every(({ key }) => isLiteral(key))) {
    // An equality of objects binds no variable where a key is unknown.
    const isMatched = entries.every(
      ({ key, value }) =>
        resolve(value, frame) !== undefined ||
        matchSymbolic(search, value, new Open(refTerm(nowhere, [b, key])), frame, first),
    );
    if (!isMatched) return false;
    saveSides(search, plug(search, a, frame), b, first);
    return true;
  }
  if (a.entries.length !== b.entries.length) return false;
  return entries.every(({ key: own, value }) => {
    const other = b.entries.find(({ key }) => compareTerms(key, own) === 0);
    return other !== undefined && matchSymbolic(search, value, symbolicTerm(other.value), frame, first);
  });
}

/** Makes two values equal, as `matchSymbolic` does. */
export function unifyValues(search: PartialSearch, a: Symbolic, b: Symbolic): boolean {
  if (!isOpen(a) && !isOpen(b)) return equal(a, b);
  return unifyTerms(search, termOfSymbolic(a), termOfSymbolic(b));
}

function unifyTerms(search: PartialSearch, a: Term, b: Term): boolean {
  if (isLiteral(a) && isLiteral(b)) return equal(symbolicTerm(a) as never, symbolicTerm(b) as never);
  if (a.type === 'array' && b.type === 'array') {
    return a.items.length === b.items.length && a.items.every((item, i) => unifyTerms(search, item, b.items[i]!));
  }
  if (a.type === 'object' && b.type === 'object' && hasKnownKeys(a) && hasKnownKeys(b))
    return unifyObjects(search, a, b);
  if (a.type === 'var' && b.type === 'var' && a.name === b.name) return true;
  if (!canBeEqual(a, b)) return false;
  saveEquality(search, a, b);
  return true;
}

function hasKnownKeys({ entries }: ObjectTerm): boolean {
  return entries.every(({ key }) => isLiteral(key));
}

function unifyObjects(search: PartialSearch, a: ObjectTerm, b: ObjectTerm): boolean {
  if (a.entries.length !== b.entries.length) return false;
  return a.entries.every(({ key, value }) => {
    const other = b.entries.find((entry) => compareTerms(entry.key, key) === 0);
    return other !== undefined && unifyTerms(search, value, other.value);
  });
}
