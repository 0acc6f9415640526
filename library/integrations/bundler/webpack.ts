/** webpack and Rspack. */
import { sharedRuntimeFile } from '../../modules/units-file.js';
import { liveInWebpack } from './live.js';
import type { Project } from './project.js';
import type { RegoModule } from './rego-module.js';
import type { LoadContext } from './rollup.js';

/** The part of a loader's context that the plugin needs. */
interface Loader {
  /** Whether modules are replaced while they are in use. */
  readonly hot?: boolean;
  readonly _compiler?: { readonly outputPath: string };
  addDependency(file: string): void;
  addContextDependency(folder: string): void;
  emitError(error: Error): void;
  emitWarning(warning: Error): void;
}

export function webpackLoad(project: Project) {
  /** The newest modules without errors, by file. */
  const good = new Map<string, RegoModule>();
  return function (this: LoadContext, id: string) {
    const { loaderContext: loader } = this.getNativeBuildContext!() as unknown as { readonly loaderContext: Loader };
    if (loader._compiler !== undefined) project.outputs.add(loader._compiler.outputPath);
    const outcome = project.module(id, {
      format: 'es',
      sharedRuntime: sharedRuntimeFile(),
      ...(loader.hot && { live: liveInWebpack }),
    });
    for (const file of outcome.files) loader.addDependency(file);
    for (const folder of project.watchedFolders(outcome)) loader.addContextDependency(folder);
    const module = outcome.module ?? (loader.hot ? good.get(id) : undefined);
    if (module === undefined) throw thrown(project.text(outcome.problems));
    // Replacement ends for good where a new version throws: the last one stays in use.
    if (outcome.module === undefined) loader.emitError(emitted(project.text(outcome.problems)));
    good.set(id, module);
    for (const warning of module.warnings) loader.emitWarning(emitted(project.text([warning])));
    return { code: module.text, map: module.map };
  };
}

/** An error that is shown without its stack, which is no help. */
function thrown(text: string): Error {
  return Object.assign(new Error(text), { hideStack: true, stack: text });
}

/** An error that is not thrown: its stack would be printed below the text. */
function emitted(text: string): Error {
  return Object.assign(new Error(text), { stack: '' });
}
