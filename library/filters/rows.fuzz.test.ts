/**
 * Random filters, run in databases: the rows that they select are those that the policy allows, one
 * by one. A column that is null may only be left out. `WRIT_RUNS=5000` runs more of them.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Database, openSqlite, plainLiteral } from '../../test/harness/databases/database.js';
import { startPostgres } from '../../test/harness/databases/postgres.js';
import { selects } from '../../test/harness/filters/prisma.js';
import { holds } from '../../test/harness/filters/ucast.js';
import { randomCases } from '../../test/harness/set-up/random-cases.js';
import { Engine, type FilterTarget } from '../index.js';

interface Row {
  readonly [column: string]: number | string | boolean | null;
}

const texts = ['', 'a', 'ab', 'b', 'A', 'a%', 'a_b', "o'b", 'é', 'a\\b'];
const numbers = [-2, 0, 1, 1.5, 2, 10];

const runs = randomCases(150);
vi.setConfig({ testTimeout: 180_000 + runs * 400 });

/** Rows of all types; each third has nulls. */
const rows: readonly Row[] = fc.sample(
  fc.record({
    n: fc.constantFrom(...numbers),
    m: fc.constantFrom(...numbers),
    c: fc.constantFrom(...texts),
    d: fc.constantFrom(...texts),
    f: fc.boolean(),
  }),
  { numRuns: 40, seed: 7 },
);
const withNulls = rows.map(
  (row, i): Row => (i % 3 === 0 ? { ...row, n: null, c: null } : i % 3 === 1 ? { ...row, m: null, f: null } : row),
);

const comparison = fc.constantFrom('==', '!=', '<', '<=', '>', '>=');
const number = fc.constantFrom('input.t.n', 'input.t.m');
const text = fc.constantFrom('input.t.c', 'input.t.d');
const knownNumber = fc.constantFrom(...numbers.map(String), 'input.limit', 'data.limits.low', 'count(input.names)');
const knownText = fc.constantFrom(...texts.map((value) => JSON.stringify(value)), 'input.name', 'lower(input.name)');

const list = (item: fc.Arbitrary<string>) => fc.array(item, { maxLength: 4 }).map((items) => `[${items.join(', ')}]`);

const simple = fc.oneof(
  fc.tuple(number, comparison, knownNumber).map((parts) => parts.join(' ')),
  // A minus at the start of a line would go on with the line before.
  fc.tuple(knownNumber, comparison, number).map(([value, ...rest]) => `to_number(${value}) ${rest.join(' ')}`),
  fc.tuple(text, comparison, knownText).map((parts) => parts.join(' ')),
  fc.tuple(fc.constant('input.t.n'), comparison, fc.constant('input.t.m')).map((parts) => parts.join(' ')),
  fc.tuple(fc.constant('input.t.d'), comparison, fc.constant('input.t.c')).map((parts) => parts.join(' ')),
  fc
    .tuple(fc.constantFrom('input.t.n', 'input.t.c', 'input.t.f'), fc.constantFrom('==', '!='), fc.constant('null'))
    .map((parts) => parts.join(' ')),
  fc.tuple(number, list(knownNumber)).map(([column, items]) => `${column} in ${items}`),
  fc.tuple(text, list(fc.oneof(knownText, fc.constant('null')))).map(([column, items]) => `${column} in ${items}`),
  fc.tuple(fc.constant('input.t.f =='), fc.constantFrom('true', 'false')).map((parts) => parts.join(' ')),
);

const search = fc
  .tuple(fc.constantFrom('startswith', 'endswith', 'contains'), text, knownText)
  .map(([name, column, value]) => `${name}(${column}, ${value})`);

/** Expressions that stand in bodies: negated, through rules and functions, known. */
const expression = (hasSearch: boolean) => {
  const one = hasSearch ? fc.oneof({ weight: 4, arbitrary: simple }, search) : simple;
  return fc.oneof(
    { weight: 6, arbitrary: one },
    { weight: 2, arbitrary: one.map((inner) => `not ${inner}`) },
    fc.constantFrom('helper', 'not helper', 'other', 'not other', 'between(input.t.n)', 'input.open', 'not input.open', 'known("a")'),
    fc.constantFrom(
      'deep',
      'not deep',
      'tier > 1',
      'tier == input.t.n',
      'input.t.m in lows',
      'short["ab"]',
      'not short.b',
      'not shallow',
      'free with input.open as true',
    ),
    number.map((column) => `above(${column})`),
  );
};

/** Rules inside rules, and rules of known values. */
const fixed = [
  'deep if {\n\tnot shallow\n\tinput.t.n != 1\n}\n',
  'shallow if input.t.c == input.name\n',
  'shallow if {\n\tnot input.t.m > 1\n\tnot free\n}\n',
  'free if input.open\n',
  'free if input.t.f == true\n',
  'tier := 2 if input.open\nelse := 1 if count(input.names) > 0\n',
  'lows := {x | some x in [0, 1, 2, 10]; x <= input.limit}\n',
  'short contains input.t.c if input.t.n < 2\n',
  'short contains name if {\n\tsome name in [input.t.d, "b"]\n\tinput.open\n}\n',
];

