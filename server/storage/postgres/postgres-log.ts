/** The log in PostgreSQL, for replicas on any number of machines. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { networkReason } from '../../../values/node.js';
import type { PostgresConfig } from '../storage-config.js';
import { StorageError } from '../storage-error.js';
import type { LogPosition, LogSize, PageLimits, StoredEntry, StoredSnapshot, WriteLog } from '../write-log.js';
import { migrations as allMigrations, type Migration } from './migrations.js';

/** Milliseconds until a server that does not answer counts as away. */
const connectMs = 3000;
const answerMs = 5000;
/** Milliseconds for taking leave of the database. */
const closeMs = 1000;
/** Bytes that are sent and written in a millisecond, on a slow machine. */
const bytesPerMs = 4096;
/** Bytes of a snapshot in one row. */
const partBytes = 1024 * 1024;
/** A pause before the connection for notices is made again. */
const pauseMs = 1000;
/** A follower that was not seen for so long is gone. */
const live = "interval '1 minute'";

interface Versions {
  readonly version: number | null;
  readonly least: number | null;
}

/** A bigint is a text. */
interface PositionRow {
  readonly revision: string;
  readonly checksum: string;
}

interface FollowerRow {
  readonly id: string;
  readonly revision: string;
  readonly seen: Date;
  readonly release: string;
  readonly live: boolean;
}

