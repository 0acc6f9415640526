/**
 * Objects that get one entry in each round of a loop, with the key of the round:
 * `{key: shown(value) | some key, value in row}`. No two rounds have the same key, so none is
 * looked up before it is added. While they are few texts the object is a plain one.
 */
import type { LoweredBlock, LoweredFunction, LoweredOf, LoweredStmt, Register } from '../../lowering/lowered.js';
import { innerBlocks, outermostBlocks } from '../../lowering/lowered.js';
import { usesOf, writtenBy } from '../../lowering/register-uses.js';

type Insert = LoweredOf<'objectInsert'>;
type Scan = LoweredOf<'scan'>;

/** Statements that change who may change a collection. */
const tracking: ReadonlySet<LoweredStmt['kind']> = new Set(['copyIfEscaped', 'track', 'escape']);

export class LoopEntries {
  /** The loops, by the statements that make and fill their objects. */
  readonly #loops = new Map<LoweredStmt, Scan>();

  constructor(func: LoweredFunction) {
    // Registers that outermost blocks do not share are others in each.
    for (const block of outermostBlocks(func)) {
      const found: [made: LoweredOf<'makeObject'>, insert: Insert, scan: Scan][] = [];
      find(block, found);
      if (found.length === 0) continue;
      const uses = usesOf(block);
      for (const [made, insert, scan] of found) {
        if (made.target < func.cleared || !isOnlyFilled(made, insert, scan, uses)) continue;
        this.#loops.set(made, scan).set(insert, scan);
      }
    }
  }

  /** The loop of an object of which this makes or fills one. */
  of(stmt: LoweredStmt): Scan | undefined {
    return this.#loops.get(stmt);
  }
}

/** Finds objects of any keys, and what a loop behind them adds that is in no other one. */
function find(block: LoweredBlock, found: [LoweredOf<'makeObject'>, Insert, Scan][]): void {
  const made = new Map<Register, LoweredOf<'makeObject'>>();
  const inLoop = (stmts: LoweredBlock, scan: Scan): void => {
    for (const stmt of stmts) {
      const object = stmt.kind === 'objectInsert' && stmt.key === scan.key ? made.get(stmt.object) : undefined;
      if (object !== undefined) found.push([object, stmt as Insert, scan]);
      if (stmt.kind !== 'scan') for (const inner of innerBlocks(stmt)) inLoop(inner, scan);
    }
  };
  const behind = (stmts: LoweredBlock): void => {
    for (const stmt of stmts) {
      if (stmt.kind === 'makeObject' && stmt.anyKeys) made.set(stmt.target, stmt);
      if (stmt.kind === 'scan') {
        if (made.size > 0) inLoop(stmt.block, stmt);
        for (const inner of innerBlocks(stmt)) find(inner, found);
      } else for (const inner of innerBlocks(stmt)) behind(inner);
    }
  };
  behind(block);
}

function isOnlyFilled(
  made: LoweredOf<'makeObject'>,
  insert: Insert,
  scan: Scan,
  uses: ReadonlyMap<Register, readonly LoweredStmt[]>,
): boolean {
  const { target } = made;
  const isKey = (uses.get(scan.key) ?? []).every(
    (stmt) => stmt === scan || (stmt.kind !== 'scan' && writtenBy(stmt) !== scan.key),
  );
  if (!isKey || scan.value === scan.key || insert.value === target) return false;
  return (uses.get(target) ?? []).every((stmt) => {
    if (stmt === made || stmt === insert) return true;
    if (stmt.kind === 'scan') return stmt.key !== target && stmt.value !== target;
    if (writtenBy(stmt) === target || tracking.has(stmt.kind)) return false;
    return stmt.kind !== 'objectInsert' || stmt.object !== target;
  });
}
