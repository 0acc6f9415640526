/**
 * Finds scans that compare a value in their elements before they do anything else: `some e in
 * events; e.user == user`. Such a scan does nothing for elements with other values, so the matching
 * ones may be looked up in an index of the array.
 */

import type { LocalUses } from '../../../ir-schema/local-uses.js';
import type { Block, Operand, Stmt } from '../../../ir-schema/plan.js';
import { relations } from '../../operations/operators.js';
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
  /** Those of them that hold a constant. */
  readonly constants: Set<number>;
  /** Parts that are looked up before a call: no round gets to it without them. */
  readonly beforeCall: (readonly string[])[];
  /** Whether an element may fail a test: then some calls behind it may never run. */
  isTested: boolean;
}

/**
 * A comparison in a scan's block with nothing before it but look-ups in the element, tests, and
 * computations that are the same in each round; else undefined. Of several, the first one with a
 * value that is no constant: it tells more elements apart than `status == "active"`.
 */
export function indexedScan(scan: Scan, { facts: { uses }, lookups, tables }: Context): Match | undefined {
  const { key, value, block } = scan.stmt;
  if (block === null || key === value) return undefined;
  const before: Before = {
    parts: new Map([[value, []]]),
    touched: [key, value],
    steps: [],
    computed: new Set(),
    constants: new Set(),
    beforeCall: [],
    isTested: false,
  };
  const { parts, touched, steps, computed, constants } = before;
  const isUnchanged = (operand: Operand) =>
    operand.type !== 'local' || computed.has(operand.value) || lookups.hoisted.has(operand.value) || uses.keeps(operand.value, scan, block);
  let best: Match | undefined;
  for (const node of block.stmts) {
    if (isIdle(node) || followsElement(node, key, before, tables.string)) continue;
    if (node.type === 'EqualStmt') {
      const match = matchOf(node.stmt.a, node.stmt.b, parts) ?? matchOf(node.stmt.b, node.stmt.a, parts);
      before.isTested = true;
      if (match === undefined || !isUnchanged(match.wanted) || !isIndexPath(match.path, before.beforeCall)) continue;
      if (!touched.every((local) => uses.of(local).definitions === 1 && onlyInside(local, scan, block, uses))) break;
      const { wanted } = match;
      const isConstant = wanted.type !== 'local' || constants.has(wanted.value);
      if (!isConstant) return { ...match, steps: [...steps] };
      best ??= { ...match, steps: [...steps] };
      continue;
    }
    if (isTest(node, tables, touched)) {
      before.isTested = true;
      continue;
    }
    const target = stepTarget(node, tables, isUnchanged);
    if (target === undefined) break;
    if (node.type === 'CallStmt') {
      if (before.isTested) break;
      before.beforeCall.push(...parts.values());
    }
    touched.push(target);
    steps.push(node);
    computed.add(target);
    if (node.type.startsWith('Make')) constants.add(target);
  }
  return best;
}

/** Whether an index by a path leads to calls before the comparison exactly where a round does. */
function isIndexPath(path: readonly string[], beforeCall: readonly (readonly string[])[]): boolean {
  return !path.includes('__proto__') && beforeCall.every((part) => part.every((key, i) => key === path[i]));
}

/**
 * Whether a statement does nothing but to end the round or not, and to write locals, which are
 * added to `touched`.
 */
function isTest({ type, stmt }: Stmt, tables: Tables, touched: number[]): boolean {
  switch (type) {
    case 'NotEqualStmt':
    case 'IsDefinedStmt':
    case 'IsUndefinedStmt':
      return true;
    case 'CallStmt':
      if (tables.functions.has(stmt.func) || (!relations.has(stmt.func) && stmt.func !== 'internal.member_2')) return false;
      touched.push(stmt.result);
      return true;
    case 'NotStmt':
      return (stmt.block?.stmts ?? []).every((inner) => {
        if (inner.type === 'EqualStmt') return true;
        if (inner.type !== 'DotStmt') return isTest(inner, tables, touched);
        touched.push(inner.stmt.target);
        return true;
      });
    default:
      return false;
  }
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
