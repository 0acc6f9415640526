/** The log in a directory: a SQLite database, for the processes of one machine. */
import { existsSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { fileErrorText, makeDirectory } from '../../../engine/node.js';
import { StorageError } from '../storage-error.js';
import type { LogPosition, LogSize, PageLimits, StoredEntry, StoredSnapshot, WriteLog } from '../write-log.js';
import { beginning } from '../write-log.js';
import { HeadFile } from './head-file.js';
import { loadSqlite, type Sqlite } from './sqlite.js';

export interface FileLogOptions {
  readonly directory: string;
  /** Whether a missing directory is made. */
  readonly create: boolean;
  /** Whether the rest of a damaged log is read, without comparing it with its end. */
  readonly salvages?: boolean;
}

/** The name of the database in the directory. */
const databaseFile = 'writes.sqlite';
/** The name of the file with the last position that was answered. */
const headFile = 'writes.head';
/** Says in the database that there is a head file. */
const hasHeadFile = 0x77726974;

/** The schema's version is in `user_version`. Each row upgrades from the one before. */
const migrations: readonly string[] = [
  `CREATE TABLE head (only INTEGER PRIMARY KEY CHECK (only = 1), revision INTEGER NOT NULL, checksum TEXT NOT NULL) STRICT;
   INSERT INTO head VALUES (1, 0, '');
   CREATE TABLE entries (revision INTEGER PRIMARY KEY, checksum TEXT NOT NULL, body BLOB NOT NULL) STRICT;
   CREATE TABLE snapshots (
     revision INTEGER PRIMARY KEY, checksum TEXT NOT NULL, body_checksum TEXT NOT NULL, bytes INTEGER NOT NULL) STRICT;
   CREATE TABLE snapshot_parts (
     body_checksum TEXT NOT NULL, part INTEGER NOT NULL, body BLOB NOT NULL, made INTEGER NOT NULL, PRIMARY KEY (body_checksum, part)) STRICT;
   CREATE TABLE followers (id TEXT PRIMARY KEY, revision INTEGER NOT NULL, seen INTEGER NOT NULL, release TEXT NOT NULL) STRICT;`,
];

/** Bytes of a snapshot that are written in one step: a write stops the process until it is done. */
const partBytes = 1024 * 1024;
/** A follower that was not seen for so long is gone. */
const liveMs = 60_000;
/** Parts of a snapshot that was never whole. */
const orphanMs = 3_600_000;
/** The room for the pages of a small write. A disk with less is full. */
const roomBytes = 64 * 1024;
/** Another process holds its lock for a write, which takes milliseconds. */
const busyMs = 2000;

type Row = Readonly<Record<string, unknown>>;

export class FileLog implements WriteLog {
  readonly name: string;
  /** No database server looks after its bytes. */
  readonly isChecked = true;
  readonly #options: FileLogOptions;
  readonly #headFile: HeadFile;
  #sqlite: Sqlite | undefined;
  #database: DatabaseSync | undefined;
  /** Whether it is opened again once there is room: it is exclusive, or can only be read. */
  #isConfined = false;

  constructor(options: FileLogOptions) {
    this.#options = options;
    this.#headFile = new HeadFile(join(options.directory, headFile));
    this.name = `file ${options.directory}`;
  }

  async open(): Promise<void> {
    const { directory, create, salvages = false } = this.#options;
    this.#sqlite = await loadSqlite();
    this.#attempt(() => {
      if (create) makeDirectory(directory, 0o700);
      else if (!existsSync(directory) || !statSync(directory).isDirectory())
        throw new StorageError('storage_unavailable', `directory ${directory} invalid: no such directory`);
      this.#openDatabase();
      if (!salvages) this.#checkEnd();
    });
  }

  /** On a full disk the index of the write-ahead file finds no room: then it is in memory. */
  #openDatabase(): void {
    try {
      this.#connect('NORMAL');
    } catch (error) {
      if (!isWithoutRoom(error)) throw error;
      this.#connect('EXCLUSIVE');
      this.#isConfined = true;
    }
  }

  #connect(locking: 'NORMAL' | 'EXCLUSIVE'): void {
    this.#database?.close();
    const path = join(this.#options.directory, databaseFile);
    const database = new this.#sqlite!.DatabaseSync(path, { timeout: busyMs });
    this.#database = database;
    // A commit has reached the disk when it returns.
    database.exec(`PRAGMA locking_mode = ${locking}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL`);
    this.#migrate(database);
  }

  /** Writes nothing where nothing is missing: the disk may be full. */
  #migrate(database: DatabaseSync): void {
    const versionOf = () => Number(database.prepare('PRAGMA user_version').get()!.user_version);
    const version = versionOf();
    if (version > migrations.length)
      throw new StorageError(
        'storage_unsupported',
        `${this.name} was written by a newer release: its schema is ${version}, not ${migrations.length}`,
      );
    if (version === migrations.length) return;
    this.#transaction(() => {
      // Another process may have done it meanwhile.
      for (const migration of migrations.slice(versionOf())) database.exec(migration);
      database.exec(`PRAGMA user_version = ${migrations.length}`);
    });
  }

  /** Compares the end of the log with the last position that was answered. */
  #checkEnd(): void {
    const head = this.#head();
    if (!this.#headFile.isThere) return this.#beginHeadFile(head);
    const noted = this.#headFile.read();
    if (noted === undefined)
      throw damaged(`${headFile} is damaged: it is not known up to which entry writes were answered`, head.revision);
    if (noted.revision > head.revision) {
      const missing = head.revision + 1;
      throw damaged(`entry ${missing} is missing: writes up to entry ${noted.revision} were answered`, missing);
    }
    const there = noted.revision === head.revision ? head : this.#entryAt(noted.revision);
    if (there !== undefined && there.checksum !== noted.checksum)
      throw damaged(`entry ${noted.revision} does not match the checksum that was answered`, noted.revision);
  }

  /** A log of an earlier release has no head file, and an empty one none yet. */
  #beginHeadFile(head: LogPosition): void {
    const mark = Number(this.#get('PRAGMA application_id')!.application_id);
    if (mark === hasHeadFile && head.revision > 0)
      throw damaged(`${headFile} is missing: it is not known up to which entry writes were answered`, head.revision);
    try {
      this.#headFile.make(head);
      this.#open.exec(`PRAGMA application_id = ${hasHeadFile}`);
    } catch (error) {
      // The next start makes it: reading goes on without.
      if (!isWithoutRoom(error)) throw error;
    }
  }

  #entryAt(revision: number): { readonly checksum: string } | undefined {
    return this.#get('SELECT checksum FROM entries WHERE revision = ?', revision) as { checksum: string } | undefined;
  }

  /** Notes the written position, before the write is answered. */
  #note(position: LogPosition): void {
    if (!this.#headFile.isThere) this.#beginHeadFile(position);
    else this.#headFile.note(position);
  }

  async hasRoomFor(bytes: number): Promise<boolean> {
    return this.#attempt(() => this.#hasRoomFor(bytes));
  }

  #hasRoomFor(bytes: number): boolean {
    const { bavail, bsize } = statfsSync(this.#options.directory);
    return bavail * bsize >= 2 * bytes + roomBytes;
  }

  /** Shares the log with other processes again, once there is room for its shared memory. */
  #share(): void {
    if (!this.#isConfined || !this.#hasRoomFor(0)) return;
    this.#connect('NORMAL');
    this.#isConfined = false;
  }

  async head(): Promise<LogPosition> {
    return this.#attempt(() => {
      this.#share();
      return this.#head();
    });
  }

  #head(): LogPosition {
    const row = this.#get('SELECT revision, checksum FROM head');
    return row === undefined ? beginning : { revision: row.revision as number, checksum: row.checksum as string };
  }

  async append(after: LogPosition, { revision, checksum, body }: StoredEntry): Promise<boolean> {
    return this.#attempt(() => {
      this.#share();
      const isAppended = this.#transaction(() => {
        const head = this.#head();
        if (head.revision !== after.revision || head.checksum !== after.checksum) return false;
        this.#run('INSERT INTO entries VALUES (?, ?, ?)', revision, checksum, body);
        this.#run('UPDATE head SET revision = ?, checksum = ?', revision, checksum);
        return true;
      });
      if (isAppended) this.#note({ revision, checksum });
      return isAppended;
    });
  }

  async entriesAfter(revision: number, limits: PageLimits): Promise<readonly StoredEntry[]> {
    return this.#attempt(() => {
      const found: StoredEntry[] = [];
      let bytes = 0;
      const rows = this.#open.prepare(
        'SELECT revision, checksum, body FROM entries WHERE revision > ? ORDER BY revision LIMIT ?',
      );
      for (const row of rows.iterate(revision, limits.entries) as Iterable<Row>) {
        const entry = {
          revision: row.revision as number,
          checksum: row.checksum as string,
          body: row.body as Uint8Array,
        };
        bytes += entry.body.length;
        if (found.length > 0 && bytes > limits.bytes) break;
        found.push(entry);
      }
      return found;
    });
  }

  /** Other processes of the machine are found by asking for the head. */
  follow(): void {}

  async snapshot(atMost: number = Number.MAX_SAFE_INTEGER): Promise<StoredSnapshot | undefined> {
    return this.#attempt(() => {
      const row = this.#get('SELECT * FROM snapshots WHERE revision <= ? ORDER BY revision DESC LIMIT 1', atMost);
      if (row === undefined) return undefined;
      const { revision, checksum, body_checksum } = row as {
        revision: number;
        checksum: string;
        body_checksum: string;
      };
      const parts = this.#open
        .prepare('SELECT body FROM snapshot_parts WHERE body_checksum = ? ORDER BY part')
        .all(body_checksum);
      return {
        revision,
        checksum,
        bodyChecksum: body_checksum,
        body: Buffer.concat(parts.map(({ body }) => body as Uint8Array)),
      };
    });
  }

  /** Its row comes last, so that a snapshot without all parts is none. */
  async saveSnapshot({ revision, checksum, bodyChecksum, body }: StoredSnapshot): Promise<void> {
    for (let part = 0; part * partBytes < body.length; part++) {
      const bytes = body.subarray(part * partBytes, (part + 1) * partBytes);
      this.#attempt(() =>
        this.#run('INSERT OR IGNORE INTO snapshot_parts VALUES (?, ?, ?, ?)', bodyChecksum, part, bytes, Date.now()),
      );
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#attempt(() =>
      this.#run('INSERT OR IGNORE INTO snapshots VALUES (?, ?, ?, ?)', revision, checksum, bodyChecksum, body.length),
    );
  }

  async beginAt({ revision, checksum }: LogPosition): Promise<void> {
    this.#attempt(() => {
      this.#run('UPDATE head SET revision = ?, checksum = ? WHERE revision = 0', revision, checksum);
      this.#note({ revision, checksum });
    });
  }

  async noteFollower(id: string, revision: number, release: string): Promise<void> {
    this.#attempt(() =>
      this.#transaction(() => {
        this.#run('INSERT OR REPLACE INTO followers VALUES (?, ?, ?, ?)', id, revision, Date.now(), release);
        this.#run('DELETE FROM followers WHERE seen < ?', Date.now() - 60 * liveMs);
      }),
    );
  }

  async compact(): Promise<number> {
    return this.#attempt(() =>
      this.#transaction(() => {
        const kept = this.#open.prepare('SELECT revision FROM snapshots ORDER BY revision DESC LIMIT 2').all();
        const oldest = kept.at(-1)?.revision as number | undefined;
        if (oldest === undefined) return 0;
        const needed = this.#get('SELECT min(revision) AS revision FROM followers WHERE seen >= ?', Date.now() - liveMs)
          ?.revision as number | null;
        this.#run(
          'DELETE FROM snapshot_parts WHERE body_checksum IN (SELECT body_checksum FROM snapshots WHERE revision < ?)',
          oldest,
        );
        this.#run('DELETE FROM snapshots WHERE revision < ?', oldest);
        // Parts of another process may be on their way.
        const orphans =
          'DELETE FROM snapshot_parts WHERE made < ? AND body_checksum NOT IN (SELECT body_checksum FROM snapshots)';
        this.#run(orphans, Date.now() - orphanMs);
        return Number(this.#run('DELETE FROM entries WHERE revision <= ?', Math.min(oldest, needed ?? oldest)).changes);
      }),
    );
  }

  async size(): Promise<LogSize> {
    return this.#attempt(() => {
      const row = this.#get(
        'SELECT count(*) AS count, coalesce(sum(length(body)), 0) AS bytes, min(revision) AS first FROM entries',
      )!;
      const since = Date.now() - liveMs;
      return {
        entries: row.count as number,
        entryBytes: row.bytes as number,
        firstRevision: (row.first as number | null) ?? undefined,
        snapshots: this.#open.prepare('SELECT revision, bytes FROM snapshots ORDER BY revision DESC').all() as {
          revision: number;
          bytes: number;
        }[],
        followers: this.#open
          .prepare('SELECT id, revision, seen, release FROM followers ORDER BY id')
          .all()
          .map((follower) => ({
            id: follower.id as string,
            revision: follower.revision as number,
            seen: new Date(follower.seen as number).toISOString(),
            release: follower.release as string,
            isLive: (follower.seen as number) >= since,
          })),
      };
    });
  }

  async close(): Promise<void> {
    this.#headFile.close();
    this.#database?.close();
    this.#database = undefined;
  }

  get #open(): DatabaseSync {
    if (this.#database === undefined) throw new StorageError('storage_unavailable', `${this.name} is closed`);
    return this.#database;
  }

  #get(text: string, ...values: (string | number)[]): Row | undefined {
    return this.#open.prepare(text).get(...values);
  }

  #run(text: string, ...values: (string | number | Uint8Array)[]) {
    return this.#open.prepare(text).run(...values);
  }

  #transaction<T>(work: () => T): T {
    const database = this.#open;
    database.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      database.exec('COMMIT');
      return result;
    } catch (error) {
      try {
        // A failed commit may have ended it.
        database.exec('ROLLBACK');
      } catch {}
      throw error;
    }
  }

  #attempt<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (error instanceof StorageError) throw error;
      const { code, errcode, message } = error as { code?: string; errcode?: number; message: string };
      // A disk that could only be read when the database was opened may take writes by now.
      this.#isConfined ||= errcode === readOnly;
      const isDamaged = code === 'ERR_SQLITE_ERROR' && /malformed|not a database/.test(message);
      throw new StorageError(
        isDamaged ? 'storage_corrupt' : 'storage_unavailable',
        `${this.name}: ${fileErrorText(error)}`,
      );
    }
  }
}

function damaged(problem: string, revision: number): StorageError {
  const cure = `restore ${headFile} and all ${databaseFile}* files together, or make a log of what is left by writ storage export and import`;
  return new StorageError('storage_corrupt', `${problem} (${cure})`, revision);
}

/** SQLite's and the system's errors of a full disk, also for the index that processes share. */
function isWithoutRoom(error: unknown): boolean {
  const { errcode, code } = error as { readonly errcode?: number; readonly code?: string };
  return code === 'ENOSPC' || code === 'EDQUOT' || code === 'EROFS' || outOfRoom.has(errcode ?? 0);
}

/** FULL, IOERR_SHMSIZE, IOERR_SHMOPEN, IOERR_WRITE and READONLY_CANTINIT of SQLite. */
const outOfRoom: ReadonlySet<number> = new Set([13, 4874, 4618, 778, 1288]);

/** SQLITE_READONLY. */
const readOnly = 8;
