/** Sources → bundle: modules in the canonical format, data, a manifest, and on request the plan. */

import type { CompileCapabilities, Compiled, CompileOptions } from '../../compiler/index.js';
import {
  annotatedEntrypoints,
  checkEntrypoints,
  compileOrThrow,
  countStatements,
  type DebugInfoOptions,
  debugInfo,
  dependents,
  distinctEntrypoints,
  type Entrypoint,
  formatModule,
  type OnPass,
  type OptimizationLevel,
  optimize as optimizePlan,
  parseEntrypoint,
  plan,
  requestsFor,
  withAuthorsPlaces,
} from '../../compiler/index.js';
import type { Bundle, Manifest, ModuleFile, PlanFile, SigningConfig, VerificationConfig } from '../../engine/index.js';
import { bundleFiles, cleanPath, debugInfoBytes, emptyBundle, emptyManifest, signFiles } from '../../engine/index.js';
import type { Policy } from '../../ir-schema/index.js';
import { nodeHost } from '../../values/node.js';
import { type LanguageVersion, loadBundles, loadPolicies, modulesByFile, type ParsedFile } from '../load-policies.js';
import type { Progress } from '../output/progress.js';
import type { OptimizeOptions } from './optimize-policies.js';

export interface BuildRequest {
  readonly paths: readonly string[];
  readonly asBundle?: boolean;
  readonly target: 'rego' | 'plan' | 'js';
  readonly entrypoints: readonly string[];
  readonly version: LanguageVersion;
  readonly capabilities?: CompileCapabilities | undefined;
  /** For the types of a module: schemas by name. */
  readonly schemas?: CompileOptions['schemas'];
  readonly ignore?: readonly string[];
  readonly followSymlinks?: boolean;
  readonly optimization: OptimizationLevel;
  /** How many times as many statements -O may make of a plan, 2 if not given; 0: any number. */
  readonly maxGrowth?: number | undefined;
  /** The package of rules that optimizing adds. Default: `partial`. */
  readonly partialNamespace?: string | undefined;
  readonly pruneUnused?: boolean;
  readonly unplannedRules?: boolean;
  /** Numbers no local twice in the whole plan. */
  readonly uniqueLocals?: boolean;
  /** Writes debug information beside the plan, with the places or also the texts of the sources. */
  readonly debugInfo?: 'places' | 'sources';
  readonly revision?: string | undefined;
  readonly verification?: VerificationConfig | undefined;
  readonly signing?: SigningConfig | undefined;
  readonly debug?: ((line: string) => void) | undefined;
  /** Called after each step of optimizing. */
  readonly onPass?: OnPass | undefined;
  readonly progress?: Progress | undefined;
}

interface Sources {
  readonly parsed: readonly ParsedFile[];
  readonly bundle: Bundle;
}

export interface Built {
  readonly bundle: Bundle;
  readonly entrypoints: readonly Entrypoint[];
  /** The policies before they were optimized. */
  readonly compiled: Compiled;
}

/** Rejects with an error that names the source that cannot be loaded, compiled or signed. */
export async function buildBundle(request: BuildRequest): Promise<Built> {
  const named = request.entrypoints.map(parseEntrypoint);
  const { parsed, bundle } = await loadSources(request).catch((error: unknown) => {
    throw new Error(`load error: ${(error as Error).message}`, { cause: error });
  });
  const shipped = parsed.filter((file) => !isTestFile(file)).map(({ module }) => module);
  const entrypoints = distinctEntrypoints([...named, ...annotatedEntrypoints(shipped)]);
  if (request.target !== 'rego' && entrypoints.length === 0)
    throw new Error(`${request.target} compilation requires at least one entrypoint`);
  if (request.optimization > 0 && entrypoints.length === 0)
    throw new Error('bundle optimizations require at least one entrypoint');
  const { progress } = request;
  progress?.stage('checking policies');
  const compiled = compile(parsed, request);
  if (request.target !== 'rego') progress?.stage('planning');
  const sources = { parsed, bundle, entrypoints };
  const unoptimized = planned(compiled, parsed, entrypoints, request);
  const optimized = request.optimization > 0 ? await optimize(sources, unoptimized, request) : undefined;
  const policy = optimized?.policy ?? unoptimized;
  const plans = policy && [
    planFile(passed(policy, request), optimized?.compiled ?? compiled, optimized?.origins, request),
  ];
  const rest = optimized?.rest ?? parsed;
  progress?.stage('formatting policies', rest.length);
  const modules = rest
    .map((file) => {
      progress?.advance();
      return formatted(file, request.capabilities);
    })
    .concat((optimized?.residuals ?? []).map(({ file }) => file));
  checkPlaces(modules);
  const manifest = { ...bundle.manifest, ...(request.revision !== undefined && { revision: request.revision }) };
  const built: Bundle = {
    ...bundle,
    manifest,
    modules,
    plans: plans ?? bundle.plans,
    signatures: undefined,
  };
  if (request.signing === undefined) return { bundle: built, entrypoints, compiled };
  const signatures = await signFiles(bundleFiles(built), request.signing, nodeHost.crypto);
  return { bundle: { ...built, signatures: { ...signatures, plugin: '_default' } }, entrypoints, compiled };
}

