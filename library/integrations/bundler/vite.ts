/** Vite: a policy that changes is replaced in the page, without a reload. */
import { dirname, resolve } from 'node:path';
import { liveInVite } from './live.js';
import type { Project } from './project.js';
import type { RegoOutcome } from './rego-module.js';
import { type LoadContext, loaded, loadSharedRuntime, sharedRuntime } from './rollup.js';

/** The part of Vite's types that the plugin needs. */
interface ModuleGraph<Module> {
  getModulesByFile(file: string): ReadonlySet<Module> | undefined;
}

interface HotUpdate<Module> {
  readonly type: 'create' | 'update' | 'delete';
  readonly file: string;
  readonly modules: readonly Module[];
}

interface Environment<Module> {
  readonly environment: { readonly moduleGraph: ModuleGraph<Module> };
}

interface Config {
  readonly root: string;
  readonly environments: Readonly<Record<string, { readonly build: { readonly outDir: string } }>>;
}

/** The environment of a page or of a server; errors of a server have no overlay. */
type ViteLoadContext = LoadContext & {
  readonly environment?: { readonly config: { readonly consumer: 'client' | 'server' } };
};

interface Server {
  readonly watcher: { add(paths: readonly string[]): unknown };
}

interface Module {
  readonly file: string | null;
}

export class ViteProject {
  readonly #project: Project;
  #server: Server | undefined;
  /** Outcomes by the path of the policy, as Vite writes it. */
  readonly #outcomes = new Map<string, RegoOutcome>();

  constructor(project: Project) {
    this.#project = project;
  }

  readonly hooks = {
    configResolved: ({ root, environments }: Config): void => {
      this.#project.root = root;
      for (const { build } of Object.values(environments)) this.#project.outputs.add(resolve(root, build.outDir));
    },
    configureServer: (server: Server): void => {
      this.#server = server;
    },
    hotUpdate: this.#hotUpdate(),
  };

  get load() {
    const own = this;
    return function (this: ViteLoadContext, id: string) {
      if (id === sharedRuntime) return loadSharedRuntime();
      const outcome = own.#module(id);
      own.#outcomes.set(id, outcome);
      if (own.#server === undefined) {
        for (const path of [...outcome.files, ...own.#project.watchedFolders(outcome)]) this.addWatchFile(path);
        // The root is watched anyway, but not other folders.
      } else own.#server.watcher.add([...outcome.files, ...outcome.folders]);
      const isForServer = own.#server !== undefined && this.environment?.config.consumer === 'server';
      return loaded(outcome, this, own.#project, isForServer);
    };
  }

  #module(file: string): RegoOutcome {
    return this.#project.module(file, {
      format: 'es',
      sharedRuntime,
      ...(this.#server !== undefined && { live: liveInVite }),
    });
  }

  /** Replaces the policies whose module another file changes. */
  #hotUpdate() {
    const own = this;
    return function <M extends Module>(this: Environment<M>, { type, file, modules }: HotUpdate<M>): M[] | undefined {
      const affected = [...own.#outcomes].flatMap(([path, outcome]) =>
        own.#isAffected(outcome, type, file) ? [path] : [],
      );
      if (affected.length === 0) return undefined;
      const changed = affected.filter((path) => own.#hasChanged(path));
      const replaced = changed.flatMap((path) => [...(this.environment.moduleGraph.getModulesByFile(path) ?? [])]);
      return [...modules.filter((module) => !affected.includes(module.file ?? '')), ...replaced];
    };
  }

  #isAffected({ files, folders }: RegoOutcome, type: HotUpdate<Module>['type'], file: string): boolean {
    if (files.includes(file)) return true;
    return type === 'create' && folders.includes(dirname(file));
  }

  /** Whether the module is another, or its errors are. */
  #hasChanged(path: string): boolean {
    const [before, now] = [this.#outcomes.get(path), this.#module(path)];
    if (now.module === undefined || before?.module === undefined) return true;
    if (now.module.text === before.module.text) this.#outcomes.set(path, now);
    return now.module.text !== before.module.text;
  }
}
