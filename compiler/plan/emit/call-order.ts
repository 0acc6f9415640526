/**
 * The order of a plan's functions: some engines define functions as they read them, and refuse
 * calls of later ones.
 */
import type { Func } from '../../../ir-schema/index.js';

/** A function and the names of its callees. */
export interface PlannedFunction {
  readonly func: Func;
  readonly calls: ReadonlySet<string>;
}

/**
 * Sorts functions so that each comes after its callees, otherwise in the given order. Nothing is
 * recursive.
 */
export function calleesFirst(functions: ReadonlyMap<string, PlannedFunction>): Func[] {
  const ordered: Func[] = [];
  const seen = new Set<string>();
  // A stack of its own: chains of rules may be long.
  const open: { readonly func: Func; readonly calls: Iterator<string> }[] = [];
  const enter = (name: string): void => {
    const planned = functions.get(name);
    if (planned === undefined || seen.has(name)) return;
    seen.add(name);
    open.push({ func: planned.func, calls: planned.calls.values() });
  };
  for (const name of functions.keys()) {
    enter(name);
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const { done, value } = top.calls.next();
      if (done !== true) enter(value);
      else {
        ordered.push(top.func);
        open.pop();
      }
    }
  }
  return ordered;
}
