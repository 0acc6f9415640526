import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Policy, Stmt, StmtType } from '../../ir-schema/plan.js';
import { loadPlan } from '../../ir-schema/validate.js';
import { blocksOf, walkStatements } from '../../ir-schema/walk.js';
import { textOfLines } from './code-line.js';
import { listingLines } from './plan-listing.js';
import { PlanView } from './plan-view.js';

function read(path: string): unknown {
  return JSON.parse(readFileSync(join(import.meta.dirname, '../../fixtures', path), 'utf8'));
}

const example = loadPlan(read('bundles/example/plan.json'));
const every = loadPlan((read('plans/every-statement.json') as { cases: [{ plan: unknown }] }).cases[0].plan);

function listed(policy: Policy, ...names: readonly string[]): string {
  const view = new PlanView(policy);
  return textOfLines(listingLines(policy, view.addresses, view.select(names)));
}

/** Without the padding before positions. */
function squeezed(listing: string): string {
  return listing.replaceAll(/ {2,}(?=(?:\S+:\d+:[-:\d]+|no position)$)/gm, '  ');
}

test('a plan shows its statements nested by indentation, with strings in place and source positions', () => {
  expect(squeezed(listed(example, 'g0.data.authz.allow')).split('\n').slice(0, 10)).toEqual([
    'func g0.data.authz.allow(input, data) returns l2 path g0/authz/allow',
    '  block 0',
    '  0.0    ResetLocal l3  policy.rego:7:1-6',
    '  0.1    Dot l4 := input["user"]  policy.rego:8:3-30',
    '  0.2    Dot l5 := data["roles"]  policy.rego:8:3-30',
    '  0.3    Dot l6 := l5[l4]  policy.rego:8:3-30',
    '  0.4    Scan l6 as l7, l8  policy.rego:8:3-30',
    '  0.4.0    Equal l8 == "admin"  policy.rego:8:3-30',
    '  0.4.1    AssignVarOnce l3 := true  policy.rego:7:1-6',
    '  block 1',
  ]);
});

test('every statement has a line of its own, in the words of the format', () => {
  const lines = squeezed(listed(every))
    .split('\n')
    .map((line) => line.replace(/^ +[\d.]+ +/, '').replace(/-[:\d]+$/, ''));
  for (const line of [
    'MakeNull l4 := null  every.rego:7:1',
    'MakeNumberInt l5 := 42  every.rego:8:1',
    'MakeNumberRef l6 := 1e400  every.rego:9:1',
    'AssignInt l7 := -1  every.rego:10:1',
    'MakeArray l8 := [] capacity 2  every.rego:11:1',
    'ArrayAppend l8, false  every.rego:11:4',
    'MakeSet l9 := set()  every.rego:12:1',
    'SetAdd l9, "b"  every.rego:12:2',
    'Len l10 := l9  every.rego:13:1',
    'Nop  every.rego:13:1',
    'MakeObject l11 := {}  every.rego:14:1',
    'ObjectInsertOnce l11["x"] := l5  every.rego:14:2',
    'ObjectInsert l12["x"] := true  every.rego:14:5',
    'ObjectMerge l13 := l11, l12  every.rego:14:1',
    'IsObject l13  every.rego:15:1',
    'IsArray l8  every.rego:15:1',
    'IsSet l9  every.rego:15:1',
    'IsDefined l5  every.rego:15:1',
    'IsUndefined l7  every.rego:15:1',
    'Equal l5 == l5  every.rego:15:1',
    'NotEqual l5 != true  every.rego:15:1',
    'Not  every.rego:15:1',
    'Break 0  every.rego:15:7',
    'AssignVar l16 := l15  every.rego:16:3',
    'Block  every.rego:17:1',
    'Call l17 := g0.data.every.double(input, data, l5)  every.rego:18:1',
    'Call l18 := count("four")  every.rego:18:9',
    'With input["user"] := "bob"  every.rego:19:1',
    'CallDynamic l19 := ["g0", "every", "user"](input, data)  every.rego:19:1',
    'ResultSetAdd l21  every.rego:20:1',
    'ReturnLocal l3  every.rego:1:1',
  ]) {
    expect(lines).toContain(line);
  }
});

