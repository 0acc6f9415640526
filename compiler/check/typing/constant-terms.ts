/** Terms that are constants as JSON values. */

import { numberFromText, RegoSet, sortedMembers, type Value } from '../../../values/index.js';
import type { Term } from '../../ast/nodes.js';

/**
 * The value of a constant, with arrays for sets; undefined for other terms, and for objects
 * whose keys are not all strings.
 */
export function jsonOfTerm(term: Term): Value | undefined {
  switch (term.type) {
    case 'null':
      return null;
    case 'boolean':
    case 'string':
      return term.value;
    case 'number':
      return numberFromText(term.text);
    case 'array':
      return jsonOfItems(term.items);
    case 'set': {
      const items = jsonOfItems(term.items);
      return items && sortedMembers(new RegoSet(items));
    }
    case 'object': {
      const entries: [string, Value][] = [];
      for (const { key, value } of term.entries) {
        const item = jsonOfTerm(value);
        if (key.type !== 'string' || item === undefined) return undefined;
        entries.push([key.value, item]);
      }
      return Object.fromEntries(entries);
    }
    default:
      return undefined;
  }
}

function jsonOfItems(items: readonly Term[]): readonly Value[] | undefined {
  const values: Value[] = [];
  for (const item of items) {
    const value = jsonOfTerm(item);
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values;
}

/** Whether a term has no variables, refs or comprehensions in it. */
export function isConstant(term: Term): boolean {
  switch (term.type) {
    case 'null':
    case 'boolean':
    case 'number':
    case 'string':
      return true;
    case 'array':
    case 'set':
      return term.items.every(isConstant);
    case 'object':
      return term.entries.every(({ key, value }) => isConstant(key) && isConstant(value));
    default:
      return false;
  }
}
