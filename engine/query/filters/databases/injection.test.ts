/**
 * Hostile texts and names in filters, run against databases: a filter selects the rows that have
 * the text, or finds the column of that name, and nothing else happens. MySQL and SQL Server are
 * not run: their texts and names are read by a database with the same rules for them.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringTerm } from '../../../../compiler/ast/make.js';
import { nowhere } from '../../../../compiler/source/location.js';
import { type Database, openSqlite, plainLiteral, plainName } from '../../../../test/harness/databases/database.js';
import { startPostgres } from '../../../../test/harness/databases/postgres.js';
import type { FilterCondition } from '../condition.js';
import { NamedTarget } from '../mappings.js';
import { sqlKeywords } from '../sql/keywords.js';
import { type SqlValue, sqlParts } from '../sql/write.js';
import { targets } from '../targets.js';

const fragments = [
  "'",
  "''",
  "\\'",
  '"',
  '""',
  '`',
  '``',
  '\\',
  '\\\\',
  ';',
  '--',
  '/*',
  '*/',
  '#',
  ')',
  '(',
  ',',
  '=',
  '%',
  '_',
  '[',
  ']',
  '$1',
  '$$',
  '?',
  ':a',
  '@p1',
  '{',
  '}',
  '|',
  '&',
  '\n',
  '\r',
  '\t',
  '\b',
  '\x1a',
  '\x7f',
  '\u00a0',
  '\u02bc',
  '\uff07',
  '\u2019',
  'é',
  '键',
  '😀',
  ' OR 1=1',
  ' OR TRUE',
  ' UNION SELECT 1',
  '; DROP TABLE t',
  "E'",
  "N'",
  'x',
  'A',
  '0',
  ' ',
  '.',
  '\\x27',
  '\\047',
  '\\u0027',
  'U&"',
];

const hostile = fc.sample(
  fc.array(fc.constantFrom(...fragments), { minLength: 1, maxLength: 7 }).map((parts) => parts.join('')),
  1000,
);

const unchanged = (literal: string) => literal;
/** A literal of MySQL: its escapes, but for two, are those of PostgreSQL. */
const inPostgres = (literal: string) => `E${literal}`;

const column = (table: string, name: string) => ({ type: 'column', table, name }) as const;

function equalTo(text: string, of = column('t', 'c')): FilterCondition {
  return { type: 'compare', operator: 'eq', column: of, value: stringTerm(nowhere, text) };
}

/** @param literal changes a literal to one of the database that runs it */
function written(condition: FilterCondition, target: string, literal = unchanged): string {
  const parts = sqlParts(condition, new NamedTarget(targets.get(target)!, {}));
  return parts.map((part) => (typeof part === 'string' ? part : literal((part as SqlValue).literal))).join('');
}

/** A table of two columns, for one query. */
interface Table {
  readonly name: string;
  readonly column: string;
  readonly rows: readonly string[];
}

/**
 * The numbers of the rows that a condition selects. All statements of the text are run, as a text
 * that ends the query early would have them run.
 */
async function selected(database: Database, { name, column, rows }: Table, condition: string): Promise<readonly unknown[]> {
  const values = rows.map((row, i) => `(${i}, ${plainLiteral(row)})`).join(', ');
  const table = `WITH ${plainName(name)}(id, ${plainName(column)}) AS (VALUES ${values})`;
  await database.execute(`DELETE FROM hits; ${table} INSERT INTO hits SELECT id FROM ${plainName(name)} WHERE ${condition}`);
  return (await database.query('SELECT id FROM hits ORDER BY id')).map(({ id }) => id);
}

/** A row with a text, and rows that a text with a meaning of its own could select. */
function tableWith(text: string): Table {
  const others = ['', 'x', 'x1', `${text}x`, `x${text}`, text.replaceAll('%', 'Z'), text.replaceAll('_', 'Z')];
  return { name: 't', column: 'c', rows: [text, ...others.filter((other) => other !== text)] };
}

const started = startPostgres();
const databases: Database[] = [];
beforeAll(async () => {
  databases.push(openSqlite(), ...[await started].filter((database) => database !== undefined));
  for (const database of databases) await database.execute('CREATE TABLE hits (id INTEGER)');
});
afterAll(async () => {
  for (const database of databases) await database.close();
});

const sqlite = () => databases[0]!;
const postgres = () => databases[1]!;

