/** Where files move whose directories do not fit their package. */

import { existsSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { FixedFile } from '../../views/index.js';
import { CommandError } from '../exit.js';

/** A fixed file with its places on disk. */
export interface PlacedFix {
  readonly fixed: FixedFile;
  readonly root: string;
  readonly from: string;
  /** The same place for files that stay. */
  readonly to: string;
}

/** Several files that want one place, or one that wants the place of another. */
interface Conflict {
  readonly kind: 'source' | 'many';
  readonly root: string;
  readonly to: string;
  readonly from: readonly string[];
}

/** The roots of packages that are known by name: those given, those of the configuration. */
export function packageRoots(
  paths: readonly string[],
  configured: readonly string[],
  projectRoot: string,
): readonly string[] {
  const given = paths
    .map((path) => resolve(path))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory());
  const stated = configured.map((path) => (isAbsolute(path) ? path : resolve(projectRoot, path)));
  return [...new Set([...given, ...stated, projectRoot])];
}

/** The nearest root of a file; directories above it with a `.regal` or `.manifest` are some. */
function rootOf(file: string, roots: readonly string[]): string {
  for (let directory = dirname(file); ; directory = dirname(directory)) {
    const isRoot =
      roots.includes(directory) || existsSync(join(directory, '.regal')) || existsSync(join(directory, '.manifest'));
    if (isRoot || dirname(directory) === directory) return isRoot ? directory : dirname(file);
  }
}

/** Directories that stay below their root. Throws a CommandError for other names of packages. */
function checked(directories: readonly string[], file: string): readonly string[] {
  const odd = directories.find((name) => !/^[\w-]+$/.test(name));
  if (odd === undefined) return directories;
  throw new CommandError(
    `failed to fix ${file}: can only handle [a-zA-Z0-9_-] characters in package name, got: ${odd}`,
  );
}

/** The places of fixed files; `rename` numbers those whose place is taken. */
export function placedFixes(
  files: readonly FixedFile[],
  roots: readonly string[],
  rename: boolean,
): { readonly fixes: readonly PlacedFix[]; readonly conflicts: readonly Conflict[] } {
  const wanted = files.map((fixed): PlacedFix => {
    const from = resolve(fixed.source.absolute ?? fixed.source.file);
    const root = rootOf(from, roots);
    const { directories } = fixed;
    return { fixed, root, from, to: directories ? join(root, ...checked(directories, from), basename(from)) : from };
  });
  const leaving = new Set(wanted.filter(({ from, to }) => from !== to).map(({ from }) => from));
  if (rename) return { fixes: renamed(wanted, leaving), conflicts: [] };
  const conflicts: Conflict[] = [];
  for (const [to, list] of Map.groupBy(
    wanted.filter(({ from, to }) => from !== to),
    (fix) => fix.to,
  )) {
    const from = list.map((fix) => fix.from);
    const { root } = list[0]!;
    if (list.length > 1) conflicts.push({ kind: 'many', root, to, from });
    else if (existsSync(to) && !leaving.has(to)) conflicts.push({ kind: 'source', root, to, from });
  }
  return { fixes: wanted, conflicts };
}

function renamed(wanted: readonly PlacedFix[], leaving: ReadonlySet<string>): readonly PlacedFix[] {
  const taken = new Set<string>();
  return wanted.map((fix) => {
    if (fix.from === fix.to) return fix;
    let to = fix.to;
    while (taken.has(to) || (existsSync(to) && !leaving.has(to))) to = numbered(to);
    taken.add(to);
    return { ...fix, to };
  });
}

/** The next name of a row: `main_1.rego`, `main_2.rego`, and `main_1_test.rego` for a test. */
function numbered(path: string): string {
  const [, name = path, number = '0', ending = ''] = /^(.*?)(?:_(\d+))?((?:_test)?\.[^./]*)$/.exec(path) ?? [];
  return `${name}_${BigInt(number) + 1n}${ending}`;
}

/** The conflicts as text. */
export function conflictsText(conflicts: readonly Conflict[]): string {
  const kinds = [
    ['source', 'Source file conflicts:', 'Cannot overwrite existing file'],
    ['many', 'Many to one conflicts:', 'Cannot move multiple files to'],
  ] as const;
  return kinds
    .map(([kind, title, what]) => {
      const list = conflicts.filter((conflict) => conflict.kind === kind);
      if (list.length === 0) return '';
      const groups = [...Map.groupBy(list, ({ root }) => root)].map(
        ([root, each]) =>
          `In project root: ${root}\n${each
            .map(
              ({ to, from }) =>
                `${what}: ${relative(root, to)}\n${from.map((file) => `- ${relative(root, file)}\n`).join('')}`,
            )
            .join('')}`,
      );
      return `${title}\n${groups.join('')}`;
    })
    .join('');
}
