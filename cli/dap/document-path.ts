/** Paths into input and data as users write them, and documents with another value there. */

import { parseTerm, plainName, type Term } from '../../compiler/index.js';
import {
  equal,
  isArray,
  isObject,
  isSet,
  lookup,
  makeObject,
  numberFromText,
  objectKeys,
  termText,
  type Value,
  valueAt,
} from '../../values/index.js';
import { ArgumentError } from './protocol/arguments.js';

/** A place in a document. */
export interface DocumentPath {
  readonly document: 'input' | 'data';
  readonly keys: readonly Value[];
}

/** A key as it stands in a path: `.user`, `["a b"]`, `[0]`. */
export function keyInPath(key: Value): string {
  return typeof key === 'string' && plainName.test(key) ? `.${key}` : `[${termText(key)}]`;
}

/** Reads `input.users[0].name`. Throws an ArgumentError for anything but a path of constants. */
export function documentPath(text: string): DocumentPath {
  let term: Term;
  try {
    term = parseTerm(text);
  } catch {
    throw new ArgumentError(`not a path into input or data: ${text}`);
  }
  const [head, ...rest] = term.type === 'ref' ? term.terms : [term];
  if (head?.type !== 'var' || (head.name !== 'input' && head.name !== 'data'))
    throw new ArgumentError(`only input, data and parts of them can be set, not ${text}`);
  return { document: head.name, keys: rest.map((key) => constant(key, text)) };
}

function constant(term: Term, text: string): Value {
  if (term.type === 'string' || term.type === 'boolean') return term.value;
  if (term.type === 'number') return numberFromText(term.text);
  throw new ArgumentError(`a path that can be set has constant keys only: ${text}`);
}

/**
 * The document with another value at a path; objects on the way are made. Throws an ArgumentError
 * where the path leads through something else.
 */
export function replacedAt(document: Value | undefined, keys: readonly Value[], value: Value): Value {
  // From the outside in and back without recursion: a client chooses how long the path is.
  const levels: { readonly collection: Value | undefined; readonly key: Value }[] = [];
  let collection = document;
  for (const key of keys) {
    levels.push({ collection, key });
    collection = memberAt(collection, key);
  }
  return levels.reduceRight((result, level) => withMember(level.collection, level.key, result), value);
}

function memberAt(collection: Value | undefined, key: Value): Value | undefined {
  return collection === undefined || isSet(collection) ? undefined : lookup(collection, key);
}

function withMember(collection: Value | undefined, key: Value, value: Value): Value {
  if (collection === undefined) return makeObject([[key, value]]);
  if (isArray(collection) && typeof key === 'number' && Number.isInteger(key) && key >= 0 && key <= collection.length) {
    return [...collection.slice(0, key), value, ...collection.slice(key + 1)];
  }
  if (!isObject(collection)) throw new ArgumentError(`there is no place for the key ${termText(key)}`);
  const entries = [...objectKeys(collection)].map((name): [Value, Value] => [name, valueAt(collection, name)]);
  return makeObject([...entries.filter(([name]) => !equal(name, key)), [key, value]]);
}
