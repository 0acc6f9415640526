/** The files at or below a path, and a text that identifies their state without reading them. */
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import type { Steps } from '../../../values/index.js';
import { shellGlob } from '../glob.js';

/** A file that is no directory. */
export interface TreeFile {
  readonly path: string;
  /** The path below the root, with a slash in front; empty where the root itself is the file. */
  readonly name: string;
  readonly isLink: boolean;
  /**
   * The state of the file, or of the file that the link points to; undefined where there is none.
   */
  readonly stats: Stats | undefined;
}

/**
 * Whether a file's or directory's name matches one of the patterns. Throws a GlobError for a bad
 * pattern.
 */
export function ignoring(patterns: readonly string[] = []): (name: string) => boolean {
  const tests = patterns.map(shellGlob);
  return (name) => tests.some((test) => test(name));
}

/**
 * The files below a directory, depth first, each directory's names in order. Links to directories
 * are listed but not entered: they may form a circle.
 */
export function* treeFiles(root: string, ignored: (name: string) => boolean): Steps<TreeFile[]> {
  const files: TreeFile[] = [];
  const start = lstatSync(root).isSymbolicLink() ? realpathSync(root) : root;
  const open: {
    readonly path: string;
    readonly name: string;
    readonly isDirectory: boolean;
    readonly isLink: boolean;
  }[] = [{ path: start, name: '', isDirectory: true, isLink: false }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { path, name, isLink } = place;
    if (!place.isDirectory) {
      files.push({ path, name, isLink, stats: statsOf(path) });
      yield;
      continue;
    }
    const entries = readdirSync(path, { withFileTypes: true }).filter((entry) => !ignored(entry.name));
    for (const entry of entries.sort((a, b) => (a.name > b.name ? -1 : 1))) {
      open.push({
        path: `${path}/${entry.name}`,
        name: `${name}/${entry.name}`,
        isDirectory: entry.isDirectory(),
        isLink: entry.isSymbolicLink(),
      });
    }
  }
  return files;
}

/** Undefined where nothing can be read. */
function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** A text that changes when a file is added, removed, replaced or written. */
export function versionOf(files: readonly TreeFile[]): string {
  const hash = createHash('sha256');
  for (const { name, stats } of files) {
    hash.update(
      JSON.stringify(stats === undefined ? [name] : [name, stats.size, stats.mtimeMs, stats.ctimeMs, stats.ino]),
    );
  }
  return hash.digest('base64');
}

/**
 * The version of all files at or below a path. A path where nothing can be read has one as well.
 */
export function* versionAt(path: string): Steps<string> {
  const stats = statsOf(path);
  if (stats?.isDirectory() !== true) return versionOf([{ path, name: '', isLink: false, stats }]);
  try {
    return versionOf(yield* treeFiles(path, () => false));
  } catch {
    return 'unreadable';
  }
}