describe('texts', () => {
  it('of SQLite', async () => {
    for (const text of hostile) {
      expect(await selected(sqlite(), tableWith(text), written(equalTo(text), 'sql+sqlite')), JSON.stringify(text)).toEqual([0]);
    }
  });

  it('with the character 0, of SQLite', async () => {
    for (const text of ['a\0b', '\0', '\0\0x', "\0' OR 1=1 --"]) {
      const query = `SELECT id FROM (SELECT 0 AS id, ? AS c UNION ALL SELECT 1, 'a') AS t WHERE ${written(equalTo(text), 'sql+sqlite')}`;
      expect(await sqlite().query(query, [text])).toEqual([{ id: 0 }]);
    }
  });
});

describe.skipIf((await started) === undefined)('texts in PostgreSQL', () => {
  it.each([
    ['sql+postgresql', unchanged],
    ['sql+mysql', inPostgres],
    // It has no escapes, as standard texts have none.
    ['sql+sqlserver', (literal: string) => literal.slice(1)],
  ])('of %s', async (target, literal) => {
    for (const text of hostile) {
      if (target === 'sql+mysql' && text.includes('\x1a')) continue;
      if (target === 'sql+sqlserver' && /\\[\r\n]/.test(text)) continue;
      expect(await selected(postgres(), tableWith(text), written(equalTo(text), target, literal)), JSON.stringify(text)).toEqual([0]);
    }
  });

  it.each(['sql+postgresql', 'sql+mysql'])('in patterns of %s', async (target) => {
    for (const text of hostile) {
      if (target === 'sql+mysql' && text.includes('\x1a')) continue;
      const table = tableWith(text);
      for (const [operator, method] of [
        ['startswith', 'startsWith'],
        ['contains', 'includes'],
        ['endswith', 'endsWith'],
      ] as const) {
        const condition: FilterCondition = { type: 'match', operator, column: column('t', 'c'), text };
        const want = table.rows.flatMap((row, i) => (row[method](text) ? [i] : []));
        const got = await selected(postgres(), table, written(condition, target, target === 'sql+mysql' ? inPostgres : unchanged));
        expect(got, `${operator} ${JSON.stringify(text)}`).toEqual(want);
      }
    }
  });

  it('with the character 0 are refused by PostgreSQL', async () => {
    const table = tableWith('a');
    for (const text of ['a\0', 'a\x0012', "\0' OR 1=1 --"]) {
      await expect(selected(postgres(), table, written(equalTo(text), 'sql+postgresql'))).rejects.toThrow('invalid byte sequence');
    }
  });
});

/** A column and a table of a name, in a filter that a database reads. */
async function findsName(database: Database, name: string, target: string): Promise<void> {
  // Names without quotes are folded.
  const own = /^\w*$/.test(name) ? name.toLowerCase() : name;
  const rows = ['v', 'w'];
  const literal = () => "'v'";
  const ofColumn = written(equalTo('v', column('n', name)), target, literal);
  expect(await selected(database, { name: 'n', column: own, rows }, ofColumn), JSON.stringify(name)).toEqual([0]);
  const ofTable = written(equalTo('v', column(name, 'c')), target, literal);
  expect(await selected(database, { name: own, column: 'c', rows }, ofTable), JSON.stringify(name)).toEqual([0]);
}

const words = [...new Set(Object.values(sqlKeywords).flatMap((list) => [...list]))].map((word) => word.toLowerCase());

describe('names', () => {
  it('that are keywords, in SQLite', async () => {
    // SQLite does not find columns of a WITH that have the name of a truth value.
    for (const word of words) if (word !== 'true' && word !== 'false') await findsName(sqlite(), word, 'sql+sqlite');
  });

  // The backquotes of MySQL are known to SQLite.
  it.each(['sql+sqlite', 'sql+mysql', 'sql+sqlserver'])('of %s in SQLite', async (target) => {
    for (const name of hostile) await findsName(sqlite(), name, target);
  });
});

describe.skipIf((await started) === undefined)('names in PostgreSQL', () => {
  it('that are keywords', async () => {
    const own = await postgres().query('SELECT word FROM pg_get_keywords()');
    for (const word of [...words, ...own.map((row) => String(row.word))]) await findsName(postgres(), word, 'sql+postgresql');
  });

  it.each(['sql+postgresql', 'sql+sqlserver'])('of %s', async (target) => {
    for (const name of hostile) if (Buffer.byteLength(name) < 64) await findsName(postgres(), name, target);
  });
});
