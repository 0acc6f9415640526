/** The database of events: a file of SQLite with one table, and views of it. */
import { existsSync, rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { loadSqlite } from '../../server/index.js';
import { systemProblem } from '../../values/node.js';
import { CommandError } from '../exit.js';

/** The number by which files of SQLite name their application: `wlog`. */
const application = 0x776c6f67;

/** The number of this schema. */
const schemaVersion = 1;

const schema = `
PRAGMA application_id = ${application};
PRAGMA user_version = ${schemaVersion};
CREATE TABLE events (
  number INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  decision_id TEXT,
  time TEXT,
  time_ns INTEGER,
  path TEXT,
  query TEXT,
  outcome TEXT NOT NULL,
  result TEXT,
  error TEXT,
  latency_ns INTEGER,
  revision TEXT,
  requested_by TEXT,
  input_key TEXT NOT NULL,
  hidden INTEGER NOT NULL,
  file TEXT NOT NULL,
  line INTEGER NOT NULL,
  event TEXT NOT NULL,
  is_json INTEGER NOT NULL
) STRICT;
CREATE INDEX events_by_input ON events (path, input_key, revision);
CREATE INDEX events_by_time ON events (time_ns);

CREATE VIEW by_path AS
SELECT path, count(*) AS events, sum(outcome = 'true') AS allowed, sum(outcome = 'false') AS denied,
  sum(outcome = 'value') AS other, sum(outcome = 'undefined') AS undefined, sum(outcome = 'error') AS errors,
  min(time) AS first, max(time) AS last
FROM events GROUP BY path ORDER BY events DESC, path;

CREATE VIEW by_rule AS
SELECT w.value ->> 'rule' AS rule, w.value ->> 'file' AS file, w.value ->> 'row' AS row,
  w.value ->> 'outcome' AS rule_outcome, count(*) AS events
FROM events, json_each(CASE WHEN is_json AND json_type(event, '$.why') = 'array' THEN event -> '$.why' ELSE '[]' END) AS w
GROUP BY 1, 2, 3, 4 ORDER BY events DESC, rule, row;

CREATE VIEW input_fields AS
SELECT events.number, events.path, substr(t.fullkey, 3) AS field, t.atom AS value, events.outcome
FROM events, json_tree(CASE WHEN is_json THEN event ELSE '{}' END, '$.input') AS t WHERE t.type NOT IN ('object', 'array');

CREATE VIEW by_input_field AS
SELECT field, count(*) AS events, count(DISTINCT value) AS different, min(value) AS least, max(value) AS greatest
FROM input_fields GROUP BY field ORDER BY events DESC, field;

CREATE VIEW by_latency AS
SELECT path, max(count) AS events, min(latency_ns) / 1e6 AS min_ms,
  max(latency_ns) FILTER (WHERE rank <= (count * 50 + 99) / 100) / 1e6 AS p50_ms,
  max(latency_ns) FILTER (WHERE rank <= (count * 95 + 99) / 100) / 1e6 AS p95_ms,
  max(latency_ns) FILTER (WHERE rank <= (count * 99 + 99) / 100) / 1e6 AS p99_ms,
  max(latency_ns) / 1e6 AS max_ms
FROM (
  SELECT path, latency_ns, row_number() OVER (PARTITION BY path ORDER BY latency_ns) AS rank,
    count(*) OVER (PARTITION BY path) AS count
  FROM events WHERE latency_ns IS NOT NULL
) GROUP BY path ORDER BY p99_ms DESC, path;

CREATE VIEW by_revision AS
SELECT revision, count(*) AS events, sum(outcome = 'true') AS allowed, sum(outcome = 'false') AS denied,
  sum(outcome = 'error') AS errors, min(time) AS first, max(time) AS last
FROM events GROUP BY revision ORDER BY min(time_ns), revision;
`;

/** Opens a database to read it. Rejects with a CommandError where there is none of events. */
export async function openEvents(path: string): Promise<DatabaseSync> {
  if (!existsSync(path)) throw new CommandError(`error: ${path}: there is no such database: writ logs import makes it`);
  return await opened(path, true);
}

/**
 * Calls `write` in a transaction: after an error the database is as before, and gone where it was
 * new. Rejects with a CommandError.
 */
export async function writeEventDatabase<T>(path: string, write: (database: DatabaseSync) => Promise<T>): Promise<T> {
  const isNew = !existsSync(path);
  const database = await opened(path, false);
  try {
    database.exec('BEGIN IMMEDIATE');
    if (isNew) database.exec(schema);
    const result = await write(database);
    database.exec('COMMIT');
    database.close();
    return result;
  } catch (error) {
    // Closing rolls back.
    database.close();
    if (isNew) for (const file of [path, `${path}-journal`]) rmSync(file, { force: true });
    throw error;
  }
}

async function opened(path: string, readOnly: boolean): Promise<DatabaseSync> {
  const { DatabaseSync } = await sqlite();
  let database: DatabaseSync;
  try {
    database = new DatabaseSync(path, { readOnly, timeout: 5000 });
  } catch (error) {
    throw new CommandError(`error: ${path}: ${problemOf(error)}`);
  }
  try {
    // Half a gigabyte of events is not kept in memory.
    database.exec('PRAGMA cache_size = -65536; PRAGMA temp_store = FILE');
    const count = Number(database.prepare('SELECT count(*) AS n FROM sqlite_master').get()?.n);
    const id = Number(database.prepare('PRAGMA application_id').get()?.application_id);
    const version = Number(database.prepare('PRAGMA user_version').get()?.user_version);
    const isEmpty = count === 0 && !readOnly;
    if (id !== application && !isEmpty) throw new Error('it is no database of decision events');
    if (version !== schemaVersion && !isEmpty)
      throw new Error(`it was made by another release of writ: import the events again`);
    return database;
  } catch (error) {
    database.close();
    throw new CommandError(`error: ${path}: ${problemOf(error)}`);
  }
}

async function sqlite(): Promise<typeof import('node:sqlite')> {
  try {
    return await loadSqlite(undefined, 'writ logs');
  } catch (error) {
    throw new CommandError(`error: ${(error as Error).message}`);
  }
}

function problemOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  return code === 'ERR_SQLITE_ERROR' || code === undefined ? message : systemProblem(error);
}
