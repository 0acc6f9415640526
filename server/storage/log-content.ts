/** A log as a whole: checked, copied to lines of text, and made again of them. */
import { isObject, type PlainObject, parseJson, toJson, type Value } from '../../values/index.js';
import { entryOf, type Writes } from './entry.js';
import { StorageError } from './storage-error.js';
import { snapshotOf } from './stored-snapshot.js';
import { beginning, type LogPosition, type StoredEntry, type StoredSnapshot, type WriteLog } from './write-log.js';

const page = { entries: 10_000, bytes: 16 * 1024 * 1024 };

interface Verified {
  readonly revision: number;
  readonly entries: number;
  readonly snapshots: number;
}

/**
 * Checks all snapshots and entries, and that these lead to the head, or throws a StorageError.
 * @param reads what is done with each snapshot: without it its bytes alone are checked
 */
export async function verifyLog(
  log: WriteLog,
  reads: (snapshot: StoredSnapshot) => unknown = snapshotOf,
): Promise<Verified> {
  const head = await log.head();
  const { snapshots } = await log.size();
  const checksums = new Map<number, string>();
  for (const { revision } of snapshots) {
    const snapshot = await log.snapshot(revision);
    if (snapshot?.revision !== revision) continue;
    await reads(snapshot);
    checksums.set(revision, snapshot.checksum);
  }
  let at: LogPosition = (await firstSnapshot(log)) ?? beginning;
  let entries = 0;
  for await (const entry of entriesAfter(log, at.revision)) {
    // Writes go on meanwhile.
    if (entry.revision > head.revision) break;
    await entryOf(entry, at);
    const saved = checksums.get(entry.revision);
    if (saved !== undefined && saved !== entry.checksum)
      throw new StorageError(
        'storage_corrupt',
        `the snapshot of revision ${entry.revision} has the checksum of another history`,
        entry.revision,
      );
    at = entry;
    entries++;
  }
  if (at.revision !== head.revision || at.checksum !== head.checksum) {
    const problem = `entry ${at.revision + 1} is missing: the log goes up to entry ${head.revision}`;
    throw new StorageError('storage_corrupt', problem, at.revision + 1);
  }
  return { revision: head.revision, entries, snapshots: snapshots.length };
}

/** The snapshot that stands for the entries that are gone; undefined where none is. */
async function firstSnapshot(log: WriteLog): Promise<StoredSnapshot | undefined> {
  const { firstRevision, snapshots } = await log.size();
  if (firstRevision === 1) return undefined;
  // Newest first.
  const oldest = snapshots.findLast(({ revision }) => firstRevision === undefined || revision >= firstRevision - 1);
  return oldest && (await log.snapshot(oldest.revision));
}

async function* entriesAfter(log: WriteLog, revision: number): AsyncGenerator<StoredEntry> {
  for (let at: number | undefined = revision; at !== undefined; ) {
    const found: readonly StoredEntry[] = await log.entriesAfter(at, page);
    yield* found;
    at = found.at(-1)?.revision;
  }
}

/** A log as lines of JSON: the oldest snapshot that is needed, and the entries after it. */
export async function* exportedLines(log: WriteLog): AsyncGenerator<string> {
  const snapshot = await firstSnapshot(log);
  if (snapshot !== undefined) {
    const { revision, checksum, bodyChecksum, body } = snapshot;
    yield `${toJson({ snapshot: revision, checksum, body_checksum: bodyChecksum, body: Buffer.from(body).toString('base64') })}\n`;
  }
  for await (const { revision, checksum, body } of entriesAfter(log, snapshot?.revision ?? 0))
    yield `${toJson({ entry: revision, checksum, body: Buffer.from(body).toString() })}\n`;
}

/** The writes up to a revision: all before it, or those of one entry. */
interface ExportedWrites {
  readonly position: LogPosition;
  readonly isSnapshot: boolean;
  readonly stored: StoredEntry | StoredSnapshot;
  readonly writes: Writes;
}

/** The writes of exported lines, in their order. Rejects with a StorageError. */
export async function* exportedWrites(lines: AsyncIterable<string>): AsyncGenerator<ExportedWrites> {
  let at: LogPosition = beginning;
  for await (const line of lines) {
    if (line.trim() === '') continue;
    const fields = fieldsOf(line);
    const isSnapshot = typeof fields.snapshot === 'number' && at === beginning;
    const stored = isSnapshot ? snapshotOfLine(fields) : entryOfLine(fields);
    const writes = isSnapshot ? await snapshotOf(stored as StoredSnapshot) : await entryOf(stored, at);
    at = stored;
    yield { position: at, isSnapshot, stored, writes };
  }
}

/**
 * Makes an empty log of exported lines: those who followed the other go on with this one. Rejects
 * with a StorageError where it is not empty, or a line is not what was exported.
 * @returns the last revision
 */
export async function importLines(log: WriteLog, lines: AsyncIterable<string>): Promise<number> {
  const { revision } = await log.head();
  if (revision > 0) throw new StorageError('storage_refused', `${log.name} is not empty: it has revision ${revision}`);
  let at: LogPosition = beginning;
  for await (const { position, isSnapshot, stored } of exportedWrites(lines)) {
    if (isSnapshot) {
      await log.saveSnapshot(stored as StoredSnapshot);
      await log.beginAt(position);
    } else if (!(await log.append(at, stored)))
      throw new StorageError('storage_refused', `${log.name} is written to by others`);
    at = position;
  }
  return at.revision;
}

function entryOfLine({ entry, checksum, body }: PlainObject): StoredEntry {
  return { revision: entry as number, checksum: String(checksum), body: Buffer.from(String(body)) };
}

function snapshotOfLine({ snapshot, checksum, body_checksum, body }: PlainObject): StoredSnapshot {
  return {
    revision: snapshot as number,
    checksum: String(checksum),
    bodyChecksum: String(body_checksum),
    body: Buffer.from(String(body), 'base64'),
  };
}

function fieldsOf(line: string): PlainObject {
  let value: Value | undefined;
  try {
    value = parseJson(line);
  } catch {
    // Said below.
  }
  if (value === undefined || value === null || !isObject(value))
    throw new StorageError('storage_corrupt', 'a line is no exported entry');
  return value as PlainObject;
}
