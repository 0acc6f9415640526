/** The rotation of a full log file: it gets another name, and old ones are removed. */
import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { FileConfig, LoggerFileConfig } from './file-config.js';

/** `<path>` becomes `<path>.1`, that `<path>.2` and so on. */
export async function renameNumbered({ path, maxBackups }: FileConfig): Promise<void> {
  await rm(maxBackups === 0 ? path : `${path}.${maxBackups}`, { force: true });
  for (let i = maxBackups - 1; i >= 0; i--) {
    await rename(i === 0 ? path : `${path}.${i}`, `${path}.${i + 1}`).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
  }
}

/** `a/b.log` becomes `a/b-2026-11-27T23-40-00.123.log`. */
export async function renameDated({ path }: FileConfig, now = new Date()): Promise<void> {
  const time = now.toISOString().slice(0, -1).replaceAll(':', '-');
  await rename(path, join(dirname(path), `${stemOf(path)}-${time}${extname(path)}`));
}

/** Removes renamed files that are too many or too old, and compresses the others. */
export async function tidyDated(
  { path, maxBackups }: FileConfig,
  { maxAgeDays, compress }: LoggerFileConfig,
  now = Date.now(),
): Promise<void> {
  const directory = dirname(path);
  const renamed = (await readdir(directory))
    .flatMap((name) => {
      const time = timeOf(name, path);
      return time === undefined ? [] : [{ name, time }];
    })
    .sort((a, b) => b.time - a.time);
  for (const [i, { name, time }] of renamed.entries()) {
    const file = join(directory, name);
    if (i >= maxBackups || now - time > maxAgeDays * 86_400_000) await rm(file, { force: true });
    else if (compress && !name.endsWith('.gz')) await compressed(file);
  }
}

async function compressed(file: string): Promise<void> {
  // A file that was compressed in part has another name, and is written again.
  const part = `${file}.gz.part`;
  await pipeline(createReadStream(file), createGzip(), createWriteStream(part, { mode: 0o600 }));
  await rename(part, `${file}.gz`);
  await rm(file);
}

function stemOf(path: string): string {
  return basename(path, extname(path));
}

/** When a file of the folder was renamed; undefined for other files. */
function timeOf(name: string, path: string): number | undefined {
  const [before, extension] = [`${stemOf(path)}-`, extname(path)];
  const plain = name.endsWith('.gz') ? name.slice(0, -'.gz'.length) : name;
  if (!plain.startsWith(before) || !plain.endsWith(extension)) return undefined;
  const text = plain.slice(before.length, plain.length - extension.length);
  const parts = /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d\.\d{3})$/.exec(text);
  if (parts === null) return undefined;
  const time = Date.parse(`${parts[1]}:${parts[2]}:${parts[3]}Z`);
  return Number.isNaN(time) ? undefined : time;
}
