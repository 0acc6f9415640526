/** The debug information beside a plan, and the texts that it is about. */

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import type { ModuleFile, PlanFile } from '../../bundle/bundle.js';
import { debugInfoPath } from '../../bundle/bundle-paths.js';
import { debugInfoOf } from '../../bundle/debug-info-file.js';
import type { SourceText } from '../../debug/debug-program.js';
import { DebugError } from '../../debug/session.js';
import type { DebugInfo } from '../../ir-schema/debug-info.js';

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

/** Only texts with the hash of the debug information are shown: another text has other lines. */
export function textsOf({ sources }: DebugInfo, modules: readonly ModuleFile[]): readonly SourceText[] {
  const known = new Map(modules.map(({ text }) => [sha256(text), text]));
  return sources.flatMap(({ file, text, sha256: hash }): SourceText[] => {
    const onDisk = textOnDisk(file, hash);
    const found = text ?? onDisk ?? (hash === undefined ? undefined : known.get(hash));
    return found === undefined
      ? []
      : [{ name: file, path: onDisk === undefined ? undefined : file, kind: 'policy', text: found }];
  });
}

/** The text of a file if it is the one that was planned. Bundles may name files as they like. */
function textOnDisk(file: string, hash: string | undefined): string | undefined {
  if (hash === undefined) return undefined;
  try {
    // A pipe would not end.
    if (!statSync(file).isFile()) return undefined;
    const text = readFileSync(file, 'utf8');
    return sha256(text) === hash ? text : undefined;
  } catch {
    return undefined;
  }
}

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
