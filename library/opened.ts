/** Opens the parts of a library's engine. */
import type { Host } from '../builtins/host.js';
import { createContext } from '../engine/context.js';
import { Engine } from '../engine/engine.js';
import { allBuiltins, allowedHosts, checkOptions, checkPlans, type EngineOptions, plannable, schemaChecks } from './engine-options.js';
import { EngineThreads } from './engine-threads.js';
import { calledBy } from './sources/called-builtins.js';
import { LibraryBundles } from './sources/library-bundles.js';
import { readSources, type Source } from './sources/sources.js';

export interface Opened {
  readonly engine: Engine;
  readonly bundles: LibraryBundles;
  readonly options: EngineOptions;
  readonly threads: EngineThreads;
  /** With connections that are closed with the engine. */
  readonly ownHost: Host | undefined;
}

/** Reads the sources into a new engine. Rejects as `Engine.open`. */
export async function openParts(sources: Source | readonly Source[], options: EngineOptions): Promise<Opened> {
  checkOptions(options);
  const { platform = { host: {} }, regoVersion = 'v1', capabilities } = options;
  const { bundles: given, policies, data } = await readSources(sources, platform);
  const usesAll = policies !== undefined || options.builtins !== undefined || capabilities !== undefined;
  await platform.loadBuiltins?.(usesAll ? undefined : calledBy(given));
  const builtins = allBuiltins(options);
  checkPlans(given, options);
  const ownHost = platform.openHost?.();
  const runtime = { env: { ...options.env }, ...options.runtime };
  const engine = new Engine({
    context: createContext({ host: ownHost ?? platform.host }, { runtime, allowNet: allowedHosts(options), codegen: options.codegen }),
    builtins,
    language: regoVersion,
    compile: { ...(capabilities && { capabilities }), ...schemaChecks(options) },
    data,
    transferred: options.ownsData === true,
    loadsLibraries: true,
  });
  const bundles = new LibraryBundles(
    given,
    plannable(builtins, options),
    { language: regoVersion, capabilities },
    { endsSoon: platform.endsSoon === true, onWarning: options.onWarning ?? platform.onWarning },
  );
  const threads = new EngineThreads(platform, options.builtins ?? []);
  const compiles = policies !== undefined || bundles.mustCompile;
  await engine.commit(() => (compiles ? bundles.compiled(policies ?? new Map()) : bundles.planned()));
  return { engine, bundles, options, threads, ownHost };
}
