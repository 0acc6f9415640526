/** `logs`: decision logs in a database, and questions to them. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { runWith, withFiles } from '../../test/harness/command.js';
import { entry } from '../../test/harness/command-helpers.js';

type Members = Readonly<Record<string, unknown>>;

function event(number: number, members: Members = {}): Members {
  return {
    decision_id: `d${number}`,
    path: 'authz/allow',
    input: { user: `u${number % 3}`, action: 'read' },
    result: number % 2 === 0,
    timestamp: `2026-11-28T10:00:${String(number % 60).padStart(2, '0')}.000000001Z`,
    metrics: { timer_server_handler_ns: 1_000_000 * (number + 1) },
    bundles: { authz: { revision: number < 10 ? '1' : '2' } },
    ...members,
  };
}

const events = Array.from({ length: 20 }, (_, i) => event(i));

function lines(all: readonly Members[]): string {
  return all.map((one) => `${JSON.stringify(one)}\n`).join('');
}

/** Runs commands on a database of events. */
async function withEvents(
  files: Readonly<Record<string, string | Uint8Array>>,
  use: (logs: (...args: string[]) => ReturnType<typeof runWith>, dir: string) => Promise<void>,
): Promise<void> {
  await withFiles(files, async (dir) => {
    const db = join(dir, 'decisions.db');
    await use(async (name, ...args) => {
      const { exit, stdout, stderr } = await runWith({ entry }, ['logs', name!, '--db', db, ...args]);
      return { exit, stdout: stdout.replaceAll(`${dir}/`, ''), stderr: stderr.replaceAll(`${dir}/`, '') };
    }, dir);
  });
}

async function rowsOf(logs: (...args: string[]) => ReturnType<typeof runWith>, ...args: string[]) {
  const { stdout, stderr } = await logs(...args, '-f', 'json');
  expect(stderr).toBe('');
  return stdout
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Members);
}

test('lines, gzip arrays and standard input have the same events', async () => {
  const files = { 'a.log': lines(events), 'b.json.gz': gzipSync(JSON.stringify(events)) };
  await withEvents(files, async (logs, dir) => {
    expect(await logs('import', join(dir, 'a.log'))).toEqual({
      exit: 0,
      stdout: '20 events imported into decisions.db\n',
      stderr: '',
    });
    expect((await logs('import', join(dir, 'b.json.gz'))).stdout).toBe('0 events imported into decisions.db (20 were there already)\n');
    const stdin = () => new TextEncoder().encode(lines([event(20)]));
    const { stdout } = await runWith({ stdin }, ['logs', 'import', '--db', join(dir, 'decisions.db'), '-']);
    expect(stdout).toContain('1 events imported');
    expect(await rowsOf(logs, 'query', 'SELECT count(*) AS n FROM events')).toEqual([{ n: 21 }]);
  });
});

test('a record that is no event ends the import, and nothing is imported', async () => {
  const broken = `${lines(events.slice(0, 3))}{"decision_id": 5}\n${lines(events.slice(3))}`;
  await withEvents({ 'a.log': lines(events), 'b.log': broken, 'c.log': `${lines(events)}\u0000{"path":` }, async (logs, dir) => {
    expect(await logs('import', join(dir, 'a.log'), join(dir, 'b.log'))).toEqual({
      exit: 1,
      stdout: '',
      stderr: 'error: b.log:4: its decision_id is no text\n',
    });
    expect(existsSync(join(dir, 'decisions.db'))).toBe(false);
    await logs('import', join(dir, 'a.log'));
    const added = await logs('import', join(dir, 'c.log'));
    expect(added.exit).toBe(1);
    expect(added.stderr).toMatch(/^error: c\.log:21: it is no JSON: /);
    expect(await logs('import', '--skip-broken', join(dir, 'b.log'))).toEqual({
      exit: 0,
      stdout: '0 events imported into decisions.db (20 were there already, 1 broken)\n',
      stderr: 'error: b.log:4: its decision_id is no text\n',
    });
    expect(await rowsOf(logs, 'query', 'SELECT count(*) AS n FROM events')).toEqual([{ n: 20 }]);
  });
});

test('values keep their digits, and hostile texts do not reach the terminal', async () => {
  const odd =
    '{"decision_id":"\\u001b[2Jx","path":"a/b","input":{"n":12345678901234567890.12},"result":1e400,"timestamp":"2026-11-28T10:00:00.123456789Z"}\n';
  const deep = `{"decision_id":"deep","path":"a/b","input":${'['.repeat(2000)}${']'.repeat(2000)},"result":true}\n`;
  await withEvents({ 'a.log': odd + deep }, async (logs, dir) => {
    await logs('import', join(dir, 'a.log'));
    const { stdout } = await logs('query', '-f', 'csv', "SELECT event, time_ns, result FROM events WHERE key <> 'deep'");
    expect(stdout).toContain('12345678901234567890.12');
    expect(stdout).toContain(',1795860000123456789,1e400\r\n');
    const table = await logs('query', 'SELECT decision_id FROM events ORDER BY number');
    expect(table.stdout).toContain('\\u001b[2Jx');
    expect(table.stdout).not.toContain('\u001b');
    expect((await logs('query', 'SELECT * FROM by_input_field')).exit).toBe(0);
    expect((await logs('top', '--by', 'input.n')).exit).toBe(0);
  });
});

