/**
 * Loops whose rounds may run in any order: all they do is look for an element that suffices. A set
 * is then walked without sorting its members.
 */
import type { Stmt } from '../../../ir-schema/index.js';
import type { FunctionFacts } from '../facts/function-facts.js';
import { roundEffects } from '../facts/round-effects.js';

/**
 * Whether rounds leave nothing but one constant. Errors of built-ins in them may be others in
 * another order, where these are looked for.
 */
export function isAnyOrder(scan: Stmt & { readonly type: 'ScanStmt' }, facts: FunctionFacts): boolean {
  return roundEffects(scan, facts)?.extended.size === 0;
}
