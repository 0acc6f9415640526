/** Snapshots: all that a log has written up to a revision, as one compressed set of writes. */
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import type { PlainObject, Value } from '../values/value.js';
import { checksumOf, fieldsOf, jsonBytes, writesJson, writesOf } from './entry.js';
import type { OverlayWrites } from './overlay.js';
import { StorageError } from './storage-error.js';
import type { Position, StoredSnapshot } from './write-log.js';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

export async function storedSnapshot({ revision, checksum }: Position, writes: OverlayWrites): Promise<StoredSnapshot> {
  const base: PlainObject = { policies: writes.basePolicies, data: writes.baseData };
  const body = await compress(await jsonBytes({ form: 1, ...writesJson(writes), base }));
  return { revision, checksum, bodyChecksum: snapshotChecksum({ revision, checksum }, body), body };
}

/** Rejects with a StorageError where it is not what was saved. */
export async function snapshotOf(stored: StoredSnapshot): Promise<OverlayWrites> {
  checkSnapshot(stored);
  const { revision, body } = stored;
  const what = `the snapshot of revision ${revision}`;
  const fields = await fieldsOf(await decompress(body), what, revision);
  const { policies = [], data = [] } = (fields.base ?? {}) as { policies?: readonly Value[]; data?: readonly Value[] };
  return { ...writesOf(fields), basePolicies: policies as readonly string[], baseData: data as readonly number[] };
}

export function checkSnapshot(stored: StoredSnapshot): void {
  if (stored.bodyChecksum === snapshotChecksum(stored, stored.body)) return;
  throw new StorageError('storage_corrupt', `the snapshot of revision ${stored.revision} does not match its checksum`, stored.revision);
}

/** It covers the position too, so that a body cannot stand for another revision. */
function snapshotChecksum({ revision, checksum }: Position, body: Uint8Array): string {
  return checksumOf(`${revision} ${checksum} `, body);
}
