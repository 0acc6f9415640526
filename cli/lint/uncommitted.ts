/** Files of a git repository with changes that are not committed. */

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** The files that git has and that differ from what is committed; none without git. */
export function uncommitted(files: readonly string[]): readonly string[] {
  return [...Map.groupBy(files, (file) => repositoryOf(resolve(file)))].flatMap(([repository, list]) =>
    repository === undefined ? [] : changedIn(repository, list),
  );
}

function repositoryOf(path: string): string | undefined {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

function changedIn(repository: string, files: readonly string[]): readonly string[] {
  const paths = files.map((file) => resolve(file));
  const { stdout, status } = spawnSync(
    'git',
    ['-C', repository, 'status', '--porcelain', '-z', '--no-renames', '--untracked-files=no', '--', ...paths],
    { encoding: 'utf8' },
  );
  // Without git there is nothing to compare with.
  if (status !== 0) return [];
  const changed = new Set(stdout.split('\0').map((line) => join(repository, line.slice(3))));
  return files.filter((file) => changed.has(resolve(file)));
}
