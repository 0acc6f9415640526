/** Rows of queries as tables, CSV or JSON. Rows are written as they come, but for tables. */
import type { SQLOutputValue } from 'node:sqlite';
import { toJson, type Value } from '../../values/index.js';
import type { Flag } from '../flags.js';
import type { Io } from '../io.js';
import { tableText } from '../output/table.js';

export const rowFormats: Flag = {
  name: 'format',
  short: 'f',
  type: ['pretty', 'json', 'csv'],
  usage: 'form of the rows: a table, a JSON object on each line, or comma-separated values',
  default: 'pretty',
};

export type Row = Readonly<Record<string, SQLOutputValue>>;

/** The most rows of a table. */
const mostRows = 1000;

/** The most characters of a cell in a table. */
const longestCell = 80;

/** Rows that are there, or that come. */
type Rows = Iterable<Row> | AsyncIterable<Row>;

export async function writeRows(names: readonly string[], rows: Rows, format: string, io: Io): Promise<void> {
  if (format === 'pretty') return await writeTable(names, rows, io);
  if (format === 'csv') io.stdout(`${names.map(csvCell).join()}\r\n`);
  const lines = new Lines(io);
  for await (const row of rows)
    lines.add(
      format === 'csv' ? `${names.map((name) => csvCell(row[name] ?? null)).join()}\r\n` : `${jsonOf(names, row)}\n`,
    );
  lines.end();
}

/** Collects lines: a write for each would take longer than the query. */
class Lines {
  readonly #io: Io;
  #text = '';

  constructor(io: Io) {
    this.#io = io;
  }

  add(line: string): void {
    this.#text += line;
    if (this.#text.length > 65_536) this.end();
  }

  end(): void {
    if (this.#text !== '') this.#io.stdout(this.#text);
    this.#text = '';
  }
}

async function writeTable(names: readonly string[], rows: Rows, io: Io): Promise<void> {
  const shown: string[][] = [];
  let hasMore = false;
  for await (const row of rows) {
    hasMore = shown.length === mostRows;
    if (hasMore) break;
    shown.push(names.map((name) => shortened(cellText(row[name] ?? null))));
  }
  io.stdout(tableText(names, shown));
  if (hasMore) io.stderr(`only the first ${mostRows} rows are shown: -f csv and -f json write all\n`);
}

function cellText(value: SQLOutputValue): string {
  if (value === null) return '';
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(6)));
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  // Control characters of events would move the cursor of a terminal.
  return String(value).replaceAll(
    /[\u0000-\u001f\u007f-\u009f]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function shortened(text: string): string {
  return text.length > longestCell ? `${text.slice(0, longestCell - 1)}…` : text;
}

function csvCell(value: SQLOutputValue): string {
  const text =
    value === null ? '' : value instanceof Uint8Array ? Buffer.from(value).toString('base64') : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function jsonOf(names: readonly string[], row: Row): string {
  return `{${names.map((name) => `${toJson(name)}:${jsonCell(row[name] ?? null)}`).join()}}`;
}

/** Integers of 64 bits keep their digits. */
function jsonCell(value: SQLOutputValue): string {
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Uint8Array) return toJson(Buffer.from(value).toString('base64'));
  return toJson(typeof value === 'number' && !Number.isFinite(value) ? null : (value as Value));
}
