/** `logs top` and `logs changes`: questions that are asked of logs most often. */
import type { DatabaseSync } from 'node:sqlite';
import { usageError } from '../exit.js';
import type { Row } from './rows-output.js';

/** The columns that events are counted by. */
const plainColumns = ['path', 'outcome', 'result', 'error', 'revision', 'requested_by', 'file'] as const;

/** The rows of a question, with their names. */
export interface ChangeTable {
  readonly names: readonly string[];
  readonly rows: Iterable<Row>;
}

/** The most frequent values of a column or of a field of the input, or the slowest decisions. */
export function topOf(database: DatabaseSync, by: string, count: number): ChangeTable {
  if (by === 'latency') {
    const names = ['ms', 'path', 'outcome', 'time', 'decision_id'];
    const statement = database.prepare(
      'SELECT latency_ns / 1e6 AS ms, path, outcome, time, decision_id FROM events WHERE latency_ns IS NOT NULL ORDER BY latency_ns DESC, number LIMIT ?',
    );
    return { names, rows: statement.iterate(count) as Iterable<Row> };
  }
  if (by === 'rule') {
    const names = ['rule', 'file', 'row', 'rule_outcome', 'events'];
    return { names, rows: database.prepare('SELECT * FROM by_rule LIMIT ?').iterate(count) as Iterable<Row> };
  }
  const expression = expressionOf(by);
  const statement = database.prepare(
    `SELECT ${expression} AS value, count(*) AS events,
       round(100.0 * count(*) / (SELECT count(*) FROM events), 1) AS percent,
       sum(outcome = 'true') AS allowed, sum(outcome = 'false') AS denied, sum(outcome = 'error') AS errors,
       round(avg(latency_ns) / 1e6, 3) AS mean_ms
     FROM events GROUP BY 1 ORDER BY events DESC, value LIMIT ?`,
  );
  const names = ['value', 'events', 'percent', 'allowed', 'denied', 'errors', 'mean_ms'];
  return { names, rows: statement.iterate(count) as Iterable<Row> };
}

/** `input.user.name` as a path of SQLite's JSON. */
function expressionOf(by: string): string {
  if ((plainColumns as readonly string[]).includes(by)) return by;
  const [root, ...keys] = by.split('.');
  if ((root !== 'input' && root !== 'result' && root !== 'labels') || keys.length === 0 || keys.includes(''))
    throw usageError(`--by ${by}: count by ${plainColumns.join(', ')}, rule, latency, or a field such as input.user`);
  const path = `$.${root}${keys.map((key) => `."${key.replaceAll('"', '\\"')}"`).join('')}`;
  return `CASE WHEN is_json THEN event ->> '${path.replaceAll("'", "''")}' END`;
}

/** The inputs that two revisions answered differently, by their answers. */
export function changesBetween(database: DatabaseSync, before: string, after: string): ChangeTable {
  const known = database.prepare(`SELECT 1 FROM events WHERE ${hasRevision} LIMIT 1`);
  for (const revision of [before, after]) {
    if (known.get({ revision }) === undefined)
      throw usageError(`there is no event of the revision ${JSON.stringify(revision)}: writ logs changes lists them`);
  }
  const latest = (revision: string) =>
    `SELECT path, input_key, outcome, result, decision_id, max(number) AS number FROM events
     WHERE ${hasRevision.replaceAll('$revision', revision)} AND path IS NOT NULL GROUP BY path, input_key`;
  const statement = database.prepare(
    `SELECT a.path AS path, coalesce(a.result, a.outcome) AS before, coalesce(b.result, b.outcome) AS after,
       count(*) AS inputs, a.decision_id AS example_before, b.decision_id AS example_after, min(a.number) AS number
     FROM (${latest('$before')}) AS a JOIN (${latest('$after')}) AS b ON a.path = b.path AND a.input_key = b.input_key
     WHERE a.outcome <> b.outcome OR a.result IS NOT b.result
     GROUP BY 1, 2, 3 ORDER BY inputs DESC, path, before, after`,
  );
  const names = ['path', 'before', 'after', 'inputs', 'example_before', 'example_after'];
  return { names, rows: statement.iterate({ before, after }) as Iterable<Row> };
}

/** A revision of any bundle, or the whole text of all. */
const hasRevision = "(revision = $revision OR instr(', ' || revision || ', ', '=' || $revision || ', ') > 0)";

/** The revisions in the order of their first events. */
export function revisions(database: DatabaseSync): ChangeTable {
  const names = ['revision', 'events', 'allowed', 'denied', 'errors', 'first', 'last'];
  return { names, rows: database.prepare('SELECT * FROM by_revision').iterate() as Iterable<Row> };
}
