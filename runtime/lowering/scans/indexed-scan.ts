/**
 * Finds scans that first compare a value in their elements: `some e in events; e.user == user`.
 * Such a scan does nothing for elements with other values, so the matching ones may be looked up
 * in an index of the array.
 */

import type { LocalUses } from '../../../ir-schema/local-uses.js';
import type { Block, Operand, Stmt } from '../../../ir-schema/plan.js';
import type { Context } from '../context.js';
import type { Tables } from '../tables.js';

type Scan = Stmt & { readonly type: 'ScanStmt' };

interface Match {
  /** Where in an element the value is. */
  readonly path: string[];
  /** The value to find: a constant, or a local that the scan does not change. */
  readonly wanted: Operand;
  /** Statements of the block that compute the value, the same in each round. */
  readonly steps: readonly Stmt[];
}

/** The effects of the statements before the comparison. */
interface Before {
  /** Locals that hold the element or a part of it, with the part's path. */
  readonly parts: Map<number, readonly string[]>;
  readonly touched: number[];
  readonly steps: Stmt[];
  /** Locals that the steps assign. */
  readonly computed: Set<number>;
}

/**
 * The first comparison in a scan's block, where only look-ups in the element and computations that
 * are the same in each round come before it; else undefined.
 */
export function indexedScan(scan: Scan, { facts: { uses }, lookups, tables }: Context): Match | undefined {
  const { key, value, block } = scan.stmt;
  if (block === null || key === value) return undefined;
  const before: Before = { parts: new Map([[value, []]]), touched: [key, value], steps: [], computed: new Set() };
  const { parts, touched, steps, computed } = before;
  const isUnchanged = (operand: Operand) =>
    operand.type !== 'local' || computed.has(operand.value) || lookups.hoisted.has(operand.value) || uses.keeps(operand.value, scan, block);
  for (const node of block.stmts) {
    if (isIdle(node) || followsElement(node, key, before, tables.string)) continue;
    if (node.type !== 'EqualStmt') {
      const target = stepTarget(node, tables, isUnchanged);
      if (target === undefined) return undefined;
      touched.push(target);
      steps.push(node);
      computed.add(target);
      continue;
    }
    const match = matchOf(node.stmt.a, node.stmt.b, parts) ?? matchOf(node.stmt.b, node.stmt.a, parts);
    if (match === undefined || match.path.includes('__proto__') || !isUnchanged(match.wanted)) return undefined;
    const isInside = touched.every((local) => uses.of(local).definitions === 1 && onlyInside(local, scan, block, uses));
    return isInside ? { ...match, steps } : undefined;
  }
  return undefined;
}

/** Notes a look-up in the element, or a copy of a part or of the key; false for others. */
function followsElement({ type, stmt }: Stmt, key: number, { parts, touched }: Before, stringAt: (index: number) => string): boolean {
  if ((type !== 'AssignVarStmt' && type !== 'DotStmt') || stmt.source.type !== 'local') return false;
  const path = parts.get(stmt.source.value);
  if (type === 'AssignVarStmt') {
    if (path === undefined && stmt.source.value !== key) return false;
    if (path !== undefined) parts.set(stmt.target, path);
  } else if (path === undefined || stmt.key.type !== 'string_index') return false;
  else parts.set(stmt.target, [...path, stringAt(stmt.key.value)]);
  touched.push(stmt.target);
  return true;
}

/** The local that a statement assigns the same value in each round; undefined for others. */
function stepTarget({ type, stmt }: Stmt, tables: Tables, isUnchanged: (operand: Operand) => boolean): number | undefined {
  switch (type) {
    case 'MakeNullStmt':
    case 'MakeNumberIntStmt':
    case 'MakeNumberRefStmt':
      return stmt.target;
    case 'AssignVarStmt':
      return isUnchanged(stmt.source) ? stmt.target : undefined;
    case 'DotStmt':
      return isUnchanged(stmt.source) && isUnchanged(stmt.key) ? stmt.target : undefined;
    case 'CallStmt':
      return tables.repeatable.has(stmt.func) && (stmt.args ?? []).every(isUnchanged) ? stmt.result : undefined;
    default:
      return undefined;
  }
}

function matchOf(element: Operand, wanted: Operand, known: ReadonlyMap<number, readonly string[]>): Omit<Match, 'steps'> | undefined {
  if (element.type !== 'local') return undefined;
  const path = known.get(element.value);
  if (path === undefined || (wanted.type === 'local' && known.has(wanted.value))) return undefined;
  return { path: [...path], wanted };
}

function onlyInside(local: number, scan: Stmt, block: Block, uses: LocalUses): boolean {
  const { firstRead, lastRead } = uses.of(local);
  return lastRead < 0 || (firstRead > uses.positions.get(scan)! && lastRead < uses.blockEnds.get(block)!);
}

/**
 * Whether a statement does nothing and goes on: the reference's planner writes blocks that only
 * break out of themselves.
 */
function isIdle(node: Stmt): boolean {
  return cutBy(node) === 0;
}

/**
 * How many enclosing blocks a statement cuts short that does nothing but break; undefined for any
 * other.
 */
function cutBy(node: Stmt): number | undefined {
  if (node.type === 'NopStmt') return 0;
  if (node.type === 'BreakStmt') return node.stmt.index + 1;
  if (node.type !== 'BlockStmt') return undefined;
  for (const block of node.stmt.blocks ?? []) {
    let cut: number | undefined = 0;
    for (let i = 0; cut === 0 && i < block.stmts.length; i++) cut = cutBy(block.stmts[i]!);
    if (cut === undefined) return undefined;
    if (cut > 1) return cut - 1;
  }
  return 0;
}
