/** webpack and Rspack. */
import { sep } from 'node:path';
import { sharedRuntimeFile } from '../../modules/units-file.js';
import { liveInWebpack } from './live.js';
import type { Project } from './project.js';
import type { LoadContext } from './rollup.js';

/** What the plugin needs of a loader's context. */
interface Loader {
  /** Whether modules are replaced while they are in use. */
  readonly hot?: boolean;
  /** Unused code is removed in production alone, which is the default. */
  readonly mode?: string;
  readonly _compiler?: { readonly outputPath: string };
  addDependency(file: string): void;
  addContextDependency(folder: string): void;
  emitWarning(warning: Error): void;
}

export function webpackLoad(project: Project) {
  return function (this: LoadContext, id: string) {
    const { loaderContext: loader } = this.getNativeBuildContext!() as unknown as { readonly loaderContext: Loader };
    const isShared = !loader.hot && (loader.mode ?? 'production') === 'production';
    const { files, folders, module, problems } = project.module(id, {
      format: 'es',
      ...(loader.hot && { live: liveInWebpack }),
      ...(isShared && { sharedRuntime: sharedRuntimeFile() }),
    });
    for (const file of files) loader.addDependency(file);
    const output = loader._compiler?.outputPath;
    for (const folder of folders) if (output === undefined || !areNested(folder, output)) loader.addContextDependency(folder);
    if (module === undefined) throw shown(project.text(problems));
    for (const warning of module.warnings) loader.emitWarning(shown(project.text([warning])));
    return { code: module.text, map: module.map };
  };
}

/**
 * A folder is watched with all below it. Where that is the output, each build would start the next:
 * new policies in such a folder are not seen.
 */
function areNested(folder: string, output: string): boolean {
  return `${folder}${sep}`.startsWith(`${output}${sep}`) || `${output}${sep}`.startsWith(`${folder}${sep}`);
}

/** An error whose stack, which is no help, is not printed. */
function shown(text: string): Error {
  return Object.assign(new Error(text), { hideStack: true, stack: text });
}
