/** Watches for changes of files. */
import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { inSlices } from '../../values/steps.js';
import { versionAt } from './file-tree.js';

/**
 * Changes closer to each other than this are reported as one: editors and archivers write in steps.
 */
const settleMs = 100;
/** The pause between two looks where the system reports no changes. */
const lookMs = 1000;

/** Watches files, and directories with all files below them. */
export class FileWatch {
  /** Watchers of the directories that contain the paths. */
  readonly #outer: FSWatcher[] = [];
  /** Watchers of the paths themselves. */
  #inner: FSWatcher[] = [];
  readonly #paths: readonly string[];
  readonly #onChange: () => void;
  /** The state at the last look, where the system reports no changes. */
  #version: string | undefined;
  #settling: NodeJS.Timeout | undefined;
  #looking: NodeJS.Timeout | undefined;
  #closed = false;

  /**
   * @param onChange is called some time after a change, once for several close changes, and
   * sometimes without a change
   */
  constructor(paths: readonly string[], onChange: () => void) {
    this.#paths = paths;
    this.#onChange = onChange;
    for (const path of paths) {
      // Only the containing directory reports that a file was replaced.
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

  /**
   * A watcher stays with a directory that was renamed, so the directory that replaced it needs its
   * own.
   */
  #watchInner(): void {
    for (const watcher of this.#inner.splice(0)) watcher.close();
    for (const path of this.#paths) this.#watch(this.#inner, path, true, () => true);
  }

  #watch(list: FSWatcher[], path: string, recursive: boolean, counts: (name: string | null) => boolean): void {
    try {
      const watcher = watch(path, { recursive }, (_event, name) => counts(name) && this.#noticed());
      // The directory was removed, or the system allows no more watches.
      watcher.on('error', () => this.#closed || this.#look());
      watcher.unref();
      list.push(watcher);
    } catch {
      this.#look();
    }
  }

  #look(): void {
    this.#looking ??= setInterval(async () => {
      const version = (await Promise.all(this.#paths.map((path) => inSlices(versionAt(path))))).join();
      if (version !== this.#version) this.#noticed();
      this.#version = version;
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
