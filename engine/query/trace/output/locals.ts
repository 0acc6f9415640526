/** Bindings of variables at the moment of an event. */

import type { Value } from '../../../../values/index.js';
import type { Frame } from '../../bindings.js';
import { isOpen } from '../../partial/symbolic.js';

/** The values of `names[i]` are `values[i]`, in the order of binding. */
export interface TracedLocals {
  readonly names: readonly string[];
  readonly values: readonly Value[];
}

export const noLocals: TracedLocals = { names: [], values: [] };

/**
 * Copies of the bindings of frames, without open terms. Events between which nothing is bound share
 * one.
 */
export class FrameLocals {
  readonly #latest = new Map<Frame, { readonly bound: TracedLocals; readonly shown: TracedLocals }>();

  of(frame: Frame): TracedLocals {
    if (frame.values.size === 0) return noLocals;
    const latest = this.#latest.get(frame);
    if (latest !== undefined && isSame(latest.bound, frame.values)) return latest.shown;
    const bound = localsOf(frame.values, () => true);
    const shown = bound.values.some(isOpen) ? localsOf(frame.values, (value) => !isOpen(value)) : bound;
    this.#latest.set(frame, { bound, shown });
    return shown;
  }
}

function localsOf(bindings: ReadonlyMap<string, Value>, isShown: (value: Value) => boolean): TracedLocals {
  const names: string[] = [];
  const values: Value[] = [];
  bindings.forEach((value, name) => {
    if (!isShown(value)) return;
    names.push(name);
    values.push(value);
  });
  return { names, values };
}

/** Whether the bindings are the same, in the same order. */
function isSame({ names, values }: TracedLocals, bindings: ReadonlyMap<string, Value>): boolean {
  if (names.length !== bindings.size) return false;
  let i = 0;
  for (const [name, value] of bindings) {
    if (name !== names[i] || value !== values[i]) return false;
    i++;
  }
  return true;
}
