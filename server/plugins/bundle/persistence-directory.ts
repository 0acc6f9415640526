/**
 * What was activated, on disk, for the next start. A file is written beside the one it replaces and takes its name in one step, so that whoever
 * reads finds the old or the new one whole, whenever the process ends; a digest at its start tells damage of other kinds.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** The first bytes of a file: what it is, and the version of its layout. */
const magic = Buffer.from('writ-kept-1\n');
const digestLength = 32;

/** A file that was damaged or is none of ours. */
export class PersistenceError extends Error {
  readonly code = 'persistence_error';

  constructor(message: string) {
    super(message);
    this.name = 'PersistenceError';
  }
}

/** A bundle's files as they were activated. */
export interface KeptBundle {
  readonly digest: string;
  /** The directory that they were read from; undefined for an archive. */
  readonly baseDir: string | undefined;
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** The directory `persistence_directory` of the configuration; it is made when something is first kept. */
export class PersistenceDirectory {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  async saveBundle(name: string, { digest, baseDir, files }: KeptBundle): Promise<void> {
    const { pack } = await packer();
    const payload = pack({ digest, baseDir: baseDir ?? null, files: [...files] });
    await this.#write(this.#bundlePlace(name), 'bundle.msgpack', payload);
  }

  /** Undefined where nothing was kept. Rejects with a PersistenceError. */
  async loadBundle(name: string): Promise<KeptBundle | undefined> {
    const payload = await this.#read(this.#bundlePlace(name), 'bundle.msgpack');
    return payload === undefined ? undefined : keptBundle(await unpacked(payload));
  }

  /** Forgets a bundle. */
  async removeBundle(name: string): Promise<void> {
    await rm(this.#bundlePlace(name), { recursive: true, force: true });
  }

  /** Keeps what an engine packed of its programs. */
  async savePrograms(bytes: Uint8Array): Promise<void> {
    await this.#write(this.#root, 'programs.msgpack', bytes);
  }

  /** Undefined where nothing was kept. Rejects with a PersistenceError. */
  async loadPrograms(): Promise<Uint8Array | undefined> {
    return await this.#read(this.#root, 'programs.msgpack');
  }

  /** Names may have slashes and dots; a directory's name has neither. */
  #bundlePlace(name: string): string {
    const safe = encodeURIComponent(name.toWellFormed()).replaceAll('.', '%2E');
    // Names of files have an end, and what is cut off must not make two bundles one.
    const short = safe.length <= 200 ? safe : `${safe.slice(0, 120)}-${createHash('sha256').update(name).digest('hex')}`;
    return join(this.#root, 'bundles', short);
  }

  async #write(place: string, name: string, payload: Uint8Array): Promise<void> {
    await mkdir(place, { recursive: true });
    const temporary = join(place, `${name}.${process.pid}.${randomUUID()}.tmp`);
    underway.add(temporary);
    try {
      const file = await open(temporary, 'wx', 0o600);
      try {
        await file.writeFile(Buffer.concat([magic, createHash('sha256').update(payload).digest(), payload]));
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(temporary, join(place, name));
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    } finally {
      underway.delete(temporary);
    }
    await syncDirectory(place);
  }

  async #read(place: string, name: string): Promise<Uint8Array | undefined> {
    const path = join(place, name);
    await removeLeftovers(place, name);
    let bytes: Buffer;
    try {
      bytes = await readFile(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw new PersistenceError((error as Error).message);
    }
    const start = magic.length + digestLength;
    const payload = bytes.subarray(start);
    const isWhole = bytes.length >= start && createHash('sha256').update(payload).digest().equals(bytes.subarray(magic.length, start));
    if (!bytes.subarray(0, magic.length).equals(magic) || !isWhole) throw new PersistenceError(`${path} is damaged`);
    return payload;
  }
}

/** Files that this process is writing. */
const underway = new Set<string>();

/** What a process that ended amid writing left. Others that keep things in the same place may be at it. */
async function removeLeftovers(place: string, name: string): Promise<void> {
  const names = await readdir(place).catch(() => []);
  const leftovers = names.filter((other) => other.startsWith(`${name}.`) && other.endsWith('.tmp') && !isUnderway(place, other));
  await Promise.all(leftovers.map((other) => rm(join(place, other), { force: true })));
}

function isUnderway(place: string, temporary: string): boolean {
  const pid = Number(temporary.split('.').at(-3));
  // In a container every process may have had this one's number.
  if (pid === process.pid) return underway.has(join(place, temporary));
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** A new name lasts when the directory is on disk as well. */
async function syncDirectory(place: string): Promise<void> {
  const directory = await open(place, 'r').catch(() => undefined);
  // Some systems cannot sync directories; the file is there all the same.
  await directory?.sync().catch(() => undefined);
  await directory?.close();
}

/** The library is loaded by whoever keeps something. */
async function packer() {
  const { Packr } = await import('msgpackr/pack');
  const packr = new Packr({ useRecords: false });
  return { pack: (value: unknown) => packr.pack(value), unpack: (bytes: Uint8Array) => packr.unpack(bytes) as unknown };
}

async function unpacked(payload: Uint8Array): Promise<unknown> {
  try {
    return (await packer()).unpack(payload);
  } catch (error) {
    throw new PersistenceError(`kept bundle cannot be read: ${(error as Error).message}`);
  }
}

function keptBundle(value: unknown): KeptBundle {
  const { digest, baseDir, files } = (value ?? {}) as Record<string, unknown>;
  const isFile = (entry: unknown): entry is [string, Uint8Array] =>
    Array.isArray(entry) && typeof entry[0] === 'string' && entry[1] instanceof Uint8Array;
  const isBaseDir = baseDir === null || typeof baseDir === 'string';
  if (typeof digest !== 'string' || !isBaseDir || !Array.isArray(files) || !files.every(isFile)) {
    throw new PersistenceError('kept bundle has another layout');
  }
  return { digest, baseDir: baseDir ?? undefined, files: new Map(files) };
}
