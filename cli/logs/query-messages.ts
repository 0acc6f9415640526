/** Messages between `logs query` and the process of its query, as lines of JSON. */
import type { SQLOutputValue } from 'node:sqlite';

/** The message to the process: all of its standard input. */
export interface SqlQuery {
  /** The file of the database. */
  readonly path: string;
  readonly sql: string;
}

/** The messages of the process: the names of the columns, then parts of the rows. */
export type QueryMessage =
  | { readonly names: readonly string[] }
  | { readonly rows: readonly (readonly CodedValue[])[]; readonly isLast?: true }
  | { readonly error: string };

/** JSON has no integers of 64 bits, and no bytes: these and texts have a letter before them. */
export type CodedValue = string | number | null;

export function coded(value: SQLOutputValue): CodedValue {
  if (typeof value === 'bigint') return `i${value}`;
  if (typeof value === 'string') return `s${value}`;
  if (value instanceof Uint8Array) return `b${Buffer.from(value).toString('base64')}`;
  return Number.isFinite(value) ? value : null;
}

export function decoded(value: CodedValue): SQLOutputValue {
  if (typeof value !== 'string') return value;
  const text = value.slice(1);
  if (value.startsWith('i')) return BigInt(text);
  return value.startsWith('b') ? Buffer.from(text, 'base64') : text;
}
