/** The process of a query in SQL: SQLite answers in one piece, within limits of time and memory. */
import { readFileSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { type CodedValue, coded, type QueryMessage, type SqlQuery } from './query-messages.js';

/** The most bytes that SQLite may take. */
const heapBytes = 512 * 1024 * 1024;

/** About the bytes of rows in one message. */
const messageBytes = 65_536;

/** Reads a query from standard input, and writes its rows. */
export function answerQuery(): void {
  try {
    writeRowsOf(JSON.parse(readFileSync(0, 'utf8')) as SqlQuery);
  } catch (error) {
    send({ error: (error as Error).message });
  }
}

function writeRowsOf({ path, sql }: SqlQuery): void {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  database.exec(`PRAGMA cache_size = -65536; PRAGMA temp_store = FILE; PRAGMA hard_heap_limit = ${heapBytes}`);
  const statement = database.prepare(sql);
  statement.setReadBigInts(true);
  const names = statement.columns().map(({ name }) => name);
  send({ names });
  let rows: (readonly CodedValue[])[] = [];
  let size = 0;
  for (const row of statement.iterate()) {
    const values = names.map((name) => coded(row[name]!));
    rows.push(values);
    for (const value of values) size += typeof value === 'string' ? value.length + 4 : 10;
    if (size < messageBytes) continue;
    send({ rows });
    rows = [];
    size = 0;
  }
  send({ rows, isLast: true });
}

/** Waits where the reader is slow: rows in memory would have no bound. */
function send(message: QueryMessage): void {
  let bytes = Buffer.from(`${JSON.stringify(message)}\n`);
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(1, bytes));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
  }
}
