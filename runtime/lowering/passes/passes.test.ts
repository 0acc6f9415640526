/** Each pass fires on the policy of its row, and the page about lowering has the row. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compile } from '../../../compiler/compile.js';
import type { Block, Policy, Stmt } from '../../../ir-schema/plan.js';
import { loadPlan } from '../../../ir-schema/validate.js';
import { allAtOnce } from '../../../values/steps.js';
import type { Value } from '../../../values/value.js';
import { Lowering } from '../lower/lower.js';
import { innerBlocks, type LoweredBlock, type LoweredFunction, type LoweredStmt, outermostBlocks } from '../lowered.js';
import { passes } from './passes.js';

type Name = (typeof passes)[number]['name'];

/** A block as the reference plans it: its loops do not end with a constant. */
function withoutExits({ stmts }: Block): Block {
  const left = stmts.filter((node, i) => node.type !== 'BreakStmt' || stmts[i - 1]?.type !== 'AssignVarOnceStmt');
  const inner = (node: Stmt) =>
    node.type === 'ScanStmt' && node.stmt.block !== null ? { ...node, stmt: { ...node.stmt, block: withoutExits(node.stmt.block) } } : node;
  return { stmts: left.map(inner) };
}

/** The plan of a policy; `isForeign` as in its row. */
function planOf(policy: string, isForeign: boolean): Policy {
  const plan = loadPlan(compile({ policies: { 'p.rego': `package p\n\n${policy}\n` }, entrypoints: ['p/allow'] }));
  if (!isForeign) return plan;
  const funcs = (plan.funcs?.funcs ?? []).map((func) => ({ ...func, blocks: (func.blocks ?? []).map(withoutExits) }));
  return { ...plan, funcs: { funcs } };
}

/** The functions of a plan, lowered with the passes or without them. */
function lowered(plan: Policy, isCold: boolean): { functions: readonly LoweredFunction[]; constants: readonly Value[] } {
  const lowering = isCold ? Lowering.cold(plan) : allAtOnce(Lowering.over(plan));
  const functions = (plan.funcs?.funcs ?? []).map((func) => allAtOnce(lowering.func(func)));
  return { functions, constants: lowering.tables.constants };
}

function statementsOf(functions: readonly LoweredFunction[]): readonly LoweredStmt[] {
  const all = (block: LoweredBlock): readonly LoweredStmt[] => block.flatMap((stmt) => [stmt, ...innerBlocks(stmt).flatMap(all)]);
  return functions.flatMap(outermostBlocks).flatMap(all);
}

const isComparison = ({ kind }: LoweredStmt) => kind === 'notEqual' || kind === 'notEqualConst';

/** Whether a statement of the function shows that a pass has fired. */
const shows: Record<
  Exclude<Name, 'dispatch' | 'quick functions' | 'data rules'>,
  (stmt: LoweredStmt, constants: readonly Value[]) => boolean
> = {
  constants: (stmt, constants) => stmt.kind === 'equal' && [stmt.a, stmt.b].some((one) => one < 0 && Array.isArray(constants[-1 - one])),
  'early exit': (stmt) => stmt.kind === 'moveOnce' && stmt.exits,
  'hoisted look-ups': ({ kind }) => kind === 'dotAhead',
  'literal members': (stmt) => stmt.kind === 'not' && stmt.block.length === 2 && stmt.block.every(isComparison),
  'indexed scans': (stmt) => stmt.kind === 'scan' && stmt.index?.second !== undefined,
  'distinct rounds': ({ kind }) => kind === 'distinctRound',
  groups: (stmt) => stmt.kind === 'scan' && stmt.groups !== undefined,
  'any order': (stmt) => stmt.kind === 'scan' && stmt.anyOrder,
  'first element': ({ kind }) => kind === 'endLoop',
};

function fires({ name, policy, ...row }: (typeof passes)[number], isCold: boolean): boolean {
  const { functions, constants } = lowered(planOf(policy, 'isForeign' in row), isCold);
  if (name === 'dispatch') return functions.some(({ body }) => body.some(({ kind }) => kind === 'dispatch'));
  if (name === 'quick functions') return functions.some(({ isQuick }) => isQuick);
  if (name === 'data rules') return functions.some(({ isOfData }) => isOfData);
  return statementsOf(functions).some((stmt) => shows[name](stmt, constants));
}

test.each(passes)('$name: fires on its policy', (row) => {
  expect(fires(row, false)).toBe(true);
});

// Whether a function is quick is asked of its lowered statements, which a cold one has, too.
test.each(passes.filter(({ name }) => name !== 'quick functions'))('$name: does not fire where nothing is analysed', (row) => {
  expect(fires(row, true)).toBe(false);
});

const page = readFileSync('docs/internals/lowering.md', 'utf8');

test.each(passes)('$name: is on the page about lowering', ({ name, file, decides, because, plans }) => {
  expect(existsSync(file)).toBe(true);
  const cells = [`${name} (\`${file}\`)`, decides, because, plans.toLocaleString('en')].map((cell) => cell.replaceAll('|', '\\|'));
  expect(page).toContain(`| ${cells.join(' | ')} |\n`);
});

test('the page has no other passes', () => {
  const [table] = page.split('## Passes\n')[1]!.split('\n## ');
  expect(table!.match(/^\|/gm)).toHaveLength(passes.length + 2);
});
