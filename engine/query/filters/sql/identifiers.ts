/** Names as identifiers of each dialect. */

import { refusedName } from '../filter-error.js';
import type { ColumnIdentifier } from '../mappings.js';
import type { SqlDialect } from '../targets.js';
import { sqlKeywords } from './keywords.js';

/**
 * A column with its table. Names that need no quotes have none, so that they mean the same in
 * databases that fold the case of such names.
 */
export function columnName(table: ColumnIdentifier, name: ColumnIdentifier, dialect: SqlDialect): string {
  return [...table, ...name].map((part, i) => (isPlain(part, i, dialect) ? part : quoted(part, dialect))).join('.');
}

function isPlain(name: string, position: number, dialect: SqlDialect): boolean {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return false;
  // PostgreSQL and MySQL take any word for a name after a dot.
  const isFree = position > 0 && (dialect === 'postgresql' || dialect === 'mysql');
  return isFree || !sqlKeywords[dialect].has(name.toUpperCase());
}

function quoted(name: string, dialect: SqlDialect): string {
  if (name.includes('\0')) throw refusedName(`no name in a database has the character 0: ${JSON.stringify(name)}`);
  return dialect === 'mysql' ? `\`${name.replaceAll('`', '``')}\`` : `"${name.replaceAll('"', '""')}"`;
}
