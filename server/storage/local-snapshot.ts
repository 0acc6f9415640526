/** The last snapshot of a replica on its own disk, to start without the log. */
import { open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileErrorText, makeDirectory } from '../../engine/node.js';
import { type PlainObject, parseJson, toJson } from '../../values/index.js';
import { StorageError } from './storage-error.js';
import { checkSnapshot } from './stored-snapshot.js';
import type { StoredSnapshot } from './write-log.js';

export class LocalSnapshot {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  get #path(): string {
    return join(this.#directory, 'snapshot');
  }

  /** Undefined where there is none. Rejects with a StorageError where it is damaged. */
  async read(): Promise<StoredSnapshot | undefined> {
    let bytes: Buffer;
    try {
      bytes = await readFile(this.#path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw new StorageError('storage_unavailable', `the snapshot cannot be read: ${fileErrorText(error)}`);
    }
    const end = bytes.indexOf('\n');
    let head: PlainObject;
    try {
      head = parseJson(bytes.subarray(0, end).toString()) as PlainObject;
    } catch {
      throw new StorageError('storage_corrupt', `${this.#path} is no snapshot`);
    }
    const {
      revision,
      checksum,
      body_checksum: bodyChecksum,
    } = head as { revision: number; checksum: string; body_checksum: string };
    const snapshot = { revision, checksum, bodyChecksum, body: bytes.subarray(end + 1) };
    checkSnapshot(snapshot);
    return snapshot;
  }

  /** Replaces the one before, whole or not at all. */
  async save({ revision, checksum, bodyChecksum, body }: StoredSnapshot): Promise<void> {
    makeDirectory(this.#directory, 0o700);
    const draft = `${this.#path}.new`;
    const file = await open(draft, 'w', 0o600);
    try {
      // These write all or reject: a write alone ends early where a disk is nearly full.
      await file.writeFile(`${toJson({ revision, checksum, body_checksum: bodyChecksum })}\n`);
      await file.writeFile(body);
      await file.sync();
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    } finally {
      await file.close();
    }
    await rename(draft, this.#path);
  }
}
