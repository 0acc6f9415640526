/** Refs: the values at their ends, for each way in which their variables can be bound. */

import type { RefTerm, Term } from '../../compiler/ast/nodes.js';
import { baseAt } from '../../runtime/operations/base-lookup.js';
import { lookup } from '../../values/compare.js';
import { staticPlaceOf } from '../refs/static-places.js';
import type { Compiling, Get, GetDefined, Step } from './compiling.js';
import { elementKey, visitElements } from './elements.js';
import { NeedsSearch } from './needs-search.js';
import type { Scope } from './scope.js';
import { isBound, plain } from './terms.js';

/** The value that a ref begins at, and the position of the first key below. */
interface Start {
  readonly value: GetDefined;
  readonly next: number;
  /** Whether the value is a base document. */
  readonly isBase: boolean;
}

/** The value of a ref whose keys all have values; undefined if it iterates. */
export function singleRef(compiling: Compiling, ref: RefTerm, scope: Scope): GetDefined | undefined {
  const { terms } = ref;
  for (let i = 1; i < terms.length; i++) if (!isBound(terms[i]!, scope)) return undefined;
  const { value, next, isBase } = startOf(compiling, ref, scope);
  return below(value, terms.slice(next), isBase, scope);
}

export function iteratingRef(compiling: Compiling, ref: RefTerm, scope: Scope, then: (value: Get) => Step): Step {
  const { value, next, isBase } = startOf(compiling, ref, scope);
  return iterate(value, ref.terms.slice(next), isBase, scope, then);
}

function startOf(compiling: Compiling, ref: RefTerm, scope: Scope): Start {
  const head = ref.terms[0]!;
  if (head.type !== 'var') {
    const value = compiling.single(head, scope);
    if (value === undefined) throw new NeedsSearch('a ref begins with a term of several values');
    return { value, next: 1, isBase: false };
  }
  if (head.name === 'data') return startInData(compiling, ref, scope);
  if (head.name === 'input') return { value: ({ run }) => run.environment.input, next: 1, isBase: false };
  if (!scope.isBound(head.name)) throw new NeedsSearch(`${head.name} has no value`);
  return startInVariable(ref, scope.slotOf(head.name));
}

/** With the first key if that is a string, as in most refs. */
function startInVariable({ terms: [, first] }: RefTerm, slot: number): Start {
  if (first?.type !== 'string') return { value: (frame) => frame.slots[slot], next: 1, isBase: false };
  const key = first.value;
  return { value: (frame) => lookup(frame.slots[slot]!, key), next: 2, isBase: false };
}

function startInData(compiling: Compiling, ref: RefTerm, scope: Scope): Start {
  const { document, next } = staticPlaceOf(compiling.program, ref);
  if (document === undefined) return { value: ({ run }) => run.environment.data, next: 1, isBase: true };
  const first = ref.terms[next];
  // The search evaluates rules for one key only, and packages with their base documents.
  const isKeyed = document.kind !== 'complete' && first !== undefined && isBound(first, scope);
  if (document.kind === 'package' || document.kind === 'function' || isKeyed) throw new NeedsSearch(`a part of a ${document.kind}`);
  const rules = compiling.rules(document);
  return { value: (frame) => rules.whole(frame.run, frame), next, isBase: false };
}

/** The value below another one. */
export function below(start: GetDefined, keys: readonly Term[], isBase: boolean, scope: Scope): GetDefined {
  if (keys.length === 0) return start;
  const [first, ...rest] = keys as [Term, ...Term[]];
  return below(child(start, first, isBase, scope), rest, isBase, scope);
}

function child(parent: GetDefined, term: Term, isBase: boolean, scope: Scope): GetDefined {
  if (term.type === 'string' && !isBase) {
    const key = term.value;
    return (frame) => {
      const value = parent(frame);
      return value === undefined ? undefined : lookup(value, key);
    };
  }
  const key = plain(term, scope);
  return (frame) => {
    const value = parent(frame);
    if (value === undefined) return undefined;
    return isBase ? baseAt(value, key(frame)) : lookup(value, key(frame));
  };
}

function iterate(start: GetDefined, keys: readonly Term[], isBase: boolean, scope: Scope, then: (value: Get) => Step): Step {
  const at = keys.findIndex((key) => !isBound(key, scope));
  const collection = below(start, at === -1 ? keys : keys.slice(0, at), isBase, scope);
  if (at === -1) return defined(collection, scope, then);
  const key = elementKey(keys[at]!, scope);
  const element = scope.temporary();
  const value: Get = (frame) => frame.slots[element]!;
  const rest = at === keys.length - 1 ? then(value) : iterate(value, keys.slice(at + 1), isBase, scope, then);
  return (frame) => {
    const elements = collection(frame);
    return elements !== undefined && visitElements(frame, elements, key, element, rest);
  };
}

/** Continues where a term is defined. */
export function defined(term: GetDefined, scope: Scope, then: (value: Get) => Step): Step {
  const slot = scope.temporary();
  const rest = then((frame) => frame.slots[slot]!);
  return (frame) => {
    const value = term(frame);
    if (value === undefined) return false;
    frame.slots[slot] = value;
    return rest(frame);
  };
}
