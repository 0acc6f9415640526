/** Rollup, Rolldown, and builds of Vite. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { UnpluginBuildContext, UnpluginContext } from 'unplugin';
import type { SourceMap } from '../../../runtime/index.js';
import { sharedRuntimeFile } from '../../modules/units-file.js';
import type { Problem } from './problems.js';
import type { Project } from './project.js';
import type { RegoOutcome } from './rego-module.js';

export type LoadContext = UnpluginBuildContext & UnpluginContext;

export interface Loaded {
  readonly code: string;
  readonly map: SourceMap;
}

/** The options of a build that the plugin needs. */
export interface BuildOptions {
  readonly cwd?: string;
  readonly output?: Output | readonly Output[];
}

interface Output {
  readonly dir?: string | undefined;
  readonly file?: string | undefined;
}

type Load = (
  this: LoadContext,
  id: string,
) => Loaded | { readonly code: string; readonly moduleSideEffects: false } | undefined;

/** No path: projects may leave all of `node_modules` out of their bundle. */
export const sharedRuntime = '\0writ-module-runtime';

export const isSharedRuntime = /^\0writ-module-runtime$/;

export function resolveSharedRuntime(id: string): string | undefined {
  return id === sharedRuntime ? id : undefined;
}

export function loadSharedRuntime(): { readonly code: string; readonly moduleSideEffects: false } {
  return { code: readFileSync(sharedRuntimeFile(), 'utf8'), moduleSideEffects: false };
}

/** The paths that a build writes to. */
export function outputPaths({ cwd = process.cwd(), output = [] }: BuildOptions): readonly string[] {
  const paths = [output].flat().map(({ dir, file }) => dir ?? file);
  return paths.filter((path) => path !== undefined).map((path) => resolve(cwd, path));
}

export function rollupLoad(project: Project): Load {
  return function (id) {
    if (id === sharedRuntime) return loadSharedRuntime();
    const outcome = project.module(id, { format: 'es', sharedRuntime });
    for (const path of [...outcome.files, ...project.watchedFolders(outcome)]) this.addWatchFile(path);
    return loaded(outcome, this, project);
  };
}

/**
 * Reports errors and warnings; an error ends the build.
 * @param isTextOnly whether the bundler shows no more of an error than its message
 */
export function loaded(
  { module, problems }: RegoOutcome,
  context: LoadContext,
  project: Project,
  isTextOnly = false,
): Loaded | undefined {
  if (module === undefined) {
    // Given a place, Vite would show its own frame below that of the message.
    context.error(isTextOnly ? { message: project.text(problems) } : logOf(problems, project));
    return undefined;
  }
  for (const warning of module.warnings) context.warn(logOf([warning], project));
  return { code: module.text, map: module.map };
}

/** The first problem with its place and frame, the others in its message. */
function logOf([first, ...others]: readonly Problem[], project: Project) {
  const { message, place } = first!;
  return {
    message: others.length === 0 ? message : `${message}\n\n${project.text(others)}\n`,
    ...(place && { id: place.file, loc: { file: place.file, line: place.row, column: place.col }, frame: place.frame }),
  };
}
