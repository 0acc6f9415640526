/** Watches for changes of files. */
import { type FSWatcher, readlinkSync, watch } from 'node:fs';
import { basename, dirname, join, parse, resolve, sep } from 'node:path';
import { inSlices } from '../../../values/index.js';
import { versionAt } from './file-tree.js';

/**
 * Changes closer to each other than this are reported as one: editors and archivers write in steps.
 */
const settleMs = 100;
/** The pause between two looks where the system reports no changes. */
const lookMs = 1000;
/** A path through more links than this is in a circle, as Linux has it. */
const maxLinks = 40;

/** Watches files, and directories with all files below them. */
export class FileWatch {
  #watchers: FSWatcher[] = [];
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
    this.#watchAll();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#settling);
    clearInterval(this.#looking);
    for (const watcher of this.#watchers) watcher.close();
  }

  /**
   * A watcher stays with a directory that was renamed, so the directory that replaced it needs its
   * own. Only the containing directory reports that a file or a link was replaced.
   */
  #watchAll(): void {
    for (const watcher of this.#watchers.splice(0)) watcher.close();
    for (const path of new Set(this.#paths.flatMap(withLinks))) {
      const name = basename(path);
      this.#watch(dirname(path), false, (changed) => changed === null || changed === name);
    }
    for (const path of this.#paths) this.#watch(path, true, () => true);
  }

  #watch(path: string, recursive: boolean, counts: (name: string | null) => boolean): void {
    try {
      const watcher = watch(path, { recursive }, (_event, name) => counts(name) && this.#noticed());
      // The directory was removed, or the system allows no more watches.
      watcher.on('error', () => this.#closed || this.#look());
      watcher.unref();
      this.#watchers.push(watcher);
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
    this.#watchAll();
    this.#onChange();
  }
}

/**
 * The path, and the symbolic links that lead to what it names. Clusters and programs that follow a
 * Git repository change a link above the files.
 */
function withLinks(path: string): string[] {
  const { root } = parse(resolve(path));
  const links: string[] = [];
  const names = resolve(path).slice(root.length).split(sep);
  let place = root;
  for (let name = names.shift(); name !== undefined && links.length < maxLinks; name = names.shift()) {
    const next = join(place, name);
    const target = linkTarget(next);
    if (target === undefined) {
      place = next;
      continue;
    }
    links.push(next);
    const linked = resolve(place, target);
    place = parse(linked).root;
    names.unshift(...linked.slice(place.length).split(sep));
  }
  return [path, ...links];
}

/** Undefined where there is no link. */
function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
