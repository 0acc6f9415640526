/** Files of policies that come from elsewhere, written below one folder. */
import { copyFileSync, existsSync, mkdirSync, readdirSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize, relative, resolve, sep } from 'node:path';
import { isGzip, readTar, TarError } from '../../../engine/index.js';
import { inflateByZlib } from '../../../engine/node.js';
import { systemProblem } from '../../../values/node.js';
import { ConfigFileError } from '../../../views/node.js';

/** The most bytes that the policies of an address may have. */
export const longestPolicies = 256 * 1024 * 1024;

export interface SharedFile {
  /** A path below the folder. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Writes the files, or throws a ConfigFileError for a path that leads out of the folder. */
export function writePolicyFiles(files: readonly SharedFile[], to: string): void {
  const placed = files.map(({ path, bytes }) => ({ path: join(to, placeBelow(path)), bytes }));
  for (const { path, bytes } of placed) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
  }
}

function* entriesOf(tar: Uint8Array): ReturnType<typeof readTar> {
  try {
    yield* readTar(tar);
  } catch (error) {
    throw error instanceof TarError ? new ConfigFileError(`the archive is no tar: ${error.message}`) : error;
  }
}

/** As many files and folders as are copied: links may make many of a few. */
const mostEntries = 500_000;

/**
 * Copies the files of a folder. A link stands for the file or folder that it leads to. Throws a
 * ConfigFileError for one that leads out of `root`, where there is one.
 */
export function copyPolicyFiles(from: string, to: string, root?: string): void {
  const leftOut = [
    existsSync(to) ? realpathSync(to) : resolve(to),
    ...(root === undefined ? [] : [join(root, '.git')]),
  ];
  const paths: string[] = [];
  let left = mostEntries;
  const visit = (path: string, above: readonly string[]) => {
    const real = targetOf(path, root ?? '');
    if (root !== undefined && !isBelow(real, root))
      throw new ConfigFileError(`${relative(root, path)} leads out of the repository`);
    if (left-- === 0) throw new ConfigFileError(`more than ${mostEntries} files and folders`);
    const stats = statSync(real);
    if (stats.isFile()) paths.push(path);
    if (!stats.isDirectory() || above.includes(real) || leftOut.includes(real)) return;
    for (const name of readdirSync(path).sort()) visit(join(path, name), [...above, real]);
  };
  // All are found before the first is written: the folder may be in the one that is copied.
  visit(from, []);
  for (const path of paths) {
    const target = join(to, relative(from, path));
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(path, target);
  }
}

function targetOf(path: string, root: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    throw new ConfigFileError(`${relative(root, path)}: ${systemProblem(error)}`);
  }
}

function isBelow(path: string, root: string): boolean {
  return path === root || path.startsWith(`${root}${sep}`);
}

function placeBelow(path: string): string {
  const normal = normalize(path.replace(/^\/+/, ''));
  if (normal === '..' || normal.startsWith(`..${sep}`) || normal === '.' || path.includes('\0'))
    throw new ConfigFileError(`${JSON.stringify(path)} leads out of the folder of policies`);
  return normal;
}

/**
 * The files of a tar, compressed or not: those of one folder of it where one is named.
 * @param most the most bytes that it may inflate to
 */
export async function filesOfArchive(
  archive: Uint8Array,
  { folder = '', most = longestPolicies } = {},
): Promise<readonly SharedFile[]> {
  const tar = isGzip(archive) ? await inflateByZlib(archive, most) : archive;
  const prefix = folder === '' ? '' : `${folder.replace(/^\/+|\/+$/g, '')}/`;
  const files: SharedFile[] = [];
  for (const { name, type, bytes } of entriesOf(tar)) {
    const path = name.replace(/^(?:\.?\/)+/, '');
    if (type === 'other' && path.startsWith(prefix) && /\.(?:rego|json|ya?ml)$/.test(path))
      throw new ConfigFileError(`the archive has a link in the place of a file: ${path}`);
    if (type === 'file' && path.startsWith(prefix)) files.push({ path: path.slice(prefix.length), bytes });
  }
  if (folder !== '' && files.length === 0) throw new ConfigFileError(`the archive has no folder ${folder}`);
  return files;
}
