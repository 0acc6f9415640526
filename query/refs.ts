/** Refs → values: each way in which their unbound variables can be bound is a solution. */

import type { RefTerm, Term } from '../compiler/ast/nodes.js';
import type { VirtualDocument } from '../compiler/resolve/virtual-document.js';
import { lookup, sortedKeys, sortedMembers } from '../runtime/values/compare.js';
import { isArray, isObject, isSet, type Value } from '../runtime/values/value.js';
import { countWork } from '../runtime/values/work.js';
import type { Frame } from './bindings.js';
import { visibleChild, visibleChildren, withoutSystem } from './documents.js';
import type { Next, WithValue } from './machine.js';
import type { Search } from './search.js';
import { isBound, termValue } from './terms.js';

export function evaluateRef(search: Search, ref: RefTerm, frame: Frame, then: WithValue): Next {
  const [head] = ref.terms;
  const { environment } = search.machine;
  if (head?.type !== 'var') return search.operand(head!, frame, (value) => access(search, value, ref.terms, 1, frame, then));
  if (head.name === 'data') {
    const { root } = search.program;
    const document = environment.isReplaced([]) ? undefined : root;
    return data(search, { document, base: environment.data, isRoot: true }, ref.terms, 1, frame, then);
  }
  const start = head.name === 'input' ? environment.input : frame.values.get(head.name);
  return start === undefined ? search.machine.fail() : access(search, start, ref.terms, 1, frame, then);
}

/** Looks the terms from `at` on up in a value. */
function access(search: Search, start: Value, terms: readonly Term[], at: number, frame: Frame, then: WithValue): Next {
  const { machine } = search;
  let source = start;
  for (let i = at; i < terms.length; i++) {
    const term = terms[i]!;
    if (!isBound(term, frame)) {
      const from = source;
      return machine.each(keysOf(from), (key) => {
        if (!search.matches('key', term, key, frame)) return machine.fail();
        return access(search, isSet(from) ? key : lookup(from, key)!, terms, i + 1, frame, then);
      });
    }
    const value = lookup(source, termValue(term, frame));
    if (value === undefined) return machine.fail();
    source = value;
  }
  return then(source);
}

/** The keys, indexes or members of a collection, in order. */
export function keysOf(value: Value): readonly Value[] {
  if (isArray(value)) {
    countWork(value.length);
    return [...value.keys()];
  }
  if (isSet(value)) return sortedMembers(value);
  return isObject(value) ? sortedKeys(value) : [];
}

/** A place in `data`. */
interface Place {
  /** The package or rules; undefined if there are no rules at the path and below it. */
  readonly document: VirtualDocument | undefined;
  /** The base document. */
  readonly base: Value | undefined;
  readonly isRoot: boolean;
}

function data(search: Search, place: Place, terms: readonly Term[], at: number, frame: Frame, then: WithValue): Next {
  const { document, base, isRoot } = place;
  if (document !== undefined && document.kind !== 'package') return ruleAt(search, document, terms, at, frame, then);
  if (at === terms.length) {
    if (document !== undefined) return search.document(document, frame, then);
    const value = isRoot ? withoutSystem(base) : base;
    return value === undefined ? search.machine.fail() : then(value);
  }
  const term = terms[at]!;
  if (!isBound(term, frame)) return enumerate(search, place, terms, at, frame, then);
  const key = termValue(term, frame);
  const child = typeof key === 'string' && document !== undefined ? visibleChild(search, document, key) : undefined;
  const below: Place = { document: child, base: base === undefined ? undefined : baseAt(base, term, key), isRoot: false };
  if (child === undefined && below.base === undefined) return search.machine.fail();
  return data(search, below, terms, at + 1, frame, then);
}

/** Base documents first, except those below packages: a package has its base document within. */
function enumerate(search: Search, place: Place, terms: readonly Term[], at: number, frame: Frame, then: WithValue): Next {
  const { machine } = search;
  const { document, isRoot } = place;
  const base = isRoot ? withoutSystem(place.base) : place.base;
  const children = new Map(document === undefined ? [] : visibleChildren(search, document));
  const stored = base === undefined ? [] : keysOf(base).filter((key) => typeof key !== 'string' || !children.has(key));
  return machine.each([...stored, ...children.keys()], (key) => {
    if (!search.matches('key', terms[at]!, key, frame)) return machine.fail();
    const inner = base === undefined ? undefined : lookup(base, key);
    return data(search, { document: children.get(key as string), base: inner, isRoot: false }, terms, at + 1, frame, then);
  });
}

const indexText = /^(?:0|[1-9]\d{0,14})$/;

/**
 * Base documents are addressed by texts: a number that is written in the ref finds the key that is
 * its text, and a text finds the element of an array with this index.
 */
export function baseAt(base: Value, term: Term, key: Value): Value | undefined {
  if (term.type === 'number') {
    const text = term.text;
    const value = indexText.test(text) || isObject(base) ? lookup(base, key) : undefined;
    return value ?? lookup(base, text);
  }
  const value = lookup(base, key);
  if (value !== undefined || typeof key !== 'string' || term.type !== 'string' || !isArray(base) || !indexText.test(key)) return value;
  return base[Number(key)];
}

/** The value of rules, or of one key of them where that is all that the ref asks for. */
function ruleAt(search: Search, document: VirtualDocument, terms: readonly Term[], at: number, frame: Frame, then: WithValue): Next {
  if (document.kind === 'function') return search.machine.fail();
  const keys: Value[] = [];
  if (document.kind !== 'complete') {
    for (let i = at; i < terms.length && isBound(terms[i]!, frame); i++) keys.push(termValue(terms[i]!, frame));
  }
  if (keys.length === 0) return search.document(document, frame, (value) => access(search, value, terms, at, frame, then));
  return search.documentAt(document, keys, frame, (value) => access(search, value, terms, at + keys.length, frame, then));
}
