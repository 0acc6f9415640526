/** Sources of an engine that are read again when their files change. */

import { type Change, type Engine, type Platform, SerialQueue } from '../../engine/index.js';
import type { DataOperation } from '../../runtime/index.js';
import { equal, objectGet, type PlainObject } from '../../values/index.js';
import { EngineError } from '../errors/engine-error.js';

/** The content of sources, ready to be committed. */
export interface LoadedSources {
  readonly change: Change;
  readonly data: PlainObject;
  /** Called once they are committed. */
  readonly keep: () => void;
}

/** The parts of an engine whose sources are watched. */
interface Watching {
  readonly engine: Engine;
  readonly load: () => Promise<LoadedSources>;
  readonly onReload: ((error?: Error) => void) | undefined;
}

export class WatchedSources {
  readonly #watching: Watching;
  readonly #loads = new SerialQueue();
  #last: LoadedSources;
  #isClosed = false;
  readonly #end: () => void;

  /**
   * Throws an EngineError where nothing can be watched.
   * @param last what the engine has of the sources
   */
  constructor(paths: readonly string[], platform: Platform, watching: Watching, last: LoadedSources) {
    const { watchFiles } = platform;
    if (watchFiles === undefined) throw new EngineError('no_files', 'option watch: this platform reads no files');
    if (paths.length === 0) throw new EngineError('invalid_option', 'option watch: no source is a path');
    this.#watching = watching;
    this.#last = last;
    this.#end = watchFiles(paths, () => void this.#loads.run(() => this.#reload()));
  }

  async #reload(): Promise<void> {
    if (this.#isClosed) return;
    const { engine, load, onReload } = this.#watching;
    try {
      const next = await load();
      if (this.#isClosed) return;
      await engine.commit(() => changeBetween(this.#last, next, engine), { skipsRoots: true, ignoreRoots: true });
      this.#last = next;
      next.keep();
      onReload?.();
    } catch (error) {
      if (this.#isClosed) return;
      if (onReload === undefined) console.error(`writ: files were not read again: ${(error as Error).message}`);
      else onReload(error as Error);
    }
  }

  /** Resolves when nothing is read any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#end();
    await this.#loads.run(async () => {});
  }
}

/** Policies that are gone are removed, and documents that have changed are written. */
function changeBetween(before: LoadedSources, next: LoadedSources, engine: Engine): Change {
  const { parsed = new Map() } = next.change;
  const gone = [...(before.change.parsed?.keys() ?? [])].filter(
    (id) => !parsed.has(id) && engine.policy(id) !== undefined,
  );
  const removed = Object.keys(before.data).filter(
    (key) => !Object.hasOwn(next.data, key) && engine.readData([key]) !== undefined,
  );
  const changed = Object.entries(next.data).filter(([key, value]) => {
    const known = objectGet(before.data, key);
    return known === undefined || !equal(known, value);
  });
  const data: DataOperation[] = [
    ...removed.map((key): DataOperation => ({ op: 'remove', path: [key] })),
    ...changed.map(([key, value]): DataOperation => ({ op: 'write', path: [key], value })),
  ];
  return { ...next.change, policies: new Map(gone.map((id) => [id, undefined])), data };
}