function planFile(
  policy: Policy,
  compiled: Compiled,
  origins: DebugInfoOptions['origins'],
  request: BuildRequest,
): PlanFile {
  const named = { path: '/plan.json', url: '/plan.json', bundlePath: '/plan.json' };
  if (!isDescribed(request)) return { ...named, policy };
  const info = debugInfo(policy, compiled, {
    ...(request.debugInfo !== undefined && { sha256: (text: string) => sha256(new TextEncoder().encode(text)) }),
    texts: request.debugInfo === 'sources',
    ...(origins && { origins }),
  });
  const file = { ...named, policy: request.optimization === 0 ? policy : withAuthorsPlaces(policy, info) };
  return request.debugInfo === undefined ? file : { ...file, debugInfo: debugInfoBytes(info, file, sha256) };
}

/**
 * Whether statements have notes on their source: for debug information, and for places of authors.
 */
function isDescribed({ target, optimization, debugInfo: wanted }: BuildRequest): boolean {
  return target !== 'rego' && (optimization > 0 || wanted !== undefined);
}

function sha256(bytes: Uint8Array): string {
  return nodeHost.crypto.hashHex('sha256', bytes);
}

/** Policies to optimize. */
interface OptimizedSources extends Sources {
  readonly entrypoints: readonly Entrypoint[];
}

/** Evaluates the entrypoints partially, and plans the residuals. */
async function optimize(
  { parsed, bundle, entrypoints }: OptimizedSources,
  unoptimized: Policy | undefined,
  request: BuildRequest,
) {
  request.progress?.stage('optimizing');
  const [{ openCommandEngine }, { optimizePolicies }] = await Promise.all([
    import('../eval/command-engine.js'),
    import('./optimize-policies.js'),
  ]);
  const { capabilities, optimization, partialNamespace = 'partial' } = request;
  const { data, manifest } = bundle;
  const engine = await openCommandEngine(
    parsed,
    data,
    { print: false, ...(capabilities && { capabilities }) },
    { env: {} },
  );
  const optimized = await optimizePolicies(engine, parsed, entrypoints, {
    data,
    roots: manifest.roots,
    isShallow: optimization === 1,
    namespace: partialNamespace,
    version: manifest.regoVersion === 0 ? 'v0' : 'v1',
    capabilities,
    compile: (sources) => compile(sources, request),
    ...growthLimits(unoptimized, entrypoints, request),
    debug: request.debug,
    isDescribed: isDescribed(request),
    isTest: isTestFile,
  });
  const policy = optimized && planned(optimized.compiled, optimized.sources, entrypoints, request, optimized.origins);
  if (unoptimized && policy) request.onPass?.(partialEvaluation, unoptimized, policy);
  return optimized && { ...optimized, policy };
}

/** The limits of residuals, by the statements of the plan that is not optimized. */
function growthLimits(
  unoptimized: Policy | undefined,
  entrypoints: readonly Entrypoint[],
  { maxGrowth = 2, ...request }: BuildRequest,
): Pick<OptimizeOptions, 'fits' | 'mostExpressions'> {
  if (unoptimized === undefined || maxGrowth === 0)
    return { fits: () => true, mostExpressions: Number.POSITIVE_INFINITY };
  const largest = countStatements(unoptimized) * maxGrowth;
  const silent = { ...request, debug: undefined, onPass: undefined };
  return {
    fits: (compiled, sources) => {
      const policy = planned(compiled, sources, entrypoints, silent);
      return policy === undefined || countStatements(passed(policy, silent)) <= largest;
    },
    // An expression is a statement or more, of which passes over the plan may join some.
    mostExpressions: 10 * largest,
  };
}

