/** Visits the elements of a collection in order. */

import type { Term } from '../../compiler/ast/nodes.js';
import { lookup } from '../../values/compare.js';
import { isArray, isSet, type Value } from '../../values/value.js';
import { countWork } from '../../values/work.js';
import { keysOf } from '../refs/elements.js';
import type { Match, Step } from './compiling.js';
import type { DirectFrame } from './run.js';
import type { Scope } from './scope.js';
import { match } from './terms.js';

/** The target of an element's key: the slot of an unbound variable, or any other term. */
type ElementKey = number | Match;

export function elementKey(term: Term, scope: Scope): ElementKey {
  return term.type === 'var' && !scope.isBound(term.name) ? scope.bind(term.name) : match(term, scope);
}

/** Takes an element, and continues if its key matches. */
function visit(frame: DirectFrame, at: Value, element: Value, key: ElementKey, slot: number, then: Step): boolean {
  frame.run.count();
  if (typeof key === 'number') frame.slots[key] = at;
  else if (!key(frame, at)) return false;
  frame.slots[slot] = element;
  return then(frame);
}

/**
 * @param slot takes the element
 * @param then continues with it; ends the visit where it returns true
 */
export function visitElements(frame: DirectFrame, elements: Value, key: ElementKey, slot: number, then: Step): boolean {
  if (isArray(elements)) {
    countWork(elements.length);
    for (let i = 0; i < elements.length; i++) if (visit(frame, i, elements[i]!, key, slot, then)) return true;
    return false;
  }
  for (const at of keysOf(elements)) {
    if (visit(frame, at, isSet(elements) ? at : lookup(elements, at)!, key, slot, then)) return true;
  }
  return false;
}

/** The same of some elements of an array. */
export function visitPositions(
  frame: DirectFrame,
  array: readonly Value[],
  positions: readonly number[],
  key: ElementKey,
  slot: number,
  then: Step,
): boolean {
  for (const position of positions) if (visit(frame, position, array[position]!, key, slot, then)) return true;
  return false;
}
