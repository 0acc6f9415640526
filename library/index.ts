/** The library on Node: `import { Engine } from 'writ'`. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Bundle, Platform } from '../engine/index.js';
import type { DiskOptions } from '../engine/node.js';
import { FileWatch, filePath, readBundleBytes, readBundle as readFromDisk, readPolicyFile } from '../engine/node.js';
import type { OptionTypes } from '../runtime/index.js';
import { nodeHost, nodeNetwork } from '../values/node.js';
import type { ChangeReport } from '../views/index.js';
import type { DiffOptions, DiffVersion } from './change/diff.js';
import type { EngineOptions } from './engine-options.js';
import { EngineError } from './errors/engine-error.js';
import { LibraryEngine } from './library-engine.js';
import type { EngineServices } from './services/engine-services.js';
import type { ConfiguredOptions, EngineStatus } from './services/service-options.js';
import { checkBundleOptions, webBundleOptions } from './sources/bundle-options.js';
import { isBytes } from './sources/given-bytes.js';
import type { Source } from './sources/sources.js';

export type { DiskOptions } from '../engine/node.js';
export type { ChangeReport } from '../views/index.js';
export type { DiffOptions, DiffVersion } from './change/diff.js';
export * from './door.js';
export { type FormatDiagnosticsOptions, formatDiagnostics } from './errors/format-diagnostics.js';
export type {
  BundleState,
  ConfiguredOptions,
  EngineLogger,
  EngineStatus,
  LogFields,
  PluginState,
  ServiceOptions,
} from './services/service-options.js';

/** For an address: headers of the request, and a signal that ends it. */
export interface BundleOptions extends DiskOptions {
  /** Such as `{ Authorization: 'Bearer …' }`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

const bundleOptions: OptionTypes<BundleOptions> = {
  ...webBundleOptions,
  ignore: 'object',
  followSymlinks: 'boolean',
  crypto: 'object',
  inSlices: 'boolean',
  inMemory: 'function',
};

/**
 * Reads a bundle from a directory, a `.tar.gz` or a plan file, from an `https://` address, or from
 * bytes. With `verification`, a bundle that is not signed by one of the keys is refused. Rejects
 * with a BundleError, or with an EngineError for an unknown option.
 * @example
 * const verification = { keys: { main: { key: pem } } };
 * const engine = await Engine.open([await readBundle('bundle.tar.gz', { verification })]);
 */
export async function readBundle(source: string | URL | Uint8Array, options: BundleOptions = {}): Promise<Bundle> {
  checkBundleOptions(options, bundleOptions);
  const { headers, signal, ...reading } = { crypto: nodeHost.crypto, ...options };
  if (isBytes(source)) return await readBundleBytes('bundle', source, reading);
  const location = String(source);
  if (!webAddress.test(location)) return await readFromDisk(location, reading);
  const { fetchedBytes } = await import('./sources/web-bundles.js');
  const { limits } = reading;
  const bytes = await fetchedBytes(location, {
    ...(limits && { limits }),
    ...(headers && { headers }),
    ...(signal && { signal }),
  });
  return await readBundleBytes(location, bytes, reading);
}

/**
 * Compares two versions of policies: by the decisions of a log, which both make again, or by inputs
 * that are made of what both read.
 * @example
 * const { outcome } = await diff('old.tar.gz', 'policies', { entrypoints: ['authz/allow'] });
 * @example
 * const { replay } = await diff(engine, 'policies', { events });
 * @throws EngineError, BundleError and CompileErrors for a version that cannot be opened
 */
export async function diff(old: DiffVersion, next: DiffVersion, options: DiffOptions = {}): Promise<ChangeReport> {
  const { diffVersions } = await import('./change/diff.js');
  return await diffVersions(old, next, options, (sources, given) => Engine.open(sources, given));
}

const webAddress = /^https?:\/\//;

const node: Platform = {
  host: nodeHost,
  openHost: () => ({ ...nodeHost, network: nodeNetwork() }),
  readBundle,
  readBytes: readBundle,
  watchFiles(sources, onChange) {
    const watch = new FileWatch(sources.map(filePath), onChange);
    return () => watch.close();
  },
  readPolicy: async (source) => {
    if (!webAddress.test(source)) return await readPolicyFile(source);
    return await (await import('./sources/web-bundles.js')).readWebPolicy(source);
  },
  onWarning: (warning) => process.emitWarning(warning, 'WritWarning'),
  isDevelopment: () => process.env.NODE_ENV !== 'production',
  threads: async () => {
    const script = join(import.meta.dirname, 'evaluation-thread.js');
    if (!existsSync(script)) throw new EngineError('no_threads', unbundled);
    const [{ ThreadPool }, { nodeThreads }] = await Promise.all([
      import('../engine/threads/pool.js'),
      import('../engine/threads/node-threads.js'),
    ]);
    return new ThreadPool(nodeThreads(script));
  },
};

/** A bundler copies the library into another file, but not the script of its threads. */
const unbundled =
  'the script of threads is not beside the library, which a bundler has copied: leave the package out of the bundle ' +
  '(`external` in esbuild, Rollup and Vite, `serverExternalPackages` in Next), or decide without a thread';

/** Policies and data, ready to decide, on Node. */
export class Engine<Input = unknown> extends LibraryEngine<Input> {
  #services: EngineServices | undefined;