async function loadSources(request: BuildRequest): Promise<Sources> {
  const { paths, version, capabilities, ignore = [], followSymlinks = false, verification, progress } = request;
  const load = { version, capabilities, ignore, progress };
  if (!request.asBundle) {
    // As in the reference: the output of an earlier build in the directory is not a source.
    const { parsed, data } = await loadPolicies(paths, { ...load, noArchives: true });
    const manifest: Manifest = { ...emptyManifest, regoVersion: version === 'v1' ? 1 : 0 };
    return { parsed, bundle: { ...emptyBundle, manifest, data } };
  }
  const disk = { followSymlinks, crypto: nodeHost.crypto, ...(verification && { verification }) };
  const { parsed, bundle } = await loadBundles(paths, load, disk);
  return { parsed, bundle: { ...bundle, manifest: versioned(bundle.manifest, parsed, version) } };
}

/** The manifest with its own language version, and the files with a different version. */
function versioned(manifest: Manifest, parsed: readonly ParsedFile[], version: LanguageVersion): Manifest {
  const { fileRegoVersions: _, ...rest } = manifest;
  const own = manifest.regoVersion ?? (version === 'v1' ? 1 : 0);
  const others = parsed.flatMap(({ file, module }): [string, number][] => {
    const is = module.regoVersion === 'v1' ? 1 : 0;
    return is === own ? [] : [[archivePath(file).replace(/[*?[\]{}\\]/g, '\\$&'), is]];
  });
  return { ...rest, regoVersion: own, ...(others.length > 0 && { fileRegoVersions: new Map(others) }) };
}

/** Compiles even without a requested plan: a bundle of invalid policies is not built. */
function compile(parsed: readonly ParsedFile[], { target, capabilities, schemas }: BuildRequest): Compiled {
  const types = target === 'js' && { schemaAnnotations: true, ...(schemas && { schemas }) };
  const options = { print: target !== 'rego', ...types, ...(capabilities && { capabilities }) };
  return compileOrThrow({ modules: modulesByFile(parsed), options });
}

/** The plan, if one is requested. */
function planned(
  compiled: Compiled,
  parsed: readonly ParsedFile[],
  named: readonly Entrypoint[],
  request: BuildRequest,
  origins?: DebugInfoOptions['origins'],
): Policy | undefined {
  if (request.target === 'rego') return undefined;
  const tests = new Set(parsed.filter(isTestFile).map(({ name }) => name));
  const entrypoints = request.pruneUnused
    ? named
    : distinctEntrypoints([...named, ...dependents(compiled, named, tests)]);
  checkEntrypoints(compiled, entrypoints);
  const { unplannedRules = false, uniqueLocals = false } = request;
  return plan(compiled, requestsFor(entrypoints), {
    unplannedRules,
    uniqueLocals,
    notes: isDescribed(request),
    origins,
  });
}

/** The first step of optimizing, on policies. */
const partialEvaluation = {
  name: 'partial evaluation',
  does: 'evaluates what depends neither on the input nor on data that may change',
};

function passed(policy: Policy, { optimization, onPass, debug }: BuildRequest): Policy {
  const result = optimizePlan(policy, optimization, onPass);
  const { plans, funcs } = result;
  debug?.(
    `planned ${plans?.plans?.length ?? 0} entrypoints: ${countStatements(result)} statements in ${funcs?.funcs?.length ?? 0} functions`,
  );
  return result;
}

/** Tests are entrypoints of a plan only if they are named. */
function isTestFile({ file }: ParsedFile): boolean {
  return file.path.endsWith('_test.rego');
}

/**
 * A module's path in the archive, from its origin as in the reference. No path leads out of the
 * archive.
 */
function archivePath({ url }: ModuleFile): string {
  return cleanPath(`/${url}`);
}

/** Throws an Error if two modules would get the same path. */
function checkPlaces(modules: readonly ModuleFile[]): void {
  const places = new Set<string>();
  for (const { bundlePath, url } of modules) {
    if (places.has(bundlePath)) throw new Error(`duplicate module URL: ${url}`);
    places.add(bundlePath);
  }
}

function formatted({ file, module }: ParsedFile, capabilities: CompileCapabilities | undefined): ModuleFile {
  const text = formatModule(module, {}, capabilities && { capabilities });
  return { ...file, bundlePath: archivePath(file), text, bytes: new TextEncoder().encode(text) };
}
