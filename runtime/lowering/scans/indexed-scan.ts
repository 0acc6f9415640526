/**
 * Finds scans that first compare a value in their elements: `some e in events; e.user == user`.
 * Such a scan does nothing for elements with other values, so the matching ones may be looked up
 * in an index of the array.
 */

import type { LocalUses } from '../../../ir-schema/local-uses.js';
import type { Block, Operand, Stmt } from '../../../ir-schema/plan.js';

interface Match {
  /** Where in an element the value is. */
  readonly path: string[];
  /** The value to find: a constant, or a local that the scan does not change. */
  readonly wanted: Operand;
}

/**
 * The first comparison in a scan's block, where only look-ups in the element come before it; else
 * undefined.
 * @param hoisted locals whose value the scan does not change although it stands in its block
 */
export function indexedScan(
  scan: Stmt & { type: 'ScanStmt' },
  uses: LocalUses,
  stringAt: (index: number) => string,
  hoisted: ReadonlyMap<number, number>,
): Match | undefined {
  const { key, value, block } = scan.stmt;
  if (block === null || key === value) return undefined;
  const known = new Map<number, readonly string[]>([[value, []]]);
  const touched = [key, value];
  for (const node of block.stmts) {
    const { type, stmt } = node;
    if (type === 'AssignVarStmt' && stmt.source.type === 'local' && (stmt.source.value === key || known.has(stmt.source.value))) {
      touched.push(stmt.target);
      const path = known.get(stmt.source.value);
      if (path !== undefined) known.set(stmt.target, path);
    } else if (type === 'DotStmt' && stmt.source.type === 'local' && stmt.key.type === 'string_index' && known.has(stmt.source.value)) {
      touched.push(stmt.target);
      known.set(stmt.target, [...known.get(stmt.source.value)!, stringAt(stmt.key.value)]);
    } else if (type === 'EqualStmt') {
      const match = matchOf(stmt.a, stmt.b, known) ?? matchOf(stmt.b, stmt.a, known);
      if (match === undefined || match.path.includes('__proto__')) return undefined;
      const { wanted } = match;
      const unchanged = wanted.type !== 'local' || hoisted.has(wanted.value) || uses.keeps(wanted.value, scan, block);
      return unchanged && touched.every((local) => uses.of(local).definitions === 1 && onlyInside(local, scan, block, uses))
        ? match
        : undefined;
    } else if (!isIdle(node) && !(type === 'DotStmt' && hoisted.has(stmt.target))) return undefined;
  }
  return undefined;
}

function matchOf(element: Operand, wanted: Operand, known: ReadonlyMap<number, readonly string[]>): Match | undefined {
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
