/**
 * Loops whose rounds may run in any order: all they do is look for an element that suffices. A set
 * is then walked without sorting its members.
 */
import type { LocalUses } from '../../../ir-schema/local-uses.js';
import type { Stmt } from '../../../ir-schema/plan.js';
import type { SilentCalls } from '../calls/silent-calls.js';
import { roundEffects } from './round-effects.js';

/**
 * Whether rounds leave nothing but one constant. Errors of built-ins in them may be others in
 * another order, where these are looked for.
 */
export function isAnyOrder(scan: Stmt & { readonly type: 'ScanStmt' }, uses: LocalUses, silent: SilentCalls): boolean {
  return roundEffects(scan, uses, silent)?.extended.size === 0;
}
