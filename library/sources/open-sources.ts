/** Opens a library's engine over its sources. */

import { type Change, createContext, Engine, type NamedBundle, systemDocument } from '../../engine/index.js';
import { type Builtin, type Host, isObject, type PlainObject } from '../../values/index.js';
import {
  allBuiltins,
  allowedHosts,
  checkOptions,
  checkPlans,
  type EngineOptions,
  plannable,
  runtimeOf,
  schemaChecks,
} from '../engine-options.js';
import { EngineThreads } from '../engine-threads.js';
import { EngineError } from '../errors/engine-error.js';
import { OpenEngine } from '../open-engine.js';
import type { Attachment } from '../services/attachment.js';
import { LibraryBundles } from './library-bundles.js';
import { type ReadSources, readSources, type Source, sourcePaths } from './sources.js';
import { WatchedSources } from './watched-sources.js';

interface Opening {
  readonly attachment?: Attachment | undefined;
  /** Called when policies, bundles or plans change, before decisions see it. */
  readonly onPolicies: () => void;
}

/** Reads the sources into a new engine. Rejects as `Engine.open`. */
export async function openSources(
  sources: Source | readonly Source[],
  options: EngineOptions,
  { attachment, onPolicies }: Opening,
): Promise<OpenEngine> {
  checkOptions(options);
  const { platform = { host: {} }, verification, ignore } = options;
  const read = () => readSources(sources, platform, { verification, ...(ignore && { ignore }) });
  const first = await read();
  const { bundles: given, policies, data } = first;
  const usesAll =
    policies !== undefined ||
    options.builtins !== undefined ||
    options.capabilities !== undefined ||
    options.watch === true;
  await platform.loadBuiltins?.(usesAll ? undefined : calledBy(given));
  const builtins = allBuiltins(options);
  const ownHost = platform.openHost?.();
  const isAttached = attachment !== undefined;
  const engine = newEngine(options, builtins, ownHost ?? platform.host, {
    data: isAttached ? withSystem(data) : data,
    hidesSystem: isAttached,
    onPolicies,
  });
  const opened = new OpenEngine({
    engine,
    bundles: bundlesOf(first, builtins, options, attachment !== undefined),
    options,
    threads: new EngineThreads(platform, options.builtins ?? []),
    ownHost,
    attachment,
  });
  const changeOf = (bundles: LibraryBundles, texts: ReadSources['policies']) => {
    const compiles = texts !== undefined || bundles.mustCompile || (attachment !== undefined && !bundles.isEmpty);
    return compiles ? bundles.compiled(texts ?? new Map()) : bundles.planned();
  };
  let change: Change = {};
  await engine.commit(async () => (change = await changeOf(opened.bundles, policies)));
  if (options.watch === true && (attachment === undefined || sourcePaths(sources).length > 0)) {
    const load = async () => {
      const next = await read();
      const bundles = bundlesOf(next, builtins, options, attachment !== undefined);
      const change = await changeOf(bundles, next.policies);
      return { change, data: next.data, keep: () => void (opened.bundles = bundles) };
    };
    opened.watched = new WatchedSources(
      sourcePaths(sources),
      platform,
      { engine, load, onReload: options.onReload },
      { change, data, keep: () => {} },
    );
  }
  attachment?.attach(engine);
  return opened;
}

/** The data with the documents that policies see in a server, too. */
function withSystem(data: PlainObject): PlainObject {
  const { system = {} } = data;
  return isObject(system) ? { ...data, system: { ...systemDocument(), ...(system as PlainObject) } } : data;
}

function newEngine(
  options: EngineOptions,
  builtins: ReadonlyMap<string, Builtin>,
  host: Host,
  {
    data,
    hidesSystem,
    onPolicies,
  }: { readonly data: PlainObject; readonly hidesSystem: boolean; readonly onPolicies: () => void },
): Engine {
  const { regoVersion = 'v1', capabilities } = options;
  return new Engine({
    context: createContext(
      { host },
      { runtime: runtimeOf(options), allowNet: allowedHosts(options), codegen: options.codegen },
    ),
    builtins,
    language: regoVersion,
    compile: { ...(capabilities && { capabilities }), ...schemaChecks(options) },
    data,
    hidesSystem,
    transferred: options.ownsData === true,
    loadsLibraries: true,
    replicate: ({ policies, parsed, bundles, plans }) => {
      if ((policies ?? parsed ?? bundles ?? plans) !== undefined) onPolicies();
      return async () => {};
    },
  });
}

/** Throws an EngineError for plans that may not be used. */
function bundlesOf(
  { bundles }: ReadSources,
  builtins: ReadonlyMap<string, Builtin>,
  options: EngineOptions,
  isAttached: boolean,
): LibraryBundles {
  const { platform, regoVersion = 'v1', capabilities, onWarning } = options;
  checkPlans(bundles, options);
  if (isAttached) checkCompiled(bundles);
  return new LibraryBundles(
    bundles,
    plannable(builtins, options),
    { language: regoVersion, capabilities },
    { endsSoon: platform?.endsSoon === true, onWarning: onWarning ?? platform?.onWarning },
  );
}

/** Bundles that are activated later replace all plans: those of sources would be lost. */
function checkCompiled(sources: readonly NamedBundle[]): void {
  for (const { name, bundle } of sources) {
    if (bundle.plans.length === 0 || bundle.modules.length > 0) continue;
    const what = name === '' ? 'a plan' : `the plan of ${name}`;
    throw new EngineError('invalid_source', `${what} beside a configuration: name it as a bundle of the configuration`);
  }
}

/**
 * The names of functions that plans call, and those that they declare; undefined, all, where a
 * bundle has policies without a plan. Plans need not be well formed.
 */
function calledBy(bundles: readonly NamedBundle[]): ReadonlySet<string> | undefined {
  if (bundles.some(({ bundle }) => bundle.modules.length > 0 && bundle.plans.length === 0)) return undefined;
  const names = new Set<string>();
  const waiting: unknown[] = bundles.flatMap(({ bundle }) => bundle.plans.map(({ policy }) => policy));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    const { func, name } = next as { readonly func?: unknown; readonly name?: unknown };
    if (typeof func === 'string') names.add(func);
    if (typeof name === 'string') names.add(name);
    for (const part of Object.values(next)) if (typeof part === 'object' && part !== null) waiting.push(part);
  }
  return names;
}
