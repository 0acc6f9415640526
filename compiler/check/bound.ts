/** Bound variables, and the variables that a term needs bound. */

import type { RefTerm, Term } from '../ast/nodes.js';
import { safetyVars } from './safety-vars.js';

/** Bound variables. */
export interface Bound {
  has(name: string): boolean;
}

export function isBound(name: string, bound: Bound): boolean {
  return name === 'input' || name === 'data' || bound.has(name);
}

/**
 * Adds the variables that a value can be matched with: keys of objects, members of sets and heads
 * of refs cannot be.
 */
export function addPatternVars(term: Term, names: Set<string>): void {
  switch (term.type) {
    case 'var':
      names.add(term.name);
      return;
    case 'ref':
      for (const key of term.terms.slice(1)) addPatternVars(key, names);
      return;
    case 'array':
      for (const item of term.items) addPatternVars(item, names);
      return;
    case 'object':
      for (const { value } of term.entries) addPatternVars(value, names);
      return;
    case 'call':
      for (const arg of term.args) addPatternVars(arg, names);
      return;
    default:
      return;
  }
}

/** Whether the head of a ref is bound. */
export function isRefBound({ terms }: RefTerm, bound: Bound): boolean {
  const head = terms[0];
  if (head.type === 'var') return isBound(head.name, bound);
  return hasBoundVars(head, bound);
}

/** Whether all variables that a term needs are bound. */
export function hasBoundVars(term: Term, bound: Bound): boolean {
  for (const name of safetyVars(term)) if (!isBound(name, bound)) return false;
  return true;
}

/**
 * Whether the keys of a ref can be matched: variables in sets and in keys of objects must be bound.
 */
export function areKeysMatchable({ terms }: RefTerm, bound: Bound): boolean {
  return terms.every((key, i) => i === 0 || isMatchable(key, bound));
}

function isMatchable(key: Term, bound: Bound): boolean {
  switch (key.type) {
    case 'set':
      return hasBoundVars(key, bound);
    case 'array':
      return key.items.every((item) => isMatchable(item, bound));
    case 'object':
      return key.entries.every((entry) => hasBoundVars(entry.key, bound) && isMatchable(entry.value, bound));
    default:
      return true;
  }
}
