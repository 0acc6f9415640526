/** Queries in SQL, each in a process of its own: SQLite answers in one piece. */
import { createInterface } from 'node:readline';
import { CommandError } from '../exit.js';
import { queryArgument } from '../helpers/helper-arguments.js';
import { type HelperProcess, startHelper } from '../helpers/helper-process.js';
import type { Io } from '../io.js';
import { decoded, type QueryMessage, type SqlQuery } from './query-messages.js';
import type { Row } from './rows-output.js';

interface RowQuery extends SqlQuery {
  /** Milliseconds until it is ended; 0: no limit. */
  readonly ms: number;
}

/** The rows of a query, with the names of their columns. */
interface QueryAnswer {
  readonly names: readonly string[];
  readonly rows: AsyncIterable<Row>;
}

/** Statements that SQLite answers with rows, and that change no settings. */
const queryStart = /^(?:\s|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*(?:SELECT|WITH|VALUES|EXPLAIN)\b/i;

/** Throws a CommandError for a statement that may change the database or its settings. */
function checkQuery(sql: string): void {
  if (!queryStart.test(sql)) throw new CommandError('error: a query begins with SELECT, WITH, VALUES or EXPLAIN');
}

/** Asks the database, and calls `use` with the answer. Rejects with a CommandError. */
export async function askRows(
  { path, sql, ms }: RowQuery,
  { entry }: Pick<Io, 'entry'>,
  use: (answer: QueryAnswer) => Promise<void>,
): Promise<void> {
  checkQuery(sql);
  const child = startHelper(entry!, queryArgument);
  let isLate = false;
  const timer =
    ms > 0 &&
    setTimeout(() => {
      isLate = true;
      child.kill('SIGKILL');
    }, ms);
  child.stdin.end(JSON.stringify({ path, sql } satisfies SqlQuery));
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

async function* messagesOf(child: HelperProcess): AsyncGenerator<QueryMessage, undefined> {
  let isEnded = false;
  for await (const line of createInterface({ input: child.stdout })) {
    // The last line of a process that was ended may be cut.
    if (isEnded) continue;
    try {
      yield JSON.parse(line) as QueryMessage;
    } catch {
      isEnded = true;
    }
  }
  return undefined;
}

async function* rowsOf(
  names: readonly string[],
  messages: AsyncGenerator<QueryMessage, undefined>,
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

function problemOf(message: QueryMessage | undefined, isLate: boolean, ms: number): CommandError {
  if (message !== undefined && 'error' in message) return new CommandError(`error: ${message.error}`);
  if (isLate) return new CommandError(`error: the query took longer than ${ms / 1000} s: see --timeout`);
  return new CommandError('error: the process of the query has ended');
}
