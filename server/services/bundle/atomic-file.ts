/**
 * Files that are written whole. A file is written beside the one that it replaces and then renamed,
 * so that a reader finds the old or the new content whenever the process ends. A digest at its
 * start detects other damage.
 */
import { randomUUID } from 'node:crypto';
import { open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectory } from '../../../engine/node.js';
import { sha256, systemProblem } from '../../../values/node.js';

/** The first bytes of a file: its kind, and the version of its layout. */
const magic = Buffer.from('writ-kept-1\n');
const digestLength = 32;

/** A file that cannot be read or written, was damaged, or that another program wrote. */
export class PersistenceError extends Error {
  readonly code = 'persistence_error';

  constructor(message: string) {
    super(message);
    this.name = 'PersistenceError';
  }
}

/** Temporary files that this process is writing. */
const beingWritten = new Set<string>();

/** Writes a file of a directory, which is made if needed. Rejects with a PersistenceError. */
export async function writeWhole(directory: string, name: string, payload: Uint8Array): Promise<void> {
  try {
    await writeBeside(directory, name, payload);
  } catch (error) {
    throw new PersistenceError(`write ${join(directory, name)}: ${systemProblem(error)}`);
  }
}

async function writeBeside(directory: string, name: string, payload: Uint8Array): Promise<void> {
  makeDirectory(directory);
  const temporary = join(directory, `${name}.${process.pid}.${randomUUID()}.tmp`);
  beingWritten.add(temporary);
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(Buffer.concat([magic, await sha256([payload]), payload]));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, join(directory, name));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  } finally {
    beingWritten.delete(temporary);
  }
  await syncDirectory(directory);
}

/** Reads a file; undefined where there is none. Rejects with a PersistenceError. */
export async function readWhole(directory: string, name: string): Promise<Uint8Array | undefined> {
  const path = join(directory, name);
  await removeLeftovers(directory, name);
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new PersistenceError(`open ${path}: ${systemProblem(error)}`);
  }
  const start = magic.length + digestLength;
  const payload = bytes.subarray(start);
  const isOurs = bytes.length >= start && bytes.subarray(0, magic.length).equals(magic);
  if (!isOurs || !(await sha256([payload])).equals(bytes.subarray(magic.length, start)))
    throw new PersistenceError(`${path} is damaged`);
  return payload;
}

/**
 * Removes temporary files of processes that ended while they wrote. Other processes may be writing.
 */
async function removeLeftovers(directory: string, name: string): Promise<void> {
  const names = await readdir(directory).catch(() => []);
  const leftovers = names.filter(
    (other) => other.startsWith(`${name}.`) && other.endsWith('.tmp') && !isOpen(directory, other),
  );
  await Promise.all(leftovers.map((other) => rm(join(directory, other), { force: true })));
}

function isOpen(directory: string, temporary: string): boolean {
  const pid = Number(temporary.split('.').at(-3));
  // In a container, a former process may have had the number of this one.
  if (pid === process.pid) return beingWritten.has(join(directory, temporary));
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** A new name lasts once the directory is on disk as well. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r').catch(() => undefined);
  // Some systems cannot sync directories. The file is there all the same.
  await directory?.sync().catch(() => undefined);
  await directory?.close();
}
