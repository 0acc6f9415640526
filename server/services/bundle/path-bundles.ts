/** Bundles that the command line names. A server starts with all of them or not at all. */

import { type Engine, SerialQueue, watchSources } from '../../../engine/index.js';
import { type DiskOptions, FileSource } from '../../../engine/node.js';
import { nodeHost } from '../../../values/node.js';
import type { PluginLogger } from '../plugin.js';
import { activateTogether, warnOfWasm } from './activation.js';
import { type FetchedVersion, TrackedSource } from './tracked-source.js';

export class PathBundles {
  readonly #bundles: ReadonlyMap<string, TrackedSource>;
  readonly #engine: Engine;
  readonly #logger: PluginLogger;
  readonly #activeDigests = new Map<string, string>();
  readonly #loads = new SerialQueue();
  #endWatch: (() => void) | undefined;

  /** @param paths as the command line has them; they name the bundles */
  constructor(paths: readonly string[], engine: Engine, logger: PluginLogger, options: DiskOptions = {}) {
    const sourceOf = (path: string) =>
      new TrackedSource(new FileSource(path, { crypto: nodeHost.crypto, inSlices: true, ...options }));
    this.#bundles = new Map(paths.map((path) => [path, sourceOf(path)]));
    this.#engine = engine;
    this.#logger = logger;
  }

  /**
   * Activates all bundles that have changed, together. Rejects with a BundleError or CompileErrors.
   */
  load(): Promise<void> {
    return this.#loads.run(() => this.#load());
  }

  /** Loads whenever files change. A failure leaves everything as it is and is logged. */
  watch(): void {
    const reload = () =>
      void this.load().catch((error: Error) => this.#logger.error(`Bundle activation failed: ${error.message}`));
    this.#endWatch ??= watchSources(
      [...this.#bundles.values()].map(({ source }) => source),
      reload,
    );
    // This finds changes that were made since the first load.
    reload();
  }

  /** Ends watching. */
  stop(): void {
    this.#endWatch?.();
    this.#endWatch = undefined;
  }

  async #load(): Promise<void> {
    try {
      const changed = await this.#changed();
      if (changed.size === 0) return;
      await activateTogether(new Map([...changed].map(([name, { bundle }]) => [name, bundle])), this.#engine);
      for (const [name, { bundle, digest }] of changed) {
        this.#activeDigests.set(name, digest);
        warnOfWasm(name, bundle, this.#logger);
      }
    } catch (error) {
      // The same bundles may be activated once others have changed.
      for (const tracked of this.#bundles.values()) tracked.forget();
      throw error;
    }
  }

  async #changed(): Promise<ReadonlyMap<string, FetchedVersion>> {
    const changed = new Map<string, FetchedVersion>();
    for (const [name, tracked] of this.#bundles) {
      const fetched = await tracked.fetch();
      if (fetched !== 'unchanged' && fetched.digest !== this.#activeDigests.get(name)) changed.set(name, fetched);
    }
    return changed;
  }
}
