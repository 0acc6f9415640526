/** The debug information beside a plan. */

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { PlanFile } from '../../engine/index.js';
import { debugInfoOf, debugInfoPath } from '../../engine/index.js';
import type { DebugInfo } from '../../ir-schema/index.js';
import { DebugError } from '../../views/index.js';

/**
 * @param path of the plan, if it is a file of its own
 * @throws DebugError for debug information of another plan
 */
export function debugInfoBeside(plan: PlanFile, path?: string): DebugInfo | undefined {
  const beside = path === undefined ? undefined : debugInfoPath(path);
  const hasFile = plan.debugInfo === undefined && beside !== undefined && existsSync(beside);
  try {
    return debugInfoOf(hasFile ? { ...plan, debugInfo: readFileSync(beside) } : plan, sha256);
  } catch (error) {
    throw new DebugError('invalid_launch', `${beside ?? plan.path}: ${(error as Error).message}`);
  }
}

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
