/** Terms without refs: their values, and their unification with values. */

import { compareTerms } from '../../compiler/ast/compare.js';
import { isLiteral } from '../../compiler/ast/names.js';
import type { ObjectTerm, StringTerm, Term } from '../../compiler/ast/nodes.js';
import { nowhere } from '../../compiler/source/location.js';
import { lookup, makeObject, objectSize } from '../../values/compare.js';
import { equal } from '../../values/equal.js';
import { RegoSet } from '../../values/set.js';
import { setOwn } from '../../values/set-own.js';
import { isArray, isObject, type PlainObject } from '../../values/value.js';
import { Frame } from '../bindings.js';
import { termValue } from '../terms.js';
import type { Get, Match } from './compiling.js';
import { NeedsSearch } from './needs-search.js';
import type { Scope } from './scope.js';

const withoutVariables = new Frame(undefined, undefined, nowhere);

/** Whether a term has a value without a search, as `isBound` of the search. */
export function isBound(term: Term, scope: Scope): boolean {
  switch (term.type) {
    case 'var':
      return scope.isBound(term.name);
    case 'array':
    case 'set':
      return term.items.every((item) => isBound(item, scope));
    case 'object':
      return term.entries.every(({ key, value }) => isBound(key, scope) && isBound(value, scope));
    default:
      return true;
  }
}

export function plain(term: Term, scope: Scope): Get {
  if (isLiteral(term)) {
    const value = termValue(term, withoutVariables);
    return () => value;
  }
  switch (term.type) {
    case 'var':
      return variable(term.name, scope);
    case 'array': {
      const items = term.items.map((item) => plain(item, scope));
      return (frame) => items.map((item) => item(frame));
    }
    case 'set': {
      const items = term.items.map((item) => plain(item, scope));
      return (frame) => new RegoSet(items.map((item) => item(frame)));
    }
    case 'object':
      return object(term, scope);
    default:
      throw new NeedsSearch(`a ${term.type} is no plain term`);
  }
}

function variable(name: string, scope: Scope): Get {
  if (!scope.isBound(name)) throw new NeedsSearch(`${name} has no value`);
  const slot = scope.slotOf(name);
  return (frame) => frame.slots[slot]!;
}

/** Of keys that turn out to be equal the last one counts, in the order of the terms. */
function object({ entries }: ObjectTerm, scope: Scope): Get {
  const isPlain = entries.every(({ key }) => isLiteral(key));
  const ordered = isPlain ? entries : [...entries].sort((a, b) => compareTerms(a.key, b.key));
  if (isPlain && entries.every(({ key }) => key.type === 'string')) return objectOfNames(entries, scope);
  const parts = ordered.map(({ key, value }) => [plain(key, scope), plain(value, scope)] as const);
  return (frame) => makeObject(parts.map(([key, value]) => [key(frame), value(frame)] as const));
}

function objectOfNames(entries: ObjectTerm['entries'], scope: Scope): Get {
  const parts = entries.map(({ key, value }) => ({ name: (key as StringTerm).value, value: plain(value, scope) }));
  return (frame) => {
    const found: PlainObject = {};
    for (const { name, value } of parts) setOwn(found, name, value(frame));
    return found;
  };
}

/** Variables without a value get one. */
export function match(term: Term, scope: Scope): Match {
  if (term.type === 'var' && !scope.isBound(term.name)) {
    const slot = scope.bind(term.name);
    return (frame, value) => {
      frame.slots[slot] = value;
      return true;
    };
  }
  if (isBound(term, scope)) {
    const wanted = plain(term, scope);
    return (frame, value) => equal(wanted(frame), value);
  }
  if (term.type === 'array') {
    const items = term.items.map((item) => match(item, scope));
    return (frame, value) => isArray(value) && value.length === items.length && items.every((item, i) => item(frame, value[i]!));
  }
  if (term.type !== 'object') throw new NeedsSearch(`a ${term.type} with variables without values`);
  const entries = term.entries.map(({ key, value }) => [plain(key, scope), match(value, scope)] as const);
  return (frame, value) => {
    if (!isObject(value) || objectSize(value) !== entries.length) return false;
    return entries.every(([key, part]) => {
      const found = lookup(value, key(frame));
      return found !== undefined && part(frame, found);
    });
  };
}
