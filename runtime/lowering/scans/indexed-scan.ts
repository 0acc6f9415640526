/**
 * Finds scans that compare a value in their elements before they do anything else: `some e in
 * events; e.user == user`. Such a scan does nothing for elements with other values, so the matching
 * ones may be looked up in an index of the array.
 */

import type { LocalUses } from '../../../ir-schema/local-uses.js';
import type { Block, CallStmt, Operand, Stmt } from '../../../ir-schema/plan.js';
import { pathKey } from '../../../values/path-key.js';
import { relations } from '../../operations/operators.js';
import type { Context } from '../context.js';
import type { Tables } from '../tables.js';
import { CalledBodies, firstCalled } from './called-body.js';

type Scan = Stmt & { readonly type: 'ScanStmt' };

/** Where a value is: in an element, or in a member of the collection at `above` in an element. */
interface Part {
  readonly above: readonly string[] | undefined;
  readonly path: readonly string[];
}

interface Match extends Part {
  /** The value to find: a constant, or a local that the scan does not change. */
  readonly wanted: Operand;
}

/** Functions that call each other are read so often. */
const maxEntered = 4;

interface IndexedScan {
  readonly match: Match;
  /** Another comparison of an element behind it, with a value that is no constant. */
  readonly second: Match | undefined;
  /** Statements of the block that compute the values, the same in each round. */
  readonly steps: readonly Stmt[];
  /** Paths without which no round gets to a call in `steps`, apart from those to the value. */
  readonly reached: readonly (readonly string[])[];
}

/** The effects of the statements before the comparison. */
interface Before {
  /** Locals that hold the element or a part of it. */
  readonly parts: Map<number, Part>;
  readonly touched: number[];
  readonly steps: Stmt[];
  /** Locals that the steps assign. */
  readonly computed: Set<number>;
  /** Those of them that hold a constant. */
  readonly constants: Set<number>;
  /** Parts that are looked up before a call: no round gets to it without them. */
  readonly beforeCall: Part[];
  /** Whether an element may fail a test: then some calls behind it may never run. */
  isTested: boolean;
}

/**
 * A comparison in a scan's block with nothing before it but look-ups in the element, tests, and
 * computations that are the same in each round; else undefined. It may be in a scan of a part of
 * the element with which the block ends, or ask for a member of a part. Of several, the first one
 * with a value that is no constant: it tells more elements apart than `status == "active"`.
 */
export function indexedScan(scan: Scan, { facts: { uses }, lookups, tables }: Context): IndexedScan | undefined {
  const { value, block } = scan.stmt;
  let { key } = scan.stmt;
  if (block === null || key === value) return undefined;
  const before: Before = {
    parts: new Map([[value, { above: undefined, path: [] }]]),
    touched: [key, value],
    steps: [],
    computed: new Set(),
    constants: new Set(),
    beforeCall: [],
    isTested: false,
  };
  const { parts, touched, steps, computed, constants } = before;
  const isUnchanged = (operand: Operand) =>
    operand.type !== 'local' ||
    computed.has(operand.value) ||
    lookups.hoisted.has(operand.value) ||
    (operand.value > firstCalled && uses.keeps(operand.value, scan, block));
  let constant: Match | undefined;
  let first: Match | undefined;
  let second: Match | undefined;
  let used = 0;
  let { stmts } = block;
  const bodies = new CalledBodies();
  let entered = 0;
  for (let i = 0; i < stmts.length && second === undefined; i++) {
    const node = stmts[i]!;
    if (isIdle(node) || followsElement(node, key, before, tables.string)) continue;
    if (node.type === 'ScanStmt') {
      if (i < stmts.length - 1 || !entersLoop(node, before)) break;
      key = node.stmt.key;
      stmts = node.stmt.block!.stmts;
      i = -1;
      continue;
    }
    const member = node.type === 'CallStmt' ? memberMatch(node, stmts[i + 1], before, tables) : undefined;
    if (node.type === 'EqualStmt' || member !== undefined) {
      const match = node.type === 'EqualStmt' ? equalMatch(node, parts) : member;
      before.isTested = true;
      if (match === undefined || !isUnchanged(match.wanted) || !isIndexPath(match)) continue;
      // Locals of functions that a round calls are inside of it.
      const isInside = (local: number) =>
        local <= firstCalled || (uses.of(local).definitions === 1 && onlyInside(local, scan, block, uses));
      if (!touched.every(isInside)) break;
      const { wanted, above } = match;
      const isConstant = wanted.type !== 'local' || constants.has(wanted.value);
      const isLate = isConstant && (constant !== undefined || (above !== undefined && !lookups.isData(scan.stmt.source)));
      if (isLate || (first !== undefined && (isConstant || above !== undefined))) continue;
      if (isConstant) constant = match;
      else if (first === undefined) first = match;
      else second = match;
      used = steps.length;
      continue;
    }
    if (isTest(node, tables, touched)) {
      before.isTested = true;
      continue;
    }
    const target = stepTarget(node, tables, isUnchanged);
    if (target === undefined) {
      // Where the function fails, the round does.
      const called = node.type === 'CallStmt' ? tables.funcs.get(node.stmt.func) : undefined;
      const body = called === undefined ? undefined : bodies.of((node.stmt as CallStmt).args ?? [], called);
      if (body === undefined || entered++ === maxEntered) break;
      before.isTested = true;
      stmts = body;
      i = -1;
      continue;
    }
    if (node.type === 'CallStmt') {
      if (before.isTested) break;
      before.beforeCall.push(...parts.values());
    }
    touched.push(target);
    steps.push(node);
    computed.add(target);
    if (node.type.startsWith('Make')) constants.add(target);
  }
  const match = first ?? constant;
  if (match === undefined) return undefined;
  const ahead = steps.slice(0, used);
  const hasCall = ahead.some(({ type }) => type === 'CallStmt');
  return { match, second, steps: ahead, reached: hasCall ? reachedBefore(match, before.beforeCall) : [] };
}

