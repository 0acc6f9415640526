/** The debug information beside a plan. */

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { PlanFile } from '../../engine/bundle/bundle.js';
import { debugInfoPath } from '../../engine/bundle/bundle-paths.js';
import { debugInfoOf } from '../../engine/bundle/debug-info-file.js';
import type { DebugInfo } from '../../ir-schema/debug-info.js';
import { DebugError } from '../../views/debug/session.js';

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