test('the fixture holds every kind of statement, and each prints as one line', () => {
  const kinds = new Set<StmtType>();
  let count = 0;
  let blocks = 0;
  walkStatements(every, (stmt) => {
    kinds.add(stmt.type);
    count++;
    if (stmt.type === 'BlockStmt') blocks += blocksOf(stmt).length;
  });
  expect(kinds.size).toBe(34);
  const bodies = [...every.plans!.plans!, ...every.funcs!.funcs!];
  const outer = bodies.reduce((sum, { blocks: own }) => sum + 1 + own!.length, 0);
  const lines = listed(every)
    .split('\n')
    .filter((line) => line !== '');
  expect(lines).toHaveLength(count + blocks + outer);
});

test('an entrypoint is listed with the functions that it can reach, by static and by dynamic calls', () => {
  const lonely = { name: 'g0.data.every.lonely', path: ['g0', 'every', 'lonely'], params: [0, 1], return: 2, blocks: [] };
  const policy: Policy = { ...every, funcs: { funcs: [...every.funcs!.funcs!, lonely] } };
  const heads = listed(policy, 'eval')
    .split('\n')
    .filter((line) => /^\S/.test(line));
  expect(heads).toEqual([
    'plan "eval"',
    'func g0.data.every.double(input, data, l2) returns l3 path g0/every/double',
    'func g0.data.every.user(input, data) returns l2 path g0/every/user',
  ]);
  expect(listed(policy)).toContain('func g0.data.every.lonely');
});

test('addresses are whole on request, and deep statements are not indented without end', () => {
  const view = new PlanView(every);
  const lines = listingLines(every, view.addresses, view.addresses.owners, { fullAddresses: true });
  for (const { text, at } of lines) if (at !== undefined) expect(text).toMatch(new RegExp(`^  ${at.replaceAll(/[.[\]]/g, '\\$&')} +\\w`));
  expect(lines.filter(({ at }) => at !== undefined)).toHaveLength(view.addresses.size);
});

test('indexes that point nowhere show as numbers, long strings are cut', () => {
  const stmt: Stmt = {
    type: 'EqualStmt',
    stmt: { a: { type: 'string_index', value: 0 }, b: { type: 'string_index', value: 9 }, file: 3, row: 1, col: 2, end_row: 1, end_col: 2 },
  };
  const policy: Policy = {
    static: { strings: [{ value: 'x'.repeat(1e6) }] },
    plans: { plans: [{ name: 'a', blocks: [{ stmts: [stmt] }] }] },
  };
  expect(squeezed(listed(policy))).toContain(`Equal "${'x'.repeat(60)}…" == <string 9>  <file 3>:1:2\n`);
});

test.each([
  ['a position', { row: 3, col: 1, end_row: 3, end_col: 9 }, 'p.rego:3:1-9'],
  ['a position over several lines', { row: 3, col: 1, end_row: 4, end_col: 2 }, 'p.rego:3:1-4:2'],
  ['a position whose end is not known', { row: 3, col: 1, end_row: 0, end_col: 0 }, 'p.rego:3:1'],
  ['no position', { row: 0, col: 0, end_row: 0, end_col: 0 }, 'no position'],
  ['a position in a query without a name', { file: 1, row: 1, col: 5, end_row: 1, end_col: 8 }, '<query>:1:5-8'],
])('%s is shown', (_title, place, wanted) => {
  const stmts: Stmt[] = [{ type: 'NopStmt', stmt: { file: 0, ...place } }];
  const policy: Policy = {
    static: { files: [{ value: 'p.rego' }, { value: '' }] },
    plans: { plans: [{ name: 'a', blocks: [{ stmts }] }] },
  };
  expect(squeezed(listed(policy)).split('\n')[2]).toBe(`  0.0  Nop  ${wanted}`);
});

test('a plan of more statements than a call has arguments is listed', () => {
  const stmts: readonly Stmt[] = Array.from({ length: 150_000 }, () => ({
    type: 'NopStmt',
    stmt: { file: 0, col: 1, row: 1, end_col: 0, end_row: 0 },
  }));
  const policy = loadPlan({
    static: { strings: [], builtin_funcs: [], files: [{ value: 'a.rego' }] },
    plans: { plans: [{ name: 'p', blocks: [{ stmts }] }] },
    funcs: { funcs: [] },
  });
  expect(listed(policy).split('\n')).toHaveLength(2 + stmts.length + 1);
});
