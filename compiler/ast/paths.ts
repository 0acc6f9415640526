/** Paths of refs into documents. */

import type { Node, RefTerm, Term } from './nodes.js';
import { walk } from './walk.js';

/** Whether a term is the document `data` or `input`, with which refs into it begin. */
export function isRoot(term: Node | undefined, name: 'data' | 'input'): boolean {
  return term?.type === 'var' && term.name === name;
}

/** The values of keys that are all strings; undefined where one is not. */
export function stringKeys(keys: readonly Term[]): readonly string[] | undefined {
  const path = leadingKeys(keys);
  return path.length === keys.length ? path : undefined;
}

/** The keys up to the first that is no string. */
export function leadingKeys(keys: readonly Term[]): readonly string[] {
  const path: string[] = [];
  for (const key of keys) {
    if (key.type !== 'string') break;
    path.push(key.value);
  }
  return path;
}

/** The keys of a ref into data; undefined for other refs, and where a key is no string. */
export function dataPath({ terms: [head, ...keys] }: RefTerm): readonly string[] | undefined {
  return isRoot(head, 'data') ? stringKeys(keys) : undefined;
}

/** The paths below `data` that the refs of a node begin with, as far as they are constant. */
export function dataPathsIn(node: Node): readonly (readonly string[])[] {
  const paths: (readonly string[])[] = [];
  const visit = (inner: Node): boolean => {
    if (inner.type === 'ref' && isRoot(inner.terms[0], 'data')) {
      const [, ...keys] = inner.terms;
      paths.push(leadingKeys(keys));
      for (const key of keys) walk(key, visit);
      return false;
    }
    if (isRoot(inner, 'data')) paths.push([]);
    return inner.type !== 'package';
  };
  walk(node, visit);
  return paths;
}

/**
 * The keys of the target of a `with` below its head. Undefined where one is no string: no document
 * can be replaced there, and the evaluation ends with a conflict.
 */
export function replacedPath(target: RefTerm): readonly string[] | undefined {
  return stringKeys(target.terms.slice(1));
}

/** The text of that conflict. */
export const badPath = 'bad document path';