test('a query asks in SQL, and cannot write', async () => {
  await withEvents({ 'a.log': lines(events) }, async (logs, dir) => {
    await logs('import', join(dir, 'a.log'));
    expect((await logs('query')).stdout).toMatch(/^events: number, key, decision_id, .*\nby_input_field: field, /);
    expect(await rowsOf(logs, 'query', 'SELECT * FROM by_path')).toMatchObject([
      { path: 'authz/allow', events: 20, allowed: 10, denied: 10, errors: 0 },
    ]);
    expect(await rowsOf(logs, 'query', 'SELECT * FROM by_latency')).toMatchObject([
      { events: 20, min_ms: 1, p50_ms: 10, p95_ms: 19, max_ms: 20 },
    ]);
    expect(await rowsOf(logs, 'query', "SELECT value, count(*) AS n FROM input_fields WHERE field = 'input.user' GROUP BY 1")).toEqual([
      { value: 'u0', n: 7 },
      { value: 'u1', n: 7 },
      { value: 'u2', n: 6 },
    ]);
    expect(await logs('query', 'DELETE FROM events')).toMatchObject({ exit: 1, stdout: '', stderr: expect.stringMatching(/^error: /) });
    expect(await logs('query', 'SELECT nowhere FROM events')).toEqual({ exit: 1, stdout: '', stderr: 'error: no such column: nowhere\n' });
    expect(await rowsOf(logs, 'query', 'SELECT count(*) AS n FROM events')).toEqual([{ n: 20 }]);
  });
});

test.each([
  'PRAGMA cache_size = 1',
  'pragma table_info(events)',
  "ATTACH 'other.db' AS other",
  'BEGIN',
  "VACUUM INTO 'copy.db'",
  '\n-- SELECT\nDROP TABLE events',
  '/* SELECT 1 */ PRAGMA user_version = 7',
  '',
])('%j is no query', async (sql) => {
  await withEvents({ 'a.log': lines(events) }, async (logs, dir) => {
    await logs('import', join(dir, 'a.log'));
    const before = readdirSync(dir);
    expect(await logs('query', sql)).toEqual({
      exit: 1,
      stdout: '',
      stderr: 'error: a query begins with SELECT, WITH, VALUES or EXPLAIN\n',
    });
    expect(readdirSync(dir)).toEqual(before);
  });
});

test('what a query may spend is bounded', async () => {
  await withEvents({ 'a.log': lines(events) }, async (logs, dir) => {
    await logs('import', join(dir, 'a.log'));
    const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT';
    expect(await logs('query', '--timeout', '300ms', `${endless} count(*) FROM n`)).toEqual({
      exit: 1,
      stdout: '',
      stderr: 'error: the query took longer than 0.3 s: see --timeout\n',
    });
    // Rows that have come are written, and the error says that there would be more.
    const some = await logs('query', '--timeout', '1s', '-f', 'csv', `${endless} i FROM n`);
    expect(some).toMatchObject({ exit: 1, stderr: expect.stringContaining('longer than 1 s') });
    expect(some.stdout).toMatch(/^i\r\n1\r\n2\r\n/);
    expect(await logs('query', `${endless} i FROM n`)).toMatchObject({ exit: 0, stderr: expect.stringContaining('first 1000 rows') });
    const large = 'SELECT length(group_concat(event || hex(zeroblob(100000000)))) AS n FROM events';
    expect((await logs('query', large)).stderr).toMatch(/^error: (out of memory|string or blob too big)\n$/);
    expect(await rowsOf(logs, 'query', "/* all */ VALUES (1, 'a', x'00', 1.5, NULL)")).toEqual([
      { column1: 1, column2: 'a', column3: 'AA==', column4: 1.5, column5: null },
    ]);
  });
});

test('the rules of explanations are counted', async () => {
  const why = [{ rule: 'data.authz.allow', file: 'authz.rego', row: 8, outcome: 'fails' }];
  await withEvents({ 'a.log': lines([event(1, { why }), event(2, { why: { missing: 'x' } }), event(3, { why })]) }, async (logs, dir) => {
    await logs('import', join(dir, 'a.log'));
    expect(await rowsOf(logs, 'top', '--by', 'rule')).toEqual([
      { rule: 'data.authz.allow', file: 'authz.rego', row: 8, rule_outcome: 'fails', events: 2 },
    ]);
  });
});

