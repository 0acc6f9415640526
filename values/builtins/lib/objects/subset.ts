/** `object.subset`: whether a collection is part of another one. */
import { compare, objectGet } from '../../../compare.js';
import { equal } from '../../../equal.js';
import type { RegoSet } from '../../../set.js';
import { type ArrayValue, isArray, isObject, isSet, type ObjectValue, type Value } from '../../../value.js';
import { countWork } from '../../../work.js';
import type { BuiltinContext } from '../../builtin-context.js';
import { BuiltinError } from '../../builtin-errors.js';
import { countedEntries, unitsPerKey } from './keys.js';

/** The error of other types names both operands. */
export function subset(whole: Value, part: Value, context: BuiltinContext): boolean {
  if (isObject(whole) && isObject(part)) return isSubobject(whole, part, context);
  if (isSet(whole) && isSet(part)) return isSubset(whole, part);
  if (isArray(whole) && isArray(part)) return isSubarray(whole, part, context);
  if (isArray(whole) && isSet(part)) return hasAll(whole, part);
  throw new BuiltinError('both arguments object.subset must be of the same type or array and set', 'eval_type_error');
}

function isSubobject(whole: ObjectValue, part: ObjectValue, context: BuiltinContext): boolean {
  for (const [key, wants] of countedEntries(part)) {
    const has = objectGet(whole, key);
    if (has === undefined) return false;
    if (isObject(has) && isObject(wants)) {
      if (!isSubobject(has, wants, context)) return false;
    } else if (isSet(has) && isSet(wants)) {
      if (!isSubset(has, wants)) return false;
    } else if (isArray(has) && isArray(wants)) {
      if (!isSubarray(has, wants, context)) return false;
    } else if (!equal(has, wants)) return false;
  }
  return true;
}

function isSubset(whole: RegoSet, part: RegoSet): boolean {
  if (part.size > whole.size) return false;
  for (const member of part) {
    countWork(unitsPerKey);
    if (!whole.has(member)) return false;
  }
  return true;
}

/** Whether `whole` has the elements of `part` as one sequence. */
function isSubarray(whole: ArrayValue, part: ArrayValue, context: BuiltinContext): boolean {
  for (let start = 0; start + part.length <= whole.length; start++) {
    let i = 0;
    while (i < part.length && compare(whole[start + i]!, part[i]!) === 0) i++;
    context.tick(1 + i);
    if (i === part.length) return true;
  }
  return false;
}

/** Counts elements that are members, equal ones each time, as the reference does. */
function hasAll(whole: ArrayValue, part: RegoSet): boolean {
  let missing = part.size;
  for (const element of whole) {
    countWork(unitsPerKey);
    if (part.has(element)) missing--;
    if (missing === 0) return true;
  }
  return false;
}
