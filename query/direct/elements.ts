/** Visits the elements of a collection in order. */

import { lookup } from '../../runtime/values/compare.js';
import { isArray, isSet, type Value } from '../../runtime/values/value.js';
import { countWork } from '../../runtime/values/work.js';
import { keysOf } from '../refs/elements.js';
import type { Match, Step } from './compiling.js';
import type { DirectFrame } from './run.js';

/**
 * @param slot takes the element
 * @param then continues with it; ends the visit where it returns true
 */
export function visitElements(frame: DirectFrame, elements: Value, key: Match, slot: number, then: Step): boolean {
  const { run, slots } = frame;
  if (isArray(elements)) {
    countWork(elements.length);
    for (let i = 0; i < elements.length; i++) {
      run.count();
      if (!key(frame, i)) continue;
      slots[slot] = elements[i]!;
      if (then(frame)) return true;
    }
    return false;
  }
  for (const at of keysOf(elements)) {
    run.count();
    if (!key(frame, at)) continue;
    slots[slot] = isSet(elements) ? at : lookup(elements, at)!;
    if (then(frame)) return true;
  }
  return false;
}
