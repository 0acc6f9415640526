/** Refs into data: packages and rules over base documents. */

import type { RefTerm, Term, VirtualDocument } from '../../../compiler/index.js';
import { baseAt } from '../../../runtime/index.js';
import { lookup, type Value } from '../../../values/index.js';
import type { Frame } from '../bindings.js';
import { childDocument } from '../child-document.js';
import type { Next, WithValue } from '../machine.js';
import { visibleDocument, visibleDocuments, withoutSystem } from '../package-documents.js';
import type { Search, SearchProgram, StaticPlace } from '../search.js';
import { isBoundTerm, termValue } from '../term-value.js';
import { type AskedRef, valueOfRules } from './access.js';
import { eachElement, elementKeys } from './elements.js';

export function evaluateDataRef(search: Search, ref: RefTerm, frame: Frame, then: WithValue): Next {
  const { environment } = search.machine;
  const { terms } = ref;
  const asked = { ref, frame };
  if (environment.hasReplaced) {
    const document = environment.isReplaced([]) ? undefined : search.program.root;
    return inPackage(search, { document, base: environment.data, isRoot: true }, asked, 1, then);
  }
  const { document, next } = staticPlaceOf(search.program, ref);
  if (document === undefined) return inBase(search, environment.data, asked, 1, then);
  if (document.kind !== 'package') return valueOfRules(search, document, asked, next, then);
  let base = environment.data;
  for (const term of terms.slice(1, next)) base = base === undefined ? undefined : baseAt(base, termValue(term, frame));
  return inPackage(search, { document, base, isRoot: next === 1 }, asked, next, then);
}

/** Looks the terms from `at` on up in a base document. */
function inBase(search: Search, start: Value | undefined, asked: AskedRef, at: number, then: WithValue): Next {
  const { ref, frame } = asked;
  const { terms } = ref;
  const { machine } = search;
  let base = start;
  for (let i = at; i < terms.length && base !== undefined; i++) {
    const term = terms[i]!;
    if (!isBoundTerm(term, frame)) {
      return eachElement(machine, base, (key, element) => {
        if (!search.matches('key', term, key, frame)) return machine.fail();
        return inBase(search, element, asked, i + 1, then);
      });
    }
    base = baseAt(base, termValue(term, frame));
  }
  return base === undefined ? machine.fail() : then(base);
}

/** A place in `data`. */
interface Place {
  /** The package or rules; undefined if there are no rules at the path and below it. */
  readonly document: VirtualDocument | undefined;
  /** The base document. */
  readonly base: Value | undefined;
  readonly isRoot: boolean;
}

function inPackage(search: Search, place: Place, asked: AskedRef, at: number, then: WithValue): Next {
  const { ref, frame } = asked;
  const { terms } = ref;
  const { document, base, isRoot } = place;
  if (document === undefined && !isRoot) return inBase(search, base, asked, at, then);
  if (document !== undefined && document.kind !== 'package') return valueOfRules(search, document, asked, at, then);
  const term = terms[at];
  if (term === undefined) {
    if (document !== undefined) return search.document(document, frame, then);
    const value = withoutSystem(base);
    return value === undefined ? search.machine.fail() : then(value);
  }
  if (!isBoundTerm(term, frame)) return enumerate(search, place, { ...asked, term, at }, then);
  const key = termValue(term, frame);
  const child = typeof key === 'string' && document !== undefined ? visibleDocument(search, document, key) : undefined;
  const below = base === undefined ? undefined : baseAt(base, key);
  return inPackage(search, { document: child, base: below, isRoot: false }, asked, at + 1, then);
}

/** A term of a ref without a value, and its place. */
interface UnboundTerm extends AskedRef {
  readonly term: Term;
  readonly at: number;
}

/** Base documents first, except those below packages: a package has its base document within. */
function enumerate(search: Search, place: Place, asked: UnboundTerm, then: WithValue): Next {
  const { term, at, frame } = asked;
  const { machine } = search;
  const { document, isRoot } = place;
  const base = isRoot ? withoutSystem(place.base) : place.base;
  const children = new Map(document === undefined ? [] : visibleDocuments(search, document));
  const stored =
    base === undefined ? [] : elementKeys(base).filter((key) => typeof key !== 'string' || !children.has(key));
  return machine.each([...stored, ...children.keys()], (key) => {
    if (!search.matches('key', term, key, frame)) return machine.fail();
    const inner = base === undefined ? undefined : lookup(base, key);
    return inPackage(
      search,
      { document: children.get(key as string), base: inner, isRoot: false },
      asked,
      at + 1,
      then,
    );
  });
}

/** The documents to which refs into data lead if nothing is replaced: found once for each ref. */
function staticPlaceOf({ root, places }: SearchProgram, ref: RefTerm): StaticPlace {
  let place = places.get(ref);
  if (place === undefined) places.set(ref, (place = findStaticPlace(root, ref)));
  return place;
}

function findStaticPlace(root: VirtualDocument, { terms }: RefTerm): StaticPlace {
  let document: VirtualDocument | undefined = root;
  let next = 1;
  for (const term of terms.slice(1)) {
    if (document?.kind !== 'package' || term.type !== 'string') break;
    document = childDocument(document, term.value);
    next++;
  }
  return { document, next };
}
