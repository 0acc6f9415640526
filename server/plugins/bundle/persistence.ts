/** Bundles with `persist`: their files, and the programs of all policies, on disk for the next start. */

import type { PluginContext } from '../plugin.js';
import type { BundleConfig } from './config.js';
import type { PersistenceDirectory } from './persistence-directory.js';
import { bundleOfFiles, type LoadedBundle } from './source.js';

/** Programs are made when they are first asked for: so long after an activation most of them are. */
const keepProgramsAfterMs = 10_000;

export class BundlePersistence {
  readonly #directory: PersistenceDirectory;
  readonly #context: PluginContext;
  #timer: NodeJS.Timeout | undefined;

  constructor(directory: PersistenceDirectory, context: PluginContext) {
    this.#directory = directory;
    this.#context = context;
  }

  /** What was kept of a bundle, checked as it was when it was read; undefined where nothing was. Rejects where it is damaged. */
  async load(name: string, config: BundleConfig): Promise<LoadedBundle | undefined> {
    const found = await this.#directory.loadBundle(name);
    if (found === undefined) return undefined;
    const bundle = await bundleOfFiles(found.files, found.baseDir, config);
    return { bundle, digest: found.digest, baseDir: found.baseDir, size: undefined };
  }

  /** Gives the engine the programs that were kept, which it takes where they are those of what is activated next. */
  async offerPrograms(): Promise<void> {
    const { engine, logger } = this.#context;
    if (engine.keeper === undefined) return;
    try {
      const bytes = await this.#directory.loadPrograms();
      if (bytes !== undefined) await engine.keeper.offer(bytes);
    } catch (error) {
      // They can be compiled again.
      logger.warn(`Failed to load programs from disk: ${(error as Error).message}`);
    }
  }

  /** Rejects where the files cannot be written. */
  async save(name: string, { bundle: { files }, digest, baseDir }: LoadedBundle): Promise<void> {
    await this.#directory.saveBundle(name, { digest, baseDir, files });
  }

  async remove(name: string): Promise<void> {
    await this.#directory.removeBundle(name);
  }

  /** Calls back when it is time to save programs. */
  savesProgramsLater(callback: () => void): void {
    this.cancel();
    this.#timer = setTimeout(callback, keepProgramsAfterMs).unref();
  }

  cancel(): void {
    clearTimeout(this.#timer);
  }

  /** What cannot be saved is logged. */
  async savePrograms(): Promise<void> {
    this.cancel();
    const { engine, logger } = this.#context;
    try {
      const bytes = await engine.keeper?.pack();
      if (bytes !== undefined) await this.#directory.savePrograms(bytes);
    } catch (error) {
      logger.warn(`Persisting programs to disk failed: ${(error as Error).message}`);
    }
  }
}