test('top counts columns and fields of the input', async () => {
  await withEvents({ 'a.log': lines(events) }, async (logs, dir) => {
    await logs('import', join(dir, 'a.log'));
    expect(await rowsOf(logs, 'top', '--by', 'input.user', '-n', '2')).toMatchObject([
      { value: 'u0', events: 7, percent: 35 },
      { value: 'u1', events: 7 },
    ]);
    expect(await rowsOf(logs, 'top', '--by', 'latency', '-n', '1')).toMatchObject([{ ms: 20, decision_id: 'd19' }]);
    expect(await logs('top', '--by', 'nothing')).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining('--by nothing: count by path, '),
    });
  });
});

test('two revisions are compared by the inputs that both have seen', async () => {
  const changed = [
    ...events,
    event(100, { input: { action: 'read', user: 'u1' }, result: true, bundles: { authz: { revision: '3' }, roles: {} } }),
    event(101, { input: { action: 'read', user: 'u9' }, result: true, bundles: { authz: { revision: '3' } } }),
    event(102, { input: { action: 'read', user: 'u0' }, result: undefined, bundles: { authz: { revision: '3' } } }),
  ];
  await withEvents({ 'a.log': lines(changed) }, async (logs, dir) => {
    await logs('import', join(dir, 'a.log'));
    expect((await rowsOf(logs, 'changes')).map(({ revision, events }) => [revision, events])).toEqual([
      ['authz=1', 10],
      ['authz=2', 10],
      ['authz=3, roles', 1],
      ['authz=3', 2],
    ]);
    expect(await rowsOf(logs, 'changes', '2', '3')).toEqual([
      { path: 'authz/allow', before: 'false', after: 'true', inputs: 1, example_before: 'd19', example_after: 'd100' },
      { path: 'authz/allow', before: 'true', after: 'undefined', inputs: 1, example_before: 'd18', example_after: 'd102' },
    ]);
    expect(await logs('changes', '2', '9%')).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining('there is no event of the revision "9%"'),
    });
  });
});

test('a sample has rare outcomes, is repeated, and is a log or fixtures', async () => {
  const rare = [...Array.from({ length: 200 }, (_, i) => event(2 * i)), event(501), event(503, { masked: ['/input/user'] })];
  await withEvents({ 'a.log': lines(rare) }, async (logs, dir) => {
    await logs('import', join(dir, 'a.log'));
    const { stdout } = await logs('sample', '-n', '4');
    const sampled = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Members);
    expect(sampled.map(({ result }) => result).sort()).toEqual([false, false, true, true]);
    expect((await logs('sample', '-n', '4')).stdout).toBe(stdout);
    expect((await logs('sample', '-n', '4', '--seed', 'other')).stdout).not.toBe(stdout);
    const out = join(dir, 'fixtures');
    await logs('sample', '-n', '3', '--where', "outcome = 'false'", '--as', 'fixtures', '-o', out);
    expect(readdirSync(out)).toEqual(['1.json']);
    expect(JSON.parse(readFileSync(join(out, '1.json'), 'utf8'))).toEqual({
      decision_id: 'd501',
      path: 'authz/allow',
      input: { user: 'u0', action: 'read' },
      result: false,
    });
  });
});

test('files that are no such database are named', async () => {
  await withEvents({ 'a.log': lines(events), 'no.db': 'no database, but longer than a header of SQLite' }, async (logs, dir) => {
    expect(await logs('query', 'SELECT 1')).toMatchObject({
      exit: 1,
      stderr: 'error: decisions.db: there is no such database: writ logs import makes it\n',
    });
    const other = new DatabaseSync(join(dir, 'other.db'));
    other.exec('CREATE TABLE t (a)');
    other.close();
    for (const [file, problem] of [
      ['no.db', 'file is not a database'],
      ['other.db', 'it is no database of decision events'],
    ] as const) {
      const before = readFileSync(join(dir, file));
      const { exit, stderr } = await runWith({}, ['logs', 'import', '--db', join(dir, file), join(dir, 'a.log')]);
      expect([exit, stderr.replaceAll(`${dir}/`, '')]).toEqual([1, `error: ${file}: ${problem}\n`]);
      expect(readFileSync(join(dir, file))).toEqual(before);
    }
    expect(await logs('import', join(dir, 'none.log'))).toMatchObject({
      stdout: '',
      stderr: expect.stringContaining('none.log: no such file'),
    });
    expect(existsSync(join(dir, 'decisions.db'))).toBe(false);
    writeFileSync(join(dir, 'empty.log'), '');
    expect(await logs('import', join(dir, 'empty.log'))).toMatchObject({
      exit: 1,
      stderr: 'error: there is no event of a decision log: nothing was imported\n',
    });
  });
});
