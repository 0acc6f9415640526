/** The texts of the files that a plan and its debug information name. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fittingSources, isSameFile } from '../../inspect/source-view.js';
import type { Addresses } from '../../ir-schema/address.js';
import type { DebugInfo } from '../../ir-schema/debug-info.js';
import type { Policy } from '../../ir-schema/plan.js';

export interface FileText {
  readonly file: string;
  readonly text: string;
}

/**
 * The texts that fit a plan, those of `-O` and those of the authors.
 * @param beside the policies beside the plan
 */
export function planTexts(
  { policy, debug }: { readonly policy: Policy; readonly debug?: DebugInfo | undefined },
  addresses: Addresses,
  beside: () => readonly FileText[],
): readonly FileText[] {
  const linesOf = fittingSources(policy, addresses, (file) => planText(file, debug, beside), debug);
  const inPlan = (policy.static?.files ?? []).map(({ value }) => value);
  const files = new Set([...inPlan, ...(debug?.sources ?? []).map(({ file }) => file)]);
  return [...files].flatMap((file): FileText[] => {
    const lines = linesOf(file);
    return lines === undefined ? [] : [{ file, text: lines.join('\n') }];
  });
}

/**
 * The text of a file of a plan: of the debug information, of a policy beside it, of the disk. Where
 * the debug information has a hash, it tells the right one.
 */
export function planText(
  file: string,
  debug: DebugInfo | undefined,
  beside: () => readonly FileText[],
): string | undefined {
  const told = debug?.sources.find((source) => source.file === file);
  if (told?.text !== undefined) return told.text;
  const named = beside().filter((module) => isSameFile(module.file, file));
  const onDisk = file.endsWith('.rego') && existsSync(file) ? [readFileSync(file, 'utf8')] : [];
  const texts = [...named.map(({ text }) => text), ...onDisk];
  return told?.sha256 === undefined ? texts[0] : texts.find((text) => hashOf(text) === told.sha256);
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
