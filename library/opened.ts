/** Opens the parts of a library's engine. */
import type { Host } from '../builtins/host.js';
import type { NamedBundle } from '../bundle/merge.js';
import { createContext } from '../engine/context.js';
import { Engine } from '../engine/engine.js';
import { EngineError } from './engine-error.js';
import { allBuiltins, allowedHosts, checkOptions, checkPlans, type EngineOptions, plannable, schemaChecks } from './engine-options.js';
import { EngineThreads } from './engine-threads.js';
import type { Attachment } from './services/attachment.js';
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
  readonly attachment: Attachment | undefined;
}

interface Opening {
  readonly attachment?: Attachment | undefined;
  /** Called when policies, bundles or plans change, before decisions see it. */
  readonly onPolicies: () => void;
}

/** Reads the sources into a new engine. Rejects as `Engine.open`. */
export async function openParts(
  sources: Source | readonly Source[],
  options: EngineOptions,
  { attachment, onPolicies }: Opening,
): Promise<Opened> {
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
    replicate: ({ policies, parsed, bundles, plans }) => {
      if ((policies ?? parsed ?? bundles ?? plans) !== undefined) onPolicies();
      return async () => {};
    },
  });
  const bundles = new LibraryBundles(
    given,
    plannable(builtins, options),
    { language: regoVersion, capabilities },
    { endsSoon: platform.endsSoon === true, onWarning: options.onWarning ?? platform.onWarning },
  );
  const threads = new EngineThreads(platform, options.builtins ?? []);
  if (attachment !== undefined) checkCompiled(given);
  const compiles = policies !== undefined || bundles.mustCompile || (attachment !== undefined && given.length > 0);
  await engine.commit(() => (compiles ? bundles.compiled(policies ?? new Map()) : bundles.planned()));
  attachment?.attach(engine);
  return { engine, bundles, options, threads, ownHost, attachment };
}

/** Bundles that are activated later replace all plans: those of sources would be lost. */
function checkCompiled(sources: readonly NamedBundle[]): void {
  for (const { name, bundle } of sources) {
    if (bundle.plans.length === 0 || bundle.modules.length > 0) continue;
    const what = name === '' ? 'a plan' : `the plan of ${name}`;
    throw new EngineError('invalid_source', `${what} beside a configuration: name it as a bundle of the configuration`);
  }
}
