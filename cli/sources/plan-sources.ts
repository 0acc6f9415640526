/** The texts of files that plans name: one lookup for listings, pages, recordings and debuggers. */

import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import { isDirectory } from '../../engine/node.js';
import { Addresses, type DebugInfo, type Policy } from '../../ir-schema/index.js';
import { fittingTest, isSameFile, type SourceLines } from '../../views/index.js';
import { pathsBelowRoots, policyText, type SourceRoot } from './source-roots.js';

export interface FileText {
  readonly file: string;
  readonly text: string;
}

/** The text of a file by the name that the plan has for it. */
export interface PlanSource extends FileText {
  /** The file on disk with this text. */
  readonly path: string | undefined;
}

/** Where texts are looked up. */
export interface SourcePlaces {
  /** The policies beside the plan. */
  readonly beside: () => readonly FileText[];
  readonly roots: readonly SourceRoot[];
  /** Where the plan is. */
  readonly folders: readonly string[];
}

/**
 * The source texts of a plan: from its debug information, the policies beside it, or files on disk.
 * A hash in the debug information tells the right text; otherwise its places do.
 */
export function planSources(
  { policy, debug }: { readonly policy: Policy; readonly debug?: DebugInfo | undefined },
  { beside, roots, folders }: SourcePlaces,
  addresses: Addresses = new Addresses(policy),
): readonly PlanSource[] {
  const fits = fittingTest(policy, addresses);
  const inPlan = (policy.static?.files ?? []).map(({ value }) => value);
  const told = new Map((debug?.sources ?? []).map((source) => [source.file, source]));
  return [...new Set([...inPlan, ...told.keys()])].flatMap((file): PlanSource[] => {
    const { text: known, sha256: hash } = told.get(file) ?? {};
    const isRight = (text: string) => (hash === undefined ? fits(file, text) : hashOf(text) === hash);
    const onDisk = filesNamed(file, { roots, folders });
    const text =
      known ??
      textsNamed(file, beside(), hash !== undefined).find(isRight) ??
      onDisk.find((one) => isRight(one.text))?.text;
    if (text === undefined) return [];
    const path = onDisk.find((one) => one.text === text)?.path;
    return [{ file, text: text.replaceAll('\r\n', '\n'), path }];
  });
}

/** The lines of the files of a plan, which are looked up when they are first asked for. */
export function linesIn(sources: () => readonly FileText[]): SourceLines {
  let known: ReadonlyMap<string, readonly string[]> | undefined;
  return (file) => (known ??= new Map(sources().map((one) => [one.file, one.text.split('\n')]))).get(file);
}

/** The folders in which a path looks for the sources of its plan: its own. */
export function foldersOf(paths: readonly string[]): readonly string[] {
  return paths.filter((path) => path !== '' && path !== '-').map((path) => (isDirectory(path) ? path : dirname(path)));
}

/** The files on disk that a name may mean. */
export function filesNamed(
  name: string,
  { roots, folders }: Pick<SourcePlaces, 'roots' | 'folders'>,
): readonly { readonly path: string; readonly text: string }[] {
  return pathsBelowRoots(name, roots, folders).flatMap((path) => {
    const text = policyText(path);
    return text === undefined ? [] : [{ path, text }];
  });
}

/** The texts that may be those of a file: any, where a hash tells the right one. */
function textsNamed(file: string, texts: readonly FileText[], isHashed: boolean): readonly string[] {
  const named = isHashed ? texts : texts.filter((one) => isSameFile(one.file, file));
  return named.map(({ text }) => text);
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
