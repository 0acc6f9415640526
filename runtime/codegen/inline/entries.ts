/**
 * Objects that loops fill, `{key: shown(value) | some key, value in row}`, and rules that are such
 * objects. While their keys are few texts that come in order they are plain: no key is looked up
 * before it is added, and results of decisions have the same order as those of the machine.
 */
import type {
  LoweredBlock,
  LoweredFunction,
  LoweredOf,
  LoweredOperand,
  LoweredStmt,
  Register,
} from '../../lowering/lowered.js';
import { outermostBlocks } from '../../lowering/lowered.js';
import { eachBlock, usesOf, writtenBy } from '../../lowering/register-uses.js';

type Uses = ReadonlyMap<Register, readonly LoweredStmt[]>;

/** Statements that change who may change a collection. */
const tracking: ReadonlySet<LoweredStmt['kind']> = new Set(['copyIfEscaped', 'track', 'escape']);

export class LoopEntries {
  /** The statements that make and fill such objects. */
  readonly #statements = new Set<LoweredStmt>();
  /** The registers of their keys. */
  readonly keys = new Set<LoweredOperand>();

  constructor(func: LoweredFunction) {
    const blocks = outermostBlocks(func);
    if (fillsOthers(blocks)) return;
    // Registers that outermost blocks do not share are others in each.
    for (const block of blocks) this.#read(block, (register) => register >= func.cleared);
    if (blocks.length > 1) this.#read(blocks.flat(), (register) => register < func.cleared);
  }

  /** Whether a statement makes or fills one. */
  has(stmt: LoweredStmt): boolean {
    return this.#statements.has(stmt);
  }

  #read(block: LoweredBlock, isTaken: (register: Register) => boolean): void {
    const made: LoweredOf<'makeObject'>[] = [];
    eachBlock(block, (inner) => {
      for (const stmt of inner) if (stmt.kind === 'makeObject' && stmt.anyKeys && isTaken(stmt.target)) made.push(stmt);
    });
    if (made.length === 0) return;
    const uses = usesOf(block);
    for (const stmt of made) {
      const users = usersOf(stmt, uses);
      if (users === undefined) continue;
      this.#statements.add(stmt);
      for (const one of users) {
        this.#statements.add(one);
        this.keys.add(one.key);
      }
    }
  }
}

/**
 * Whether an object is filled under another name, such as one in an object: that name would not get
 * the copy that takes any key.
 */
function fillsOthers(blocks: readonly LoweredBlock[]): boolean {
  const filled = new Set<Register>();
  const others = new Set<Register>();
  for (const outermost of blocks)
    eachBlock(outermost, (block) => {
      for (const stmt of block) {
        if (stmt.kind === 'objectInsert') filled.add(stmt.object);
        if (stmt.kind === 'scan') others.add(stmt.key).add(stmt.value);
        const written = stmt.kind === 'makeObject' ? undefined : writtenBy(stmt);
        if (written !== undefined) others.add(written);
      }
    });
  return !filled.isDisjointFrom(others);
}

/** The statements that fill an object; undefined where others may change it. */
function usersOf(made: LoweredOf<'makeObject'>, uses: Uses): readonly LoweredOf<'objectInsert'>[] | undefined {
  const { target } = made;
  const inserts: LoweredOf<'objectInsert'>[] = [];
  for (const stmt of uses.get(target) ?? []) {
    if (stmt === made) continue;
    if (stmt.kind === 'objectInsert' && stmt.object === target) {
      if (!stmt.once || stmt.key === target || stmt.value === target) return undefined;
      inserts.push(stmt);
    } else if (stmt.kind === 'scan' && (stmt.key === target || stmt.value === target)) return undefined;
    else if (writtenBy(stmt) === target || tracking.has(stmt.kind)) return undefined;
  }
  return inserts.length > 0 ? inserts : undefined;
}
