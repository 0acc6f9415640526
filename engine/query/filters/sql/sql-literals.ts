/** Texts as literals of each dialect. */

import type { SqlDialect } from '../targets.js';

/** A literal that the database reads as exactly this text, with any characters in it. */
export function stringLiteral(text: string, dialect: SqlDialect): string {
  switch (dialect) {
    case 'postgresql':
      // No text in PostgreSQL has the character 0: a query with one fails. A digit behind `\0`
      // would make another character of it.
      return `E'${text.replace(/\0[0-7]?|[\b\t\n\r"'\\]/g, (c) => (c.length > 1 ? `\\000${c[1]}` : escapes[c]!))}'`;
    case 'mysql':
      return `'${text.replace(/[\0\b\t\n\r\x1a"'\\]/g, (c) => escapes[c]!)}'`;
    case 'sqlserver':
      // A backslash at the end of a line would join the lines.
      return concatenation(text.split(/(\0)|(?<=\\)(?=[\r\n])/), 'NCHAR(0)', 'N', '+');
    case 'sqlite':
      // The text of a query ends at the character 0.
      return concatenation(text.split(/(\0)/), 'CHAR(0)', '', '||');
  }
}

/** Escapes of the characters that the expressions above find. */
const escapes: Readonly<Record<string, string>> = {
  '\0': '\\0',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\x1a': '\\Z',
  '"': '\\"',
  "'": "\\'",
  '\\': '\\\\',
};

/** Literals without escapes but doubled quotes; a character 0 is a call. */
function concatenation(parts: readonly (string | undefined)[], zero: string, prefix: string, operator: string): string {
  const [first = quoted('', prefix), ...others] = parts.flatMap((part) =>
    part ? [part === '\0' ? zero : quoted(part, prefix)] : [],
  );
  return others.length === 0 ? first : `(${[first, ...others].join(` ${operator} `)})`;
}

function quoted(text: string, prefix: string): string {
  return `${prefix}'${text.replaceAll("'", "''")}'`;
}

/** The pattern of `LIKE` that matches a text itself. */
export function escapedPattern(text: string, dialect: SqlDialect): string {
  return dialect === 'sqlserver' ? text.replace(/[%_[]/g, '[$&]') : text.replace(/[%_\\]/g, '\\$&');
}
