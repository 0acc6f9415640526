/** The debug information in the file beside a plan. */

import { type DebugInfo, readDebugInfo } from '../../ir-schema/index.js';
import { lenientTextOfFile } from '../../values/index.js';
import type { PlanFile } from './bundle.js';
import { planBytes } from './write.js';

/**
 * The debug information of a plan; undefined where there is none.
 * @param sha256 the hash of bytes, in hex
 * @throws Error for a file that is no debug information, or that of another plan
 */
export function debugInfoOf(plan: PlanFile, sha256: (bytes: Uint8Array) => string): DebugInfo | undefined {
  if (plan.debugInfo === undefined) return undefined;
  const info = readDebugInfo(lenientTextOfFile(plan.debugInfo));
  if (info.plan !== undefined && info.plan !== sha256(planBytes(plan)))
    throw new Error('the debug information is that of another plan');
  return info;
}

/** The file, for a plan that is written with it. */
export function debugInfoBytes(info: DebugInfo, plan: PlanFile, sha256: (bytes: Uint8Array) => string): Uint8Array {
  const { version, ...tables } = info;
  return new TextEncoder().encode(`${JSON.stringify({ version, plan: sha256(planBytes(plan)), ...tables })}\n`);
}
