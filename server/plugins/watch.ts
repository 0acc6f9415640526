/** Noticing that files change. */
import { createHash } from 'node:crypto';
import { type FSWatcher, watch } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';

/** Changes closer to each other than this are one: editors and archivers write in steps. */
const settleMs = 100;
/** How often to look where the system does not tell. */
const lookMs = 1000;

/**
 * A text that differs when files at or below a path do: their names, sizes and times. A path that is not there has one too, and what
 * cannot be read counts as not there.
 */
export async function fileSignature(path: string): Promise<string> {
  const hash = createHash('sha256');
  const visit = async (place: string): Promise<void> => {
    try {
      const { size, mtimeMs, ctimeMs, ino, ...stats } = await stat(place);
      if (!stats.isDirectory()) hash.update(JSON.stringify([place, size, mtimeMs, ctimeMs, ino]));
      else for (const name of (await readdir(place)).sort()) await visit(`${place}/${name}`);
    } catch {
      hash.update(JSON.stringify([place]));
    }
  };
  await visit(path);
  return hash.digest('base64');
}

/** Watches files and directories with all that is below them. */
export class FileWatch {
  readonly #watchers: FSWatcher[] = [];
  readonly #paths: readonly string[];
  readonly #onChange: () => void;
  #signature: Promise<string>;
  #settling: NodeJS.Timeout | undefined;
  #looking: NodeJS.Timeout | undefined;
  #closed = false;

  /** @param onChange is called some time after a change, once for several that come together */
  constructor(paths: readonly string[], onChange: () => void) {
    this.#paths = paths;
    this.#onChange = onChange;
    this.#signature = this.#sign();
    for (const path of paths) this.#watch(path);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#settling);
    clearInterval(this.#looking);
    for (const watcher of this.#watchers) watcher.close();
  }

  /** The path itself if it is a directory, and what contains it: a file that is replaced by another of its name shows there alone. */
  #watch(path: string): void {
    const name = basename(path);
    try {
      this.#add(watch(dirname(path), (_event, changed) => (changed === null || changed === name) && this.#noticed()));
      this.#add(watch(path, { recursive: true }, () => this.#noticed()));
    } catch {
      this.#looking ??= setInterval(() => this.#noticed(), lookMs).unref();
    }
  }

  #add(watcher: FSWatcher): void {
    watcher.unref();
    watcher.on('error', () => {
      // A directory that went away, or no more watches to be had.
      if (!this.#closed) this.#looking ??= setInterval(() => this.#noticed(), lookMs).unref();
    });
    this.#watchers.push(watcher);
  }

  #noticed(): void {
    if (this.#closed) return;
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => void this.#compare(), settleMs).unref();
  }

  /** Reading files wakes watchers as well: only what has changed counts. */
  async #compare(): Promise<void> {
    const before = await this.#signature;
    this.#signature = this.#sign();
    if ((await this.#signature) !== before && !this.#closed) this.#onChange();
  }

  async #sign(): Promise<string> {
    return (await Promise.all(this.#paths.map(fileSignature))).join();
  }
}
