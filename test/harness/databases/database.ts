/** Databases for tests. */

import { DatabaseSync } from 'node:sqlite';
import type { SqlDialect } from '../../../engine/query/filters/targets.js';

export type Row = Readonly<Record<string, unknown>>;

export interface Database {
  readonly dialect: SqlDialect;
  /** Runs all statements of a text, as a text that was changed by injection has them. */
  execute(text: string): Promise<void>;
  query(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  close(): Promise<void>;
}

export function openSqlite(): Database {
  const database = new DatabaseSync(':memory:');
  return {
    dialect: 'sqlite',
    async execute(text) {
      database.exec(text);
    },
    async query(text, values = []) {
      return database.prepare(text).all(...(values as (string | number)[])) as Row[];
    },
    async close() {
      database.close();
    },
  };
}

/** `'` doubled: how tests write texts, other than the code under test. */
export function plainLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

export function plainName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
