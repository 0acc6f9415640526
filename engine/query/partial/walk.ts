/** Looks terms up in a symbolic value. */

import { compareTerms, isLiteral, type ObjectTerm, type Term } from '../../../compiler/index.js';
import { lookup, type Value } from '../../../values/index.js';
import type { Frame } from '../bindings.js';
import type { Next } from '../machine.js';
import type { AskedRef } from '../refs/access.js';
import { elementAt, elementKeys } from '../refs/elements.js';
import { inside, keysOfPlace } from './known-places.js';
import type { PartialSearch } from './partial-search.js';
import { plug } from './plug.js';
import { extended } from './residual/extended.js';
import { isOpen, Open, resolve, type Symbolic, symbolicTerm, termOfSymbolic } from './symbolic.js';
import { matchSymbolic, unifyValues } from './symbolic-unification.js';

type Found = (value: Symbolic) => Next;

/** The values that the terms from `at` on lead to. */
export function walkPartial(search: PartialSearch, start: Symbolic, asked: AskedRef, at: number, then: Found): Next {
  const { ref, frame } = asked;
  const term = ref.terms[at];
  if (term === undefined) return then(start);
  if (isOpen(start)) return openAt(search, start, term, { ...asked, at }, then);
  const next: Found = (value) => walkPartial(search, value, asked, at + 1, then);
  const { machine } = search;
  const key = resolve(term, frame);
  if (key !== undefined && !isOpen(key)) {
    const value = lookup(start, key);
    return value === undefined ? machine.fail() : next(value);
  }
  return machine.each(elementKeys(start), (one) => {
    if (!matchKey(search, term, one, frame)) return machine.fail();
    return next(elementAt(start, one));
  });
}

/** Makes a term of a ref equal to a key. Under `not`, the open side stands first. */
export function matchKey(search: PartialSearch, term: Term, key: Symbolic, frame: Frame): boolean {
  const value = resolve(term, frame);
  if (value === undefined) return matchSymbolic(search, term, key, frame);
  return search.context.isNegated ? unifyValues(search, value, key) : unifyValues(search, key, value);
}

/** @param asked the term of the ref, which stands at `at` */
function openAt(
  search: PartialSearch,
  start: Open,
  asked: Term,
  following: AskedRef & { readonly at: number },
  then: Found,
): Next {
  const { ref, at, frame } = following;
  const next: Found = (value) => walkPartial(search, value, following, at + 1, then);
  const { term } = start;
  const { machine } = search;
  switch (term.type) {
    case 'array':
      return itemAt(search, term.items, asked, frame, next);
    case 'set':
      return machine.each(term.items, (item) => {
        const value = symbolicTerm(item);
        return matchKey(search, asked, value, frame) ? next(value) : machine.fail();
      });
    case 'object':
      return entryAt(search, term, asked, frame, next);
    default: {
      const key = resolve(asked, frame);
      if (key !== undefined && !isOpen(key)) {
        const found = inside(search, start, key);
        if (found !== undefined) return found.value === undefined ? machine.fail() : next(found.value);
      } else {
        const keys = start.place && keysOfPlace(search, start.place);
        if (keys !== undefined) {
          return machine.each(keys, (one) => {
            const found = inside(search, start, one, true);
            if (found?.value === undefined || !matchKey(search, asked, one, frame)) return machine.fail();
            return next(found.value);
          });
        }
      }
      const rest = ref.terms.slice(at).map((one) => plug(search, one, frame));
      return then(new Open(extended(term, rest)));
    }
  }
}

function itemAt(search: PartialSearch, items: readonly Term[], term: Term, frame: Frame, next: Found): Next {
  const { machine } = search;
  const key = resolve(term, frame);
  if (key !== undefined && !isOpen(key)) {
    const item = typeof key === 'number' ? items[key] : undefined;
    return item === undefined ? machine.fail() : next(symbolicTerm(item));
  }
  return machine.each(
    items.map((item, i): readonly [Value, Term] => [i, item]),
    ([i, item]) => (matchKey(search, term, i, frame) ? next(symbolicTerm(item)) : machine.fail()),
  );
}

/**
 * A known key finds its entry. If there is none, an open key may be equal to it; of several open
 * keys the last one counts, so with more than one the object stays as it is.
 */
function entryAt(search: PartialSearch, object: ObjectTerm, term: Term, frame: Frame, next: Found): Next {
  const { machine } = search;
  const { entries } = object;
  const key = resolve(term, frame);
  const open = entries.filter((entry) => !isLiteral(entry.key));
  if (key !== undefined && !isOpen(key)) {
    const found = entries.find((entry) => compareTerms(entry.key, termOfSymbolic(key)) === 0);
    if (found !== undefined) return next(symbolicTerm(found.value));
    if (open.length === 0) return machine.fail();
  }
  if (open.length > 1)
    return next(new Open({ type: 'ref', loc: object.loc, terms: [object, plug(search, term, frame)] }));
  const candidates = key !== undefined && !isOpen(key) ? open : entries;
  return machine.each(candidates, (entry) => {
    if (!matchKey(search, term, symbolicTerm(entry.key), frame)) return machine.fail();
    return next(symbolicTerm(entry.value));
  });
}
