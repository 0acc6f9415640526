/** Saves bundles with `persist`, and the programs of all policies, for the next start. */

import { readFiles } from '../../../engine/index.js';
import type { PluginContext } from '../plugin.js';
import type { BundleConfig } from './bundle-config.js';
import { inBundleMemory } from './bundle-memory.js';
import { verifiedInSlices } from './http-source.js';
import type { PersistenceDirectory } from './persistence-directory.js';
import type { FetchedVersion } from './tracked-source.js';

/** Programs are compiled on first use. By this time after an activation, most have been. */
const saveProgramsAfterMs = 10_000;

export class BundlePersistence {
  readonly #directory: PersistenceDirectory;
  readonly #context: PluginContext;
  #timer: NodeJS.Timeout | undefined;

  constructor(directory: PersistenceDirectory, context: PluginContext) {
    this.#directory = directory;
    this.#context = context;
  }

  /**
   * The saved version of a bundle, verified again; undefined where none was saved. Rejects with a
   * PersistenceError or a BundleError where it is damaged.
   */
  async load(name: string, { sizeLimitBytes, verification }: BundleConfig): Promise<FetchedVersion | undefined> {
    const saved = await this.#directory.loadBundle(name);
    if (saved === undefined) return undefined;
    const { digest, etag, baseDir, savedAtMs } = saved;
    const files = [...saved.files].map(([file, bytes]) => ({ name: file, bytes }));
    const bundle = await inBundleMemory((take) =>
      readFiles(files, {
        ...(baseDir !== undefined && { baseDir }),
        limits: { size: sizeLimitBytes },
        inSlices: true,
        take,
        verify: (signed, signatures) => verifiedInSlices(signed, signatures, verification),
      }),
    );
    return {
      bundle: etag === undefined ? bundle : { ...bundle, etag },
      digest,
      etag,
      base: undefined,
      baseDir,
      size: undefined,
      savedAtMs,
    };
  }

  /** Offers the engine the saved programs. It takes those that fit the next commit. */
  async offerPrograms(): Promise<void> {
    const { engine, logger } = this.#context;
    if (engine.snapshots === undefined) return;
    try {
      const bytes = await this.#directory.loadPrograms();
      if (bytes !== undefined) await engine.snapshots.offer(bytes);
    } catch (error) {
      // They can be compiled again.
      logger.warn(`Failed to load programs from disk: ${(error as Error).message}`);
    }
  }

  /** Rejects where the files cannot be written. */
  async save(name: string, { bundle: { files }, digest, etag, baseDir }: FetchedVersion): Promise<void> {
    await this.#directory.saveBundle(name, { digest, etag, baseDir, files });
  }

  async remove(name: string): Promise<void> {
    await this.#directory.removeBundle(name);
  }

  /** Calls back when it is time to save programs. */
  scheduleSavingPrograms(callback: () => void): void {
    this.cancel();
    this.#timer = setTimeout(callback, saveProgramsAfterMs).unref();
  }

  cancel(): void {
    clearTimeout(this.#timer);
  }

  /** Saves the engine's programs. A failure is logged. */
  async savePrograms(): Promise<void> {
    this.cancel();
    const { engine, logger } = this.#context;
    try {
      const bytes = await engine.snapshots?.pack();
      if (bytes !== undefined) await this.#directory.savePrograms(bytes);
    } catch (error) {
      logger.warn(`Persisting programs to disk failed: ${(error as Error).message}`);
    }
  }
}
