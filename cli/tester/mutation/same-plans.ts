/** Plans that differ in nothing but the places of their statements in the text. */
import { optimize } from '../../../compiler/index.js';
import type { Policy } from '../../../ir-schema/index.js';

/** Whether two policies have equal plans, as they are or once both are optimized. */
export function samePlans(a: Policy, b: Policy): boolean {
  return isSame(a, b) || isSame(optimize(a, 2), optimize(b, 2));
}

/** Whether two policies have equal plans as they are. */
export function sameWrittenPlans(a: Policy, b: Policy): boolean {
  return isSame(a, b);
}

/** The fields of places: lines move when a text is changed. */
const places: ReadonlySet<string> = new Set(['file', 'row', 'col', 'end_row', 'end_col', 'files']);

function isSame(a: unknown, b: unknown): boolean {
  const left: (readonly [unknown, unknown])[] = [[a, b]];
  for (let pair = left.pop(); pair !== undefined; pair = left.pop()) {
    const [one, other] = pair;
    if (one === other) continue;
    if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
    if (Array.isArray(one)) {
      if (!Array.isArray(other) || one.length !== other.length) return false;
      for (let i = 0; i < one.length; i++) left.push([one[i], other[i]]);
      continue;
    }
    const keys = keysOf(one);
    if (keys.length !== keysOf(other).length) return false;
    for (const key of keys) left.push([one[key as never], other[key as never]]);
  }
  return true;
}

function keysOf(object: object): readonly string[] {
  return Object.keys(object).filter((key) => !places.has(key));
}
