/** The inspector's page on both versions: their plans side by side, and an input that differs. */

import type { Module } from '../../compiler/index.js';
import { buildInfo } from '../../engine/index.js';
import { builtins, toIndentedJson } from '../../values/index.js';
import type { ChangeReport } from '../../views/index.js';
import { CommandError } from '../exit.js';
import { inspectorPage } from '../inspect/inspector-page.js';
import { plannedModules } from '../inspect/planned-modules.js';
import { inspectedPlan } from '../web/data/inspected-plan.js';
import { sourceTexts } from '../web/data/source-texts.js';
import type { OpenedVersion } from './open-version.js';

/** The page as one file. Throws a CommandError for a version without policies. */
export function changePage(
  { old, new: next }: { readonly old: OpenedVersion; readonly new: OpenedVersion },
  { replay, search, proofs = [] }: ChangeReport,
  paths: readonly string[],
): string {
  const [before, after] = [modulesOfVersion(old), modulesOfVersion(next)];
  const [own, other] = [plannedModules(before, paths), plannedModules(after, paths)];
  const examples = [...(replay?.groups ?? []), ...(search?.groups ?? []), ...proofs].map(({ example }) => example);
  const input = examples.find((example) => example?.input !== undefined)?.input;
  const texts = (modules: readonly Module[]) => modules.map(({ source: { file, text } }) => ({ file, text }));
  return inspectorPage({
    version: buildInfo.version,
    title: old.name,
    sources: sourceTexts(texts(before), texts(before), own.debug),
    plan: inspectedPlan(own.policy, undefined, builtins),
    other: { title: next.name, policy: other.policy },
    documents: {
      input: input === undefined ? '{}' : toIndentedJson(input),
      data: toIndentedJson(old.engine.store.root),
    },
  });
}

function modulesOfVersion({ name, engine }: OpenedVersion): readonly Module[] {
  const modules = engine.policies().map(({ module }) => module);
  if (modules.length === 0)
    throw new CommandError(`error: ${name} has no policies to show: writ inspect --diff compares plans`, 2);
  return modules;
}
