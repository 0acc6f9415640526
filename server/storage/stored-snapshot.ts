/** Snapshots: all that a log has written up to a revision, as one compressed set of writes. */
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { checksumOf, fieldsOf, form, jsonBytes, type Writes, writesJson, writesOf } from './entry.js';
import { StorageError } from './storage-error.js';
import type { LogPosition, StoredSnapshot } from './write-log.js';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

export async function storedSnapshot({ revision, checksum }: LogPosition, writes: Writes): Promise<StoredSnapshot> {
  const body = await compress(await jsonBytes({ form, ...writesJson(writes) }));
  return { revision, checksum, bodyChecksum: snapshotChecksum({ revision, checksum }, body), body };
}

/** Rejects with a StorageError where the snapshot is damaged. */
export async function snapshotOf(stored: StoredSnapshot): Promise<Writes> {
  checkSnapshot(stored);
  const { revision, body } = stored;
  const what = `the snapshot of revision ${revision}`;
  return writesOf(await fieldsOf(await decompress(body), what, revision));
}

export function checkSnapshot(stored: StoredSnapshot): void {
  if (stored.bodyChecksum === snapshotChecksum(stored, stored.body)) return;
  throw new StorageError(
    'storage_corrupt',
    `the snapshot of revision ${stored.revision} does not match its checksum`,
    stored.revision,
  );
}

/** It covers the position too, so that a body cannot stand for another revision. */
function snapshotChecksum({ revision, checksum }: LogPosition, body: Uint8Array): string {
  return checksumOf(`${revision} ${checksum} `, body);
}
