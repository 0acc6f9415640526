/** Keys that are known before a body is evaluated. */
import { varTerm } from '../../ast/make.js';
import type { Term } from '../../ast/nodes.js';
import { varsOf } from '../../ast/vars.js';

/**
 * The variables that have a value before the body is looked at, since they make the key that is
 * asked for.
 */
export function keyVariables(key: Term): readonly Term[] {
  return [...varsOf(key)].map((name) => varTerm(key.loc, name));
}
