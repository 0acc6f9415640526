import type { PlanFile } from '../../engine/bundle/bundle.js';
import { debugInfoOf } from '../../engine/bundle/debug-info-file.js';
import type { DebugInfo } from '../../ir-schema/debug-info.js';
import { nodeHost } from '../../values/builtins/host/node.js';
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
