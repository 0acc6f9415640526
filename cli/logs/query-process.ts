/** Queries in SQL, each in a process of its own: SQLite answers in one piece. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { SQLOutputValue } from 'node:sqlite';
import { CommandError } from '../exit.js';
import type { Row } from './rows-output.js';

interface RowQuery {
  /** The file of the database. */
  readonly path: string;
  readonly sql: string;
  /** Milliseconds until it is ended; 0: no limit. */
  readonly ms: number;
}

/** The rows of a query, with the names of their columns. */
interface QueryAnswer {
  readonly names: readonly string[];
  readonly rows: AsyncIterable<Row>;
}

/** The most bytes that SQLite may take. */
const heapBytes = 512 * 1024 * 1024;

/**
 * Reads a query as JSON, and prints lines of JSON: the columns, then parts of the rows, whose
 * integers, texts and bytes have a letter before them.
 */
const script = `
const { readFileSync, writeSync } = require('node:fs');
const { DatabaseSync } = require('node:sqlite');
const { path, sql } = JSON.parse(readFileSync(0, 'utf8'));
const send = (message) => {
  let bytes = Buffer.from(JSON.stringify(message) + '\\n');
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(1, bytes));
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
};
const coded = (value) =>
  typeof value === 'bigint' ? 'i' + value
  : typeof value === 'string' ? 's' + value
  : value instanceof Uint8Array ? 'b' + Buffer.from(value).toString('base64')
  : Number.isFinite(value) ? value : null;
try {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  database.exec('PRAGMA cache_size = -65536; PRAGMA temp_store = FILE; PRAGMA hard_heap_limit = ${heapBytes}');
  const statement = database.prepare(sql);
  statement.setReadBigInts(true);
  const names = statement.columns().map(({ name }) => name);
  send({ names });
  let rows = [];
  let size = 0;
  for (const row of statement.iterate()) {
    const values = names.map((name) => coded(row[name]));
    rows.push(values);
    for (const value of values) size += typeof value === 'string' ? value.length + 4 : 10;
    if (size < 65536) continue;
    send({ rows });
    rows = [];
    size = 0;
  }
  send({ rows, isLast: true });
} catch (error) {
  send({ error: error.message });
}
`;

type Coded = string | number | null;

type Message =
  | { readonly names: readonly string[] }
  | { readonly rows: readonly (readonly Coded[])[]; readonly isLast?: true }
  | { readonly error: string };

/** Statements that SQLite answers with rows, and that change no settings. */
const queryStart = /^(?:\s|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*(?:SELECT|WITH|VALUES|EXPLAIN)\b/i;

/** Throws a CommandError for a statement that may change the database or its settings. */
function checkQuery(sql: string): void {
  if (!queryStart.test(sql)) throw new CommandError('error: a query begins with SELECT, WITH, VALUES or EXPLAIN');
}

/** Asks the database, and calls `use` with the answer. Rejects with a CommandError. */
export async function askRows({ path, sql, ms }: RowQuery, use: (answer: QueryAnswer) => Promise<void>): Promise<void> {
  checkQuery(sql);
  const child = spawn(process.execPath, ['-e', script], { stdio: ['pipe', 'pipe', 'ignore'] });
  let isLate = false;
  const timer =
    ms > 0 &&
    setTimeout(() => {
      isLate = true;
      child.kill('SIGKILL');
    }, ms);
  // The end of the output tells what is wrong with the process.
  for (const part of [child, child.stdin!]) part.on('error', () => undefined);
  child.stdin!.end(JSON.stringify({ path, sql }));
  const messages = messagesOf(child);
  try {
    const { value: first } = await messages.next();
    if (first === undefined || !('names' in first)) throw problemOf(first, isLate, ms);
    const { names } = first;
    await use({ names, rows: rowsOf(names, messages, () => problemOf(undefined, isLate, ms)) });
  } finally {
    clearTimeout(timer || undefined);
    child.kill('SIGKILL');
  }
}

async function* messagesOf(child: ChildProcess): AsyncGenerator<Message, undefined> {
  let isEnded = false;
  for await (const line of createInterface({ input: child.stdout! })) {
    // The last line of a process that was ended may be cut.
    if (isEnded) continue;
    try {
      yield JSON.parse(line) as Message;
    } catch {
      isEnded = true;
    }
  }
  return undefined;
}

async function* rowsOf(
  names: readonly string[],
  messages: AsyncGenerator<Message, undefined>,
  ended: () => CommandError,
): AsyncGenerator<Row> {
  let isWhole = false;
  for await (const message of messages) {
    if ('error' in message) throw new CommandError(`error: ${message.error}`);
    if (!('rows' in message)) continue;
    isWhole = message.isLast === true;
    for (const values of message.rows) yield Object.fromEntries(names.map((name, i) => [name, decoded(values[i]!)]));
  }
  if (!isWhole) throw ended();
}

function decoded(coded: Coded): SQLOutputValue {
  if (typeof coded !== 'string') return coded;
  const text = coded.slice(1);
  if (coded.startsWith('i')) return BigInt(text);
  return coded.startsWith('b') ? Buffer.from(text, 'base64') : text;
}

function problemOf(message: Message | undefined, isLate: boolean, ms: number): CommandError {
  if (message !== undefined && 'error' in message) return new CommandError(`error: ${message.error}`);
  if (isLate) return new CommandError(`error: the query took longer than ${ms / 1000} s: see --timeout`);
  return new CommandError('error: the process of the query has ended');
}
