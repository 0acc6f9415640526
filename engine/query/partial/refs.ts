/** Refs → symbolic values. */

import type { RefTerm, Term, VirtualDocument } from '../../../compiler/index.js';
import { baseAt } from '../../../runtime/index.js';
import { isArray, isSet, lookup, numberFromText, numberText, type Value } from '../../../values/index.js';
import type { Frame } from '../bindings.js';
import type { Next } from '../machine.js';
import { visibleDocument, visibleDocuments, withoutSystem } from '../package-documents.js';
import { elementKeys } from '../refs/elements.js';
import { knownInput } from './known-places.js';
import type { Following, PartialAsked, PartialSearch, PartialSource, WithSymbolic } from './partial-search.js';
import { openVariable, plug } from './plug.js';
import { isOpen, Open, resolve, type Symbolic, symbolicOf, termOfSymbolic } from './symbolic.js';
import { matchKey, walkPartial } from './walk.js';

export function partialRef(
  search: PartialSearch,
  ref: RefTerm,
  frame: Frame,
  asked: PartialAsked,
  then: WithSymbolic,
): Next {
  const [head] = ref.terms;
  const { machine, program } = search;
  if (head?.type !== 'var') throw new Error('the head of a ref is no variable');
  if (head.name !== 'input' && head.name !== 'data') {
    const bound = symbolicOf(frame, head.name);
    const start = bound === undefined ? openVariable(search, frame, head.name) : bound;
    return walkPartial(search, start, { ref, frame }, 1, (value) => then(placed(value, ref), sourceOf(value)));
  }
  const terms = ref.terms.map((term, i) => (i === 0 ? term : known(term, frame)));
  const { environment } = machine;
  if (search.isUnknown(terms)) {
    const start = head.name === 'input' && ref.terms.length > 1 ? knownInput(search, head) : undefined;
    if (start === undefined) return then(new Open(plug(search, ref, frame)), 'unknown');
    return walkPartial(search, start, { ref, frame }, 1, (value) => then(value, isOpen(value) ? 'unknown' : 'input'));
  }
  if (head.name === 'input') {
    if (environment.input === undefined) return machine.fail();
    return walkPartial(search, environment.input, { ref, frame }, 1, (value) =>
      then(value, isOpen(value) ? 'unknown' : 'input'),
    );
  }
  const document = environment.isReplaced([]) ? undefined : program.root;
  const place: Place = { document, base: environment.data, isRoot: true, isEnumerated: false };
  return dataAt(search, place, { ref, at: 1, frame, asked }, then);
}

/** A ref that was found from a variable on has the place of the ref that the author wrote. */
function placed(value: Symbolic, { terms, loc }: RefTerm): Symbolic {
  if (terms.length === 1 || !isOpen(value) || value.term.type !== 'ref') return value;
  return new Open({ ...value.term, loc }, value.place);
}

function sourceOf(value: unknown): PartialSource {
  return value instanceof Open && value.term.type === 'ref' ? 'unknown' : 'term';
}

function known(term: Term, frame: Frame): Term {
  const value = resolve(term, frame);
  return value === undefined ? term : termOfSymbolic(value);
}

/** A place in `data`. */
interface Place {
  readonly document: VirtualDocument | undefined;
  readonly base: Value | undefined;
  readonly isRoot: boolean;
  /** Whether a key on the way was not known. */
  readonly isEnumerated: boolean;
}

function dataAt(search: PartialSearch, place: Place, following: Following, then: WithSymbolic): Next {
  const { document, base, isRoot, isEnumerated } = place;
  const { ref, at, frame } = following;
  const { machine } = search;
  if (document !== undefined && document.kind !== 'package')
    return search.rules(document, following, isEnumerated, then);
  const term = ref.terms[at];
  if (term === undefined) return whole(search, place, following, then);
  if (document === undefined && base !== undefined && !isRoot) {
    return walkBase(search, base, following, then);
  }
  const key = resolve(term, frame);
  if (key === undefined || isOpen(key)) return enumerate(search, place, term, following, then);
  const child = typeof key === 'string' && document !== undefined ? visibleDocument(search, document, key) : undefined;
  const inner = base === undefined ? undefined : baseAt(base, key as Value);
  if (child === undefined && inner === undefined) return machine.fail();
  return dataAt(
    search,
    { document: child, base: inner, isRoot: false, isEnumerated },
    { ...following, at: at + 1 },
    then,
  );
}

/** Below here are base documents only. */
function walkBase(search: PartialSearch, base: Value, following: Following, then: WithSymbolic): Next {
  const { ref, at, frame } = following;
  const term = ref.terms[at];
  if (term === undefined) return then(base, 'base');
  const key = resolve(term, frame);
  const below = (inner: Value | undefined) =>
    inner === undefined ? search.machine.fail() : walkBase(search, inner, { ...following, at: at + 1 }, then);
  if (key === undefined || isOpen(key)) {
    return search.machine.each(keysOfBase(base, key), (one) =>
      matchKey(search, term, one, frame) ? below(isSet(base) ? one : baseAt(base, one)) : search.machine.fail(),
    );
  }
  return below(baseAt(base, key as Value));
}

/**
 * The keys of a base document that a key without a value may be. An unknown key may be a text that
 * is an index of an array, or a number whose literal is a key of an object: see `baseAt`.
 */
function keysOfBase(base: Value, asked: Symbolic | undefined): readonly Value[] {
  const keys = elementKeys(base);
  if (asked === undefined || isSet(base)) return keys;
  return keys.flatMap((key) => {
    if (isArray(base)) return [key, numberText(key as number)];
    const number = typeof key === 'string' && literal.test(key) ? numberFromText(key) : undefined;
    return number === undefined || lookup(base, number) !== undefined ? [key] : [key, number];
  });
}

/**
 * A number as most writers have it. A residual compares numbers by their values: for the key `1.0`
 * it would hold for 1, too, which does not find that key.
 */
const literal = /^(?:0|-?[1-9]\d*|-?(?:0|[1-9]\d*)\.\d*[1-9])$/;

/** A package, or a base document. */
function whole(
  search: PartialSearch,
  { document, base, isRoot }: Place,
  { ref, frame }: Following,
  then: WithSymbolic,
): Next {
  if (document === undefined) {
    const value = isRoot ? withoutSystem(base) : base;
    return value === undefined ? search.machine.fail() : then(value, 'base');
  }
  if (search.reach.document(document)) return then(new Open(plug(search, ref, frame)), 'unknown');
  return search.document(document, frame, (value) => then(value, 'rule'));
}

/** @param term the term of the ref whose value is not known */
function enumerate(search: PartialSearch, place: Place, term: Term, following: Following, then: WithSymbolic): Next {
  const { machine } = search;
  const { document, isRoot } = place;
  const { at, frame } = following;
  const base = isRoot ? withoutSystem(place.base) : place.base;
  const children = new Map(document === undefined ? [] : visibleDocuments(search, document));
  const stored =
    base === undefined
      ? []
      : keysOfBase(base, resolve(term, frame)).filter((key) => typeof key !== 'string' || !children.has(key));
  return machine.each([...stored, ...children.keys()], (key) => {
    if (!matchKey(search, term, key, frame)) return machine.fail();
    const inner = base === undefined ? undefined : baseAt(base, key);
    const below: Place = { document: children.get(key as string), base: inner, isRoot: false, isEnumerated: true };
    return dataAt(search, below, { ...following, at: at + 1 }, then);
  });
}
