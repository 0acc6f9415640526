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
 * A text that differs when files at or below a path do: their names, sizes and times. Links below it count as what they point to, but are
 * not gone into. A path that is not there has a text too, and what cannot be read counts as not there.
 */
export async function fileSignature(path: string): Promise<string> {
  const hash = createHash('sha256');
  const note = async (place: string): Promise<void> => {
    try {
      const { size, mtimeMs, ctimeMs, ino } = await stat(place);
      hash.update(JSON.stringify([place, size, mtimeMs, ctimeMs, ino]));
    } catch {
      hash.update(JSON.stringify([place]));
    }
  };
  const visit = async (directory: string): Promise<void> => {
    const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const place = `${directory}/${entry.name}`;
      if (entry.isDirectory()) await visit(place);
      else await note(place);
    }
  };
  const isDirectory = await stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  await (isDirectory ? visit(path) : note(path));
  return hash.digest('base64');
}

/** Watches files and directories with all that is below them. */
export class FileWatch {
  /** Of what contains the paths. */
  readonly #outer: FSWatcher[] = [];
  /** Of the paths. */
  #inner: FSWatcher[] = [];
  readonly #paths: readonly string[];
  readonly #onChange: () => void;
  /** Of the last look, where the system does not tell. */
  #signature: string | undefined;
  #settling: NodeJS.Timeout | undefined;
  #looking: NodeJS.Timeout | undefined;
  #closed = false;

  /** @param onChange is called some time after a change, once for several that come together, and now and then where nothing has changed */
  constructor(paths: readonly string[], onChange: () => void) {
    this.#paths = paths;
    this.#onChange = onChange;
    for (const path of paths) {
      // A file that is replaced by another of its name shows in what contains it alone.
      const name = basename(path);
      this.#watch(this.#outer, dirname(path), false, (changed) => changed === null || changed === name);
    }
    this.#watchInner();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#settling);
    clearInterval(this.#looking);
    for (const watcher of [...this.#outer, ...this.#inner]) watcher.close();
  }

  /** A directory that takes another's place, or that a link points to now, is another to the system. */
  #watchInner(): void {
    for (const watcher of this.#inner.splice(0)) watcher.close();
    for (const path of this.#paths) this.#watch(this.#inner, path, true, () => true);
  }

  #watch(list: FSWatcher[], path: string, recursive: boolean, counts: (name: string | null) => boolean): void {
    try {
      const watcher = watch(path, { recursive }, (_event, name) => counts(name) && this.#noticed());
      // A directory that went away, or no more watches to be had.
      watcher.on('error', () => this.#closed || this.#look());
      watcher.unref();
      list.push(watcher);
    } catch {
      this.#look();
    }
  }

  #look(): void {
    this.#looking ??= setInterval(async () => {
      const signature = (await Promise.all(this.#paths.map(fileSignature))).join();
      if (signature !== this.#signature) this.#noticed();
      this.#signature = signature;
    }, lookMs).unref();
  }

  #noticed(): void {
    if (this.#closed) return;
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => this.#settled(), settleMs).unref();
  }

  #settled(): void {
    if (this.#closed) return;
    this.#watchInner();
    this.#onChange();
  }
}
