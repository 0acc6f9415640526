/** The directory of activated bundles and the engine's programs, saved for the next start. */
import { createHash } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PersistenceError, readWhole, writeWhole } from './atomic-file.js';

/** The files of an activated bundle. */
interface SavedBundle {
  readonly digest: string;
  /** The version, as the source names it. */
  readonly etag: string | undefined;
  /** The directory of the files; undefined for an archive. */
  readonly baseDir: string | undefined;
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** A saved bundle with the time of its file, as `Date.now()` counts. */
interface LoadedBundle extends SavedBundle {
  readonly savedAtMs: number;
}

/**
 * The directory `persistence_directory` of the configuration. It is made when something is first
 * saved.
 */
export class PersistenceDirectory {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  async saveBundle(name: string, { digest, etag, baseDir, files }: SavedBundle): Promise<void> {
    const { pack } = await packer();
    const payload = pack({ digest, etag: etag ?? null, baseDir: baseDir ?? null, files: [...files] });
    await writeWhole(this.#bundlePlace(name), 'bundle.msgpack', payload);
  }

  /** Undefined where nothing was saved. Rejects with a PersistenceError. */
  async loadBundle(name: string): Promise<LoadedBundle | undefined> {
    const payload = await readWhole(this.#bundlePlace(name), 'bundle.msgpack');
    if (payload === undefined) return undefined;
    const { mtimeMs } = await stat(join(this.#bundlePlace(name), 'bundle.msgpack'));
    return { ...savedBundle(await unpacked(payload)), savedAtMs: mtimeMs };
  }

  /** Removes a saved bundle. */
  async removeBundle(name: string): Promise<void> {
    await rm(this.#bundlePlace(name), { recursive: true, force: true });
  }

  /** Saves an engine's packed programs. */
  async savePrograms(bytes: Uint8Array): Promise<void> {
    await writeWhole(this.#root, 'programs.msgpack', bytes);
  }

  /** Undefined where nothing was saved. Rejects with a PersistenceError. */
  async loadPrograms(): Promise<Uint8Array | undefined> {
    return await readWhole(this.#root, 'programs.msgpack');
  }

  /** The directory of a bundle, whose name may have slashes and dots. */
  #bundlePlace(name: string): string {
    const safe = encodeURIComponent(name.toWellFormed()).replaceAll('.', '%2E');
    // File names have a limit. The digest keeps shortened names apart.
    const short =
      safe.length <= 200 ? safe : `${safe.slice(0, 120)}-${createHash('sha256').update(name).digest('hex')}`;
    return join(this.#root, 'bundles', short);
  }
}

/** The library is loaded on first use. */
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

function savedBundle(value: unknown): SavedBundle {
  const { digest, etag = null, baseDir, files } = (value ?? {}) as Record<string, unknown>;
  const isFile = (entry: unknown): entry is [string, Uint8Array] =>
    Array.isArray(entry) && typeof entry[0] === 'string' && entry[1] instanceof Uint8Array;
  const isBaseDir = baseDir === null || typeof baseDir === 'string';
  if (typeof digest !== 'string' || !isBaseDir || !Array.isArray(files) || !files.every(isFile)) {
    throw new PersistenceError('kept bundle has another layout');
  }
  return {
    digest,
    etag: typeof etag === 'string' ? etag : undefined,
    baseDir: baseDir ?? undefined,
    files: new Map(files),
  };
}
