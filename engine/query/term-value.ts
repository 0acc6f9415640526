/** Terms whose variables are bound → values. Refs and comprehensions need a search: see `refs`. */

import { compareTerms, isLiteral, type ObjectTerm, type StringTerm, type Term } from '../../compiler/index.js';
import { makeObject, numberFromText, type PlainObject, RegoSet, setOwn, type Value } from '../../values/index.js';
import type { Frame } from './bindings.js';

/** Values of terms without variables, made once. */
const constants = new WeakMap<Term, Value>();

/**
 * Whether a term has a value without a search: refs and comprehensions bind their own variables.
 */
export function isBoundTerm(term: Term, frame: Frame): boolean {
  switch (term.type) {
    case 'var':
      return frame.values.has(term.name);
    case 'array':
    case 'set':
      return term.items.every((item) => isBoundTerm(item, frame));
    case 'object':
      return term.entries.every(({ key, value }) => isBoundTerm(key, frame) && isBoundTerm(value, frame));
    default:
      return true;
  }
}

/** The value of a scalar, a bound variable, or a collection of such. */
export function termValue(term: Term, frame: Frame): Value {
  switch (term.type) {
    case 'string':
    case 'boolean':
      return term.value;
    case 'null':
      return null;
    case 'var': {
      const value = frame.values.get(term.name);
      if (value === undefined) throw new Error(`variable ${term.name} has no value`);
      return value;
    }
    case 'number':
    case 'array':
    case 'set':
    case 'object':
      return constants.get(term) ?? makeValue(term, frame);
    default:
      throw new Error(`a ${term.type} is no plain term`);
  }
}

function makeValue(term: Term, frame: Frame): Value {
  const value = build(term, frame);
  if (isLiteral(term)) constants.set(term, value);
  return value;
}

function build(term: Term, frame: Frame): Value {
  switch (term.type) {
    case 'number':
      return numberFromText(term.text);
    case 'array':
      return term.items.map((item) => termValue(item, frame));
    case 'set':
      return new RegoSet(term.items.map((item) => termValue(item, frame)));
    default:
      return objectOf(term as ObjectTerm, frame);
  }
}

/** The value of an object; the last of equal keys counts, in the order of the terms. */
function objectOf({ entries }: ObjectTerm, frame: Frame): Value {
  if (entries.every(({ key }) => key.type === 'string')) {
    const object: PlainObject = {};
    for (const { key, value } of entries) {
      setOwn(object, (key as StringTerm).value, termValue(value, frame));
    }
    return object;
  }
  const isPlain = entries.every(({ key }) => isLiteral(key));
  const ordered = isPlain ? entries : [...entries].sort((a, b) => compareTerms(a.key, b.key));
  return makeObject(ordered.map(({ key, value }) => [termValue(key, frame), termValue(value, frame)] as const));
}