export class PostgresLog implements WriteLog {
  readonly name: string;
  readonly #config: PostgresConfig;
  readonly #migrations: readonly Migration[];
  readonly #pool: pg.Pool;
  #listening: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(config: PostgresConfig, migrations: readonly Migration[] = allMigrations) {
    this.#config = config;
    this.#migrations = migrations;
    this.name = `postgres ${placeOf(config.url)}, schema ${config.schema}`;
    const { url, maxConnections } = config;
    const application_name = 'writ';
    this.#pool = new pg.Pool({
      connectionString: url,
      max: maxConnections,
      connectionTimeoutMillis: connectMs,
      keepAlive: true,
      application_name,
      allowExitOnIdle: true,
    });
    // A connection that breaks while nobody uses it: the next query makes another one.
    this.#pool.on('error', () => undefined);
    // An answered write is on the disk, whatever the database does by default.
    this.#pool.on('connect', (client) => {
      // One that breaks while it is used: what uses it is told by its query. Without a listener the
      // process would end.
      client.on('error', () => undefined);
      const durable =
        "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'";
      client.query(durable).catch(() => undefined);
    });
  }

  async open(): Promise<void> {
    const { schema } = this.#config;
    const [known] = await this.#query<{ there: boolean }>('SELECT to_regclass($1) IS NOT NULL AS there', [
      `${schema}.schema_versions`,
    ]);
    const version = known!.there ? await this.#version() : 0;
    if (version < this.#migrations.length) await this.#migrate();
  }

  /** Throws where the schema is one of releases that this one does not understand. */
  async #version(client?: pg.PoolClient): Promise<number> {
    const text = this.#in('SELECT max(version) AS version, max(least) AS least FROM @.schema_versions');
    const [row] = client === undefined ? await this.#query<Versions>(text) : (await client.query<Versions>(text)).rows;
    const least = Number(row!.least ?? 0);
    if (least > this.#migrations.length) {
      const problem = `${this.name} was upgraded by a newer release: it needs version ${least} of the schema, this release knows ${this.#migrations.length}`;
      throw new StorageError('storage_unsupported', problem);
    }
    return Number(row!.version ?? 0);
  }

  /** One process after the other, and whole or not at all. */
  async #migrate(): Promise<void> {
    const { schema } = this.#config;
    await this.#connected(async (client) => {
      await client.query('BEGIN');
      try {
        await client.query('SELECT pg_advisory_xact_lock(hashtext($1))', [`writ ${schema}`]);
        // A user who may not make schemas uses one that is there.
        const { rows } = await client.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema]);
        if (rows.length === 0) await client.query(this.#in('CREATE SCHEMA @'));
        await client.query(
          this.#in(
            'CREATE TABLE IF NOT EXISTS @.schema_versions (version integer PRIMARY KEY, least integer NOT NULL, applied timestamptz NOT NULL DEFAULT now())',
          ),
        );
        const before = await this.#version(client);
        for (const [i, { least, sql }] of [...this.#migrations.entries()].slice(before)) {
          await client.query(this.#in(sql));
          await client.query(this.#in('INSERT INTO @.schema_versions (version, least) VALUES ($1, $2)'), [
            i + 1,
            least,
          ]);
        }
        await client.query('COMMIT');
      } catch (error) {
        await client.query('ROLLBACK');
        throw error;
      }
    });
  }

  async head(): Promise<LogPosition> {
    const [row] = await this.#query<PositionRow>(this.#in('SELECT revision, checksum FROM @.head'));
    if (row === undefined) throw new StorageError('storage_corrupt', `${this.name} has no head`);
    return { revision: Number(row.revision), checksum: row.checksum };
  }

  /** The row of the head is locked until the entry is durable: revisions are committed in order. */
  async append(after: LogPosition, { revision, checksum, body }: StoredEntry): Promise<boolean> {
    const text = this.#in(`
      WITH moved AS (
        UPDATE @.head SET revision = $3, checksum = $4 WHERE revision = $1 AND checksum = $2 RETURNING revision
      ), added AS (
        INSERT INTO @.entries (revision, checksum, body) SELECT revision, $4, $5 FROM moved RETURNING revision
      )
      SELECT pg_notify($6, revision::text) FROM added`);
    const values = [after.revision, after.checksum, revision, checksum, Buffer.from(body).toString(), this.#channel];
    return (await this.#query(text, values, body.length)).length === 1;
  }

  async entriesAfter(revision: number, { entries, bytes }: PageLimits): Promise<readonly StoredEntry[]> {
    const text = this.#in(`
      SELECT revision, checksum, body FROM (
        SELECT *, row_number() OVER next AS row, sum(octet_length(body)) OVER next AS total FROM (
          SELECT revision, checksum, body FROM @.entries WHERE revision > $1 ORDER BY revision LIMIT $2
        ) page WINDOW next AS (ORDER BY revision)
      ) counted WHERE row = 1 OR total <= $3 ORDER BY revision`);
    const rows = await this.#query<PositionRow & { body: string }>(text, [revision, entries, bytes], 64 * 1024 * 1024);
    return rows.map((row) => ({ revision: Number(row.revision), checksum: row.checksum, body: Buffer.from(row.body) }));
  }

  follow(listener: (revision?: number) => void): void {
    const again = () => {
      if (this.#isClosed) return;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.follow(listener), pauseMs);
      this.#timer.unref();
    };
    const client = new pg.Client({
      connectionString: this.#config.url,
      connectionTimeoutMillis: connectMs,
      keepAlive: true,
      application_name: 'writ',
    });
    this.#listening = client;
    client.on('notification', ({ payload = '' }) => listener(Number(payload)));
    // After an error comes the end.
    client.on('error', () => undefined);
    client.on('end', again);
    client
      .connect()
      .then(() => client.query(`LISTEN ${this.#channel}`))
      .then(
        // Notices of before are lost.
        () => listener(),
        () =>
          client
            .end()
            .catch(() => undefined)
            .finally(again),
      );
  }

  async snapshot(atMost: number = Number.MAX_SAFE_INTEGER): Promise<StoredSnapshot | undefined> {
    const text = this.#in(
      'SELECT revision, checksum, body_checksum FROM @.snapshots WHERE revision <= $1 ORDER BY revision DESC LIMIT 1',
    );
    const [row] = await this.#query<PositionRow & { body_checksum: string }>(text, [atMost]);
    if (row === undefined) return undefined;
    const parts: Buffer[] = [];
    for (;;) {
      const part = this.#in('SELECT body FROM @.snapshot_parts WHERE body_checksum = $1 AND part = $2');
      const [found] = await this.#query<{ body: Buffer }>(part, [row.body_checksum, parts.length], partBytes);
      if (found === undefined) break;
      parts.push(found.body);
    }
    return {
      revision: Number(row.revision),
      checksum: row.checksum,
      bodyChecksum: row.body_checksum,
      body: Buffer.concat(parts),
    };
  }

  /** Its row comes last, so that a snapshot without all parts is none. */
  async saveSnapshot({ revision, checksum, bodyChecksum, body }: StoredSnapshot): Promise<void> {
    const add = this.#in(
      'INSERT INTO @.snapshot_parts (body_checksum, part, body) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
    );
    for (let part = 0; part * partBytes < body.length; part++) {
      const bytes = Buffer.from(body.subarray(part * partBytes, (part + 1) * partBytes));
      await this.#query(add, [bodyChecksum, part, bytes], partBytes);
    }
    const text = this.#in(
      'INSERT INTO @.snapshots (revision, checksum, body_checksum, bytes) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
    );
    await this.#query(text, [revision, checksum, bodyChecksum, body.length]);
  }

  async beginAt({ revision, checksum }: LogPosition): Promise<void> {
    await this.#query(this.#in('UPDATE @.head SET revision = $1, checksum = $2 WHERE revision = 0'), [
      revision,
      checksum,
    ]);
  }

  async noteFollower(id: string, revision: number, release: string): Promise<void> {
    const text = this.#in(`
      INSERT INTO @.followers (id, revision, release) VALUES ($1, $2, $3)
      ON CONFLICT (id) DO UPDATE SET revision = excluded.revision, seen = now()`);
    await this.#query(text, [id, revision, release]);
    await this.#query(this.#in("DELETE FROM @.followers WHERE seen < now() - interval '1 hour'"));
  }

  async compact(): Promise<number> {
    const text = this.#in(`
      WITH kept AS (SELECT revision FROM @.snapshots ORDER BY revision DESC LIMIT 2),
      needed AS (
        SELECT least((SELECT min(revision) FROM kept), (SELECT min(revision) FROM @.followers WHERE seen >= now() - ${live})) AS revision
      ), gone AS (
        DELETE FROM @.snapshots WHERE revision < (SELECT min(revision) FROM kept) RETURNING body_checksum
      ), parts AS (
        DELETE FROM @.snapshot_parts p WHERE body_checksum IN (SELECT body_checksum FROM gone)
          OR (p.made < now() - interval '1 hour' AND NOT EXISTS (SELECT 1 FROM @.snapshots s WHERE s.body_checksum = p.body_checksum))
      ), entries AS (
        DELETE FROM @.entries WHERE EXISTS (SELECT 1 FROM kept) AND revision <= (SELECT revision FROM needed) RETURNING 1
      )
      SELECT count(*) AS count FROM entries`);
    const [row] = await this.#query<{ count: string }>(text, [], 256 * 1024 * 1024);
    return Number(row!.count);
  }

  async size(): Promise<LogSize> {
    const entries = this.#in(
      'SELECT count(*) AS count, coalesce(sum(octet_length(body)), 0) AS bytes, min(revision) AS first FROM @.entries',
    );
    const [row] = await this.#query<{ count: string; bytes: string; first: string | null }>(
      entries,
      [],
      256 * 1024 * 1024,
    );
    const snapshots = await this.#query<{ revision: string; bytes: string }>(
      this.#in('SELECT revision, bytes FROM @.snapshots ORDER BY revision DESC'),
    );
    const followers = await this.#query<FollowerRow>(
      this.#in(`SELECT *, seen >= now() - ${live} AS live FROM @.followers ORDER BY id`),
    );
    const first = row!.first;
    return {
      entries: Number(row!.count),
      entryBytes: Number(row!.bytes),
      firstRevision: first === null ? undefined : Number(first),
      snapshots: snapshots.map(({ revision, bytes }) => ({ revision: Number(revision), bytes: Number(bytes) })),
      followers: followers.map(({ id, revision, seen, release, live }) => ({
        id,
        revision: Number(revision),
        seen: seen.toISOString(),
        release,
        isLive: live,
      })),
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    const ended = Promise.all([this.#listening?.end().catch(() => undefined), this.#pool.end()]);
    // A database that stands still never takes its leave.
    await Promise.race([ended, sleep(closeMs, undefined, { ref: false })]);
  }

  get #channel(): string {
    return `writ_${this.#config.schema}`;
  }

  /** The name is checked by the configuration. */
  #in(text: string): string {
    return text.replaceAll('@', this.#config.schema);
  }

  /** @param bytes of the values or rows, for which there is more time */
  async #query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = [], bytes = 0): Promise<Row[]> {
    const query = { text, values, query_timeout: answerMs + bytes / bytesPerMs };
    return await this.#connected(async (client) => (await client.query<Row>(query)).rows);
  }

  async #connected<T>(use: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    let client: pg.PoolClient | undefined;
    try {
      client = await this.#pool.connect();
      const result = await use(client);
      client.release();
      return result;
    } catch (error) {
      // The state of a connection after an error is not known.
      client?.release(true);
      if (error instanceof StorageError) throw error;
      throw new StorageError('storage_unavailable', `${this.name}: ${networkReason(error as Error)}`);
    }
  }
}

/** Where a database is, without user and password. */
function placeOf(url: string): string {
  return url.replace(/^[a-z]+:(\/\/([^/?#]*@)?)?/, '').replace(/[?#].*$/s, '');
}
