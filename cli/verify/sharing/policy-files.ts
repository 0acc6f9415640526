/** Files of policies that come from elsewhere, written below one folder. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';
import { isGzip, readTar } from '../../../engine/index.js';
import { inflateByZlib } from '../../../engine/node.js';
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

function placeBelow(path: string): string {
  const normal = normalize(path.replace(/^\/+/, ''));
  if (normal === '..' || normal.startsWith(`..${sep}`) || normal === '.' || path.includes('\0'))
    throw new ConfigFileError(`${JSON.stringify(path)} leads out of the folder of policies`);
  return normal;
}

/** The files of a tar, compressed or not: those of one folder of it where one is named. */
export async function filesOfArchive(archive: Uint8Array, folder = ''): Promise<readonly SharedFile[]> {
  const tar = isGzip(archive) ? await inflateByZlib(archive, longestPolicies) : archive;
  const prefix = folder === '' ? '' : `${folder.replace(/^\/+|\/+$/g, '')}/`;
  const files: SharedFile[] = [];
  for (const { name, type, bytes } of readTar(tar)) {
    const path = name.replace(/^(?:\.?\/)+/, '');
    if (type === 'file' && path.startsWith(prefix)) files.push({ path: path.slice(prefix.length), bytes });
  }
  if (folder !== '' && files.length === 0) throw new ConfigFileError(`the archive has no folder ${folder}`);
  return files;
}
