/** The bundles, plans and policies that `inspect` shows. */

import { readFileSync } from 'node:fs';
import type { Module } from '../../compiler/index.js';
import { type Bundle, cleanPath, emptyBundle, isGzip, type Manifest } from '../../engine/index.js';
import { filePath, moduleAt, readBundle, readBytes } from '../../engine/node.js';
import { type DebugInfo, loadPlan, type Policy, UnknownMembers } from '../../ir-schema/index.js';
import { textOfFile } from '../../values/index.js';
import { systemProblem } from '../../values/node.js';
import type { FlagValues } from '../flags.js';
import type { Io } from '../io.js';
import { debugInfoOrWarning } from '../recording/debug-info-or-warning.js';
import { type FileText, foldersOf, type SourcePlaces } from '../sources/plan-sources.js';
import { sourceRoots } from '../sources/source-roots.js';
import { parsedModules } from './modules.js';
import { type DeclaredBuiltins, plannedModules } from './planned-modules.js';

/** A plan that is inspected. */
export interface InspectedPlan {
  /** The path of its file, or of its policies. */
  readonly path: string;
  /** The path on the command line. */
  readonly given: string;
  readonly policy: Policy;
  readonly debug?: DebugInfo;
  /** The policies that stand beside it, or that it was made of. */
  readonly modules: () => readonly Module[];
}

/** Where the sources of a plan are looked up. */
export function placesBeside(plan: InspectedPlan, flags: FlagValues): SourcePlaces {
  return {
    beside: () => moduleTexts(plan),
    roots: sourceRoots(flags.all('source-root')),
    folders: foldersOf([plan.given]),
  };
}

/** The texts of the policies beside a plan. */
export function moduleTexts({ modules }: InspectedPlan): readonly FileText[] {
  return modules().map(({ source: { file, text } }) => ({ file, text }));
}

/** A bundle (an archive, a directory, a plan) or one policy; `-` is standard input. */
export async function bundleAt(given: string, io: Io): Promise<Bundle> {
  if (given === '-') {
    const bytes = io.stdin();
    return isPolicy(bytes) ? policyAlone('stdin.rego', bytes) : readBytes('stdin', bytes);
  }
  if (!given.endsWith('.rego')) return readBundle(given);
  const path = filePath(given);
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw new Error(`error reading ${JSON.stringify(path)}: stat ${path}: ${systemProblem(error)}`, { cause: error });
  }
  return policyAlone(path, bytes);
}

/** Whether bytes are neither an archive nor a plan. */
function isPolicy(bytes: Uint8Array): boolean {
  return !isGzip(bytes) && !/^\s*\{/.test(textOfFile(bytes.subarray(0, 100)));
}

/** The manifest of a policy alone, which has none. */
export const policyManifest: Manifest = { ...emptyBundle.manifest };

function policyAlone(path: string, bytes: Uint8Array): Bundle {
  const module = moduleAt(cleanPath(path), textOfFile(bytes), bytes);
  return { ...emptyBundle, manifest: policyManifest, modules: [module], files: new Map([[module.bundlePath, bytes]]) };
}

/** The plans of a bundle; warns of members that it ignores. */
export function plansOf(
  { bundle, path: given }: Pick<InspectedBundle, 'bundle' | 'path'>,
  modules: () => readonly Module[],
  io: Io,
): readonly InspectedPlan[] {
  return bundle.plans.map((file) => {
    const { path } = file;
    const unknown = new UnknownMembers();
    const policy = loadPlan(file.policy, unknown);
    for (const warning of unknown.warnings()) io.stderr(`warning: ${path}: ${warning}\n`);
    const debug = debugInfoOrWarning(file, io);
    return { path, given, policy, modules, ...(debug && { debug }) };
  });
}

interface InspectedBundle {
  readonly path: string;
  readonly bundle: Bundle;
  /** The language version of its policies. */
  readonly version: 0 | 1;
  readonly names: readonly string[];
}

/** The plans of a bundle; of policies that were not built, a plan of entrypoints of these names. */
export function inspectedPlans(
  { path, bundle, version, names }: InspectedBundle,
  io: Io,
  host: DeclaredBuiltins = {},
): readonly InspectedPlan[] {
  let parsed: readonly Module[] | undefined;
  const modules = () => (parsed ??= parsedModules(path === '-' ? 'stdin.rego' : path, bundle, version));
  const built = plansOf({ bundle, path }, modules, io);
  if (built.length > 0) return built;
  return modules().length === 0 ? [] : [{ path, given: path, ...plannedModules(modules(), names, host), modules }];
}
