import { debugInfoOf, type PlanFile } from '../../engine/index.js';
import type { DebugInfo } from '../../ir-schema/index.js';
import { nodeHost } from '../../values/node.js';
import type { Io } from '../io.js';

/** The debug information of a plan's file; a warning for one that cannot be read. */
export function debugInfoOrWarning(file: PlanFile, io: Io): DebugInfo | undefined {
  try {
    return debugInfoOf(file, (bytes) => nodeHost.crypto.hashHex('sha256', bytes));
  } catch (error) {
    io.stderr(`warning: ${file.path}: ${(error as Error).message}\n`);
    return undefined;
  }
}