/** Begins a loop over a part of the element. It may have no rounds. */
function entersLoop({ stmt: { source, key, value, block } }: Scan, before: Before): boolean {
  const part = before.parts.get(source);
  if (part === undefined || part.above !== undefined || block === null || key === value) return false;
  before.parts.set(value, { above: part.path, path: [] });
  before.touched.push(key, value);
  before.isTested = true;
  return true;
}

function isIndexPath({ above = [], path }: Part): boolean {
  return !above.includes('__proto__') && !path.includes('__proto__');
}

/** The paths that an element needs so that its round gets to the calls, but for those to a part. */
function reachedBefore({ above = [], path }: Part, beforeCall: readonly Part[]): readonly (readonly string[])[] {
  const whole = [...above, ...path];
  const reached = new Map<string, readonly string[]>();
  for (const part of beforeCall) if (!part.path.every((key, i) => key === whole[i])) reached.set(pathKey(part.path), part.path);
  return [...reached.values()];
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
  const part = parts.get(stmt.source.value);
  if (type === 'AssignVarStmt') {
    if (part === undefined && stmt.source.value !== key) return false;
    if (part !== undefined) parts.set(stmt.target, part);
  } else if (part === undefined || stmt.key.type !== 'string_index') return false;
  else parts.set(stmt.target, { above: part.above, path: [...part.path, stringAt(stmt.key.value)] });
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

function equalMatch({ stmt: { a, b } }: Stmt & { readonly type: 'EqualStmt' }, parts: ReadonlyMap<number, Part>): Match | undefined {
  return matchOf(a, b, parts) ?? matchOf(b, a, parts);
}

/** `wanted in element.members`, if the next statement tests the result. */
function memberMatch(
  { stmt: { func, args, result } }: Stmt & { readonly type: 'CallStmt' },
  test: Stmt | undefined,
  { parts, touched }: Before,
  tables: Tables,
): Match | undefined {
  if (func !== 'internal.member_2' || tables.functions.has(func) || test?.type !== 'NotEqualStmt') return undefined;
  const { a, b } = test.stmt;
  if (a.type !== 'local' || a.value !== result || b.type !== 'bool' || b.value) return undefined;
  const [wanted, collection] = args ?? [];
  const match = wanted === undefined || collection === undefined ? undefined : matchOf(collection, wanted, parts);
  if (match === undefined || match.above !== undefined) return undefined;
  touched.push(result);
  return { above: match.path, path: [], wanted: match.wanted };
}

function matchOf(element: Operand, wanted: Operand, known: ReadonlyMap<number, Part>): Match | undefined {
  if (element.type !== 'local') return undefined;
  const part = known.get(element.value);
  if (part === undefined || (wanted.type === 'local' && known.has(wanted.value))) return undefined;
  return { ...part, wanted };
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