function policyOf(bodies: readonly (readonly string[])[], helper: readonly string[], other: readonly string[]): string {
  const rule = (name: string, body: readonly string[]) => `${name} if {\n${body.map((expr) => `\t${expr}\n`).join('')}}\n`;
  const inner = (body: readonly string[]) => body.map((expr) => (/helper|other/.test(expr) ? 'input.open' : expr));
  return [
    'package p\n',
    ...bodies.map((body) => rule('allow', body)),
    rule('helper', inner(helper)),
    'helper if input.t.m == 2\n',
    'default other := false\n',
    rule('other', inner(other)),
    'between(x) if {\n\tx > 0\n\tx < data.limits.high\n}\n',
    'above(x) if {\n\tsome low in [0, 2]\n\tx > low\n}\n',
    'known(x) if x == input.name\n',
    ...fixed,
  ].join('\n');
}

const policies = (hasSearch: boolean) => {
  const body = fc.array(expression(hasSearch), { minLength: 1, maxLength: 3 });
  return fc.tuple(fc.array(body, { minLength: 1, maxLength: 3 }), body, body).map((parts) => policyOf(...parts));
};

const inputs = fc.record({
  open: fc.boolean(),
  limit: fc.constantFrom(...numbers),
  name: fc.constantFrom(...texts),
  names: fc.constantFrom([], ['x'], ['x', 'y']),
});
const data = { limits: { low: 1, high: 9 } };

const started = startPostgres();
const databases = new Map<FilterTarget, Database>();

beforeAll(async () => {
  databases.set('sqlite', openSqlite());
  const postgres = await started;
  if (postgres !== undefined) databases.set('postgresql', postgres);
  for (const database of databases.values()) {
    for (const [table, members] of [
      ['t', rows],
      ['nulls', withNulls],
    ] as const) {
      await database.execute(`CREATE TABLE ${table} (id INTEGER, n NUMERIC, m NUMERIC, c TEXT, d TEXT, f BOOLEAN)`);
      const values = members.map((row, i) => `(${[i, ...['n', 'm', 'c', 'd', 'f'].map((name) => literal(row[name]!))].join(', ')})`);
      await database.execute(`INSERT INTO ${table} VALUES ${values.join(', ')}`);
    }
  }
});
afterAll(async () => {
  for (const database of databases.values()) await database.close();
});

function literal(value: number | string | boolean | null): string {
  return value === null ? 'NULL' : typeof value === 'string' ? plainLiteral(value) : String(value);
}

function allowed(engine: Engine, input: object, members: readonly Row[]): readonly number[] {
  return members.flatMap((row, i) => (engine.decide('p/allow', { ...input, t: row }).result === true ? [i] : []));
}

async function selected(database: Database, from: string, condition: string, values?: readonly unknown[]): Promise<readonly number[]> {
  const found = await database.query(`SELECT id FROM ${from} AS t WHERE ${condition} ORDER BY id`, values);
  return found.map(({ id }) => Number(id));
}

async function check(target: 'sqlite' | 'postgresql', policy: string, input: object): Promise<void> {
  const database = databases.get(target)!;
  await using engine = await Engine.open({ policies: { 'p.rego': policy }, data });
  const { where, text, values } = await engine.filter('p/allow', { target, unknowns: ['input.t'], input });
  const want = allowed(engine, input, rows);
  expect(await selected(database, 't', where), where).toEqual(want);
  expect(await selected(database, 't', text, values), text).toEqual(want);
  const permitted = allowed(engine, input, withNulls);
  const found = await selected(database, 'nulls', where);
  expect(
    found.filter((id) => !permitted.includes(id)),
    where,
  ).toEqual([]);
}

test('rows of SQLite are those of the policy', async () => {
  await fc.assert(
    fc.asyncProperty(policies(false), inputs, (policy, input) => check('sqlite', policy, input)),
    { numRuns: runs },
  );
});

test.skipIf((await started) === undefined)('rows of PostgreSQL are those of the policy', async () => {
  await fc.assert(
    fc.asyncProperty(policies(true), inputs, (policy, input) => check('postgresql', policy, input)),
    { numRuns: runs },
  );
});

test('rows of UCAST are those of the policy', async () => {
  await fc.assert(
    fc.asyncProperty(policies(true), inputs, async (policy, input) => {
      await using engine = await Engine.open({ policies: { 'p.rego': policy }, data });
      const options = { target: 'ucast+all', unknowns: ['input.t'], input } as const;
      const filter = await engine.filter('p/allow', options).catch((error: Error) => {
        // It cannot ask whether a column is null.
        if (!error.message.includes('existence of field')) throw error;
      });
      fc.pre(filter !== undefined);
      const { condition } = filter;
      const found = rows.flatMap((row, i) => (condition !== undefined && holds(condition, row) ? [i] : []));
      expect(found, JSON.stringify(condition)).toEqual(allowed(engine, input, rows));
    }),
    { numRuns: runs },
  );
});

test('rows of Prisma are those of the policy', async () => {
  await fc.assert(
    fc.asyncProperty(policies(true), inputs, async (policy, input) => {
      await using engine = await Engine.open({ policies: { 'p.rego': policy }, data });
      const options = { target: 'prisma', unknowns: ['input.t'], input } as const;
      const filter = await engine.filter('p/allow', options).catch((error: Error) => {
        // Prisma compares no columns.
        if (!error.message.includes('reference to field')) throw error;
      });
      fc.pre(filter !== undefined);
      const found = rows.flatMap((row, i) => (selects(filter.where, row) ? [i] : []));
      expect(found, JSON.stringify(filter.where)).toEqual(allowed(engine, input, rows));
    }),
    { numRuns: runs },
  );
});
