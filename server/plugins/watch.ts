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
      const stats = await stat(place);
      if (!stats.isDirectory()) hash.update(JSON.stringify([place, stats.size, stats.mtimeMs, stats.ctimeMs, stats.ino]));
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
  readonly #onChange: () => void;
  #settling: NodeJS.Timeout | undefined;
  #looking: NodeJS.Timeout | undefined;
  #closed = false;

  /** @param onChange is called some time after a change, once for several that come together, and now and then where nothing has changed */
  constructor(paths: readonly string[], onChange: () => void) {
    this.#onChange = onChange;
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
    this.#settling = setTimeout(() => this.#closed || this.#onChange(), settleMs).unref();
  }
}