  /**
   * An engine with a service configuration, as a server has it but for its HTTP routes: bundles are
   * fetched, activated, and replaced when they change, decisions are logged, the status is sent.
   * Resolves once all bundles are active. `close` sends what is left of the logs.
   * @example
   * const engine = await Engine.open({ config: 'opa.yaml' });
   * const { result, decisionId } = engine.decide('authz/allow', { user: 'alice' });
   * @throws EngineError (`invalid_config`, `not_ready`, `invalid_option`, …)
   */
  static override open<Input = unknown>(options: ConfiguredOptions<Input>): Promise<Engine<Input>>;
  /** See `LibraryEngine.open`. */
  static override open<Input = unknown>(
    sources: Source | readonly Source[],
    options?: EngineOptions<Input>,
  ): Promise<Engine<Input>>;
  static override async open<Input = unknown>(
    first: Source | readonly Source[] | ConfiguredOptions<Input>,
    options: EngineOptions<Input> = {},
  ): Promise<Engine<Input>> {
    if (!isConfigured(first)) {
      // biome-ignore lint/complexity/noThisInStatic: it makes an instance of the class asked
      return (await super.open(
        first,
        options.platform === undefined ? { ...options, platform: node } : options,
      )) as Engine<Input>;
    }
    const { openConfigured } = await import('./services/open-configured.js');
    const open = async (...parts: Parameters<typeof LibraryEngine.open<Input>>) => {
      // biome-ignore lint/complexity/noThisInStatic: it makes an instance of the class asked
      return (await super.open(...parts)) as Engine<Input>;
    };
    const { engine, services } = await openConfigured(first, node, open);
    engine.#services = services;
    return engine;
  }

  /**
   * The states of bundles and plugins, with the fields of `GET /v1/status`.
   * @throws EngineError (`no_config`) for an engine without a configuration, as the methods below
   */
  status(): EngineStatus {
    return this.#configured.status();
  }

  /**
   * Calls a listener after each load of a bundle and each change of a plugin, until the returned
   * function is called.
   * @example engine.onStatus(({ bundles }) => console.log(bundles.authz.active_revision));
   */
  onStatus(listener: (status: EngineStatus) => void): () => void {
    return this.#configured.onStatus(listener);
  }

  /** Fetches all bundles now, and sends decision logs and status: for manual triggers. */
  trigger(): Promise<void> {
    return this.#configured.trigger();
  }

  /** The metrics of bundles, logs and process, as a server's `/metrics` has them. */
  metrics(): string {
    return this.#configured.metrics();
  }

  /** The path of the `default_decision`, for `decide`. */
  get defaultDecision(): string {
    return this.#configured.defaultDecision;
  }

  get #configured(): EngineServices {
    if (this.#services === undefined)
      throw new EngineError('no_config', 'the engine was opened without a configuration');
    return this.#services;
  }
}

/** No source has a member of this name. */
function isConfigured<Input>(
  first: Source | readonly Source[] | ConfiguredOptions<Input>,
): first is ConfiguredOptions<Input> {
  return typeof first === 'object' && first !== null && !Array.isArray(first) && Object.hasOwn(first, 'config');
}
