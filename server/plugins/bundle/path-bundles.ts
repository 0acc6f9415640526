/** Bundles named on the command line. They have no plugin: a server starts with them or not at all. */

import type { PolicyEngine } from '../../../engine/policy-engine.js';
import type { Bundle } from '../../../runtime/bundle/bundle.js';
import type { Logger } from '../plugin.js';
import { FileWatch } from '../watch.js';
import { FileSource, type SourceOptions, warnOfWasm } from './source.js';

export class PathBundles {
  readonly #sources: ReadonlyMap<string, FileSource>;
  readonly #engine: PolicyEngine;
  readonly #logger: Logger;
  readonly #digests = new Map<string, string>();
  #queue: Promise<void> = Promise.resolve();
  #watch: FileWatch | undefined;

  /** @param paths as they were given, which is what the bundles are called */
  constructor(paths: readonly string[], engine: PolicyEngine, logger: Logger, options: SourceOptions = {}) {
    this.#sources = new Map(paths.map((path) => [path, new FileSource(path, options)]));
    this.#engine = engine;
    this.#logger = logger;
  }

  /** Activates all, together. Rejects with what is wrong with one: BundleError, CompileErrors. */
  async load(): Promise<void> {
    const done = this.#queue.then(() => this.#load());
    this.#queue = done.catch(() => undefined);
    await done;
  }

  /** Activates again what has changed; where that fails, everything stays as it is and the reason is logged. */
  async reload(): Promise<void> {
    try {
      await this.load();
    } catch (error) {
      // The same files may do with others that change.
      for (const source of this.#sources.values()) source.forget();
      this.#logger.error(`Bundle activation failed: ${(error as Error).message}`);
    }
  }

  /** Reloads whenever files change from what `load` has seen. */
  watch(): void {
    this.#watch ??= new FileWatch(
      [...this.#sources.values()].map(({ path }) => path),
      () => void this.reload(),
    );
    // What changed since they were loaded.
    void this.reload();
  }

  /** Ends watching. */
  stop(): void {
    this.#watch?.close();
    this.#watch = undefined;
  }

  async #load(): Promise<void> {
    const bundles = new Map<string, Bundle>();
    const digests = new Map<string, string>();
    for (const [name, source] of this.#sources) {
      const loaded = await source.read();
      if (loaded === undefined || loaded.digest === this.#digests.get(name)) continue;
      bundles.set(name, loaded.bundle);
      digests.set(name, loaded.digest);
    }
    if (bundles.size === 0) return;
    await this.#engine.commit({ bundles, bundlesTransferred: true }, { ignoreRoots: true });
    for (const [name, digest] of digests) this.#digests.set(name, digest);
    for (const [name, bundle] of bundles) warnOfWasm(name, bundle, this.#logger);
  }
}
