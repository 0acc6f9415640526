/** Where locals are read and written. */
import { type Effects, effectsOf } from './effects.js';
import type { Block, Stmt } from './plan.js';

/** Where a local is read and written in a function, in the order of the statements. */
interface LocalUse {
  definitions: number;
  /** Statements that change its value in place. */
  mutations: number;
  firstWrite: number;
  lastWrite: number;
  firstRead: number;
  lastRead: number;
}

/**
 * The locals that a block may read as they were when it began. Compilers give the variables of
 * successive rules the same numbers; a local that no block exposes is a variable of each block.
 */
export function exposedReads(block: Block): ReadonlySet<number> {
  return exposedReadsOf(block, []);
}

/** As `exposedReads`; appends the effects of the statements in preorder. */
function exposedReadsOf(block: Block, effects: Effects[]): ReadonlySet<number> {
  const exposed = new Set<number>();
  const defined = new Set<number>();
  /** Locals that the enclosing blocks have defined, those of the innermost last. */
  const added: number[] = [];
  const forget = (from: number): void => {
    while (added.length > from) defined.delete(added.pop()!);
  };
  const visit = (stmts: readonly Stmt[]): void => {
    const outer = added.length;
    for (const stmt of stmts) {
      const effect = effectsOf(stmt);
      effects.push(effect);
      const { reads, writes, blocks } = effect;
      for (const local of reads) if (!defined.has(local)) exposed.add(local);
      const before = added.length;
      for (const local of writes) {
        if (defined.has(local)) continue;
        defined.add(local);
        added.push(local);
      }
      for (const inner of blocks) visit(inner.stmts);
      // Key and value of a scan exist inside it only.
      if (stmt.type === 'ScanStmt') forget(before);
    }
    forget(outer);
  };
  visit(block.stmts);
  return exposed;
}

/**
 * The uses of each local in the outermost blocks of a function. A local that passes values from
 * block to block is one variable; any other is one variable in each block: `enter` says which
 * block. Statements are counted in preorder, so those of a block are contiguous.
 */
export class LocalUses {
  /** Locals that pass values from one outermost block to another, parameters included. */
  readonly shared: ReadonlySet<number>;
  /** By outermost block: the locals that it reads as they were before. */
  readonly exposed: readonly ReadonlySet<number>[];
  /** Preorder position of each statement, and the one after the last statement inside its block. */
  readonly positions = new Map<Stmt, number>();
  readonly blockEnds = new Map<Block, number>();
  readonly #common = new Map<number, LocalUse>();
  readonly #own: Map<number, LocalUse>[] = [];
  #current = 0;
  #next = 0;

  constructor(blocks: readonly Block[], params: readonly number[]) {
    const effects: Effects[] = [];
    this.exposed = blocks.map((block) => exposedReadsOf(block, effects));
    const shared = new Set(params);
    for (const reads of this.exposed) for (const local of reads) shared.add(local);
    this.shared = shared;
    blocks.forEach((block, i) => {
      this.#own.push(new Map());
      this.#current = i;
      this.#visit(block, effects);
    });
    this.#current = 0;
  }

  /** Makes locals that are not shared those of this outermost block. */
  enter(block: number): void {
    this.#current = block;
  }

  #visit(block: Block, effects: readonly Effects[]): void {
    for (const stmt of block.stmts) {
      const at = this.#next++;
      this.positions.set(stmt, at);
      const { reads, writes, mutates, blocks } = effects[at]!;
      for (const local of mutates) this.of(local).mutations++;
      for (const local of reads) {
        const use = this.of(local);
        if (use.lastRead < 0) use.firstRead = at;
        use.lastRead = at;
      }
      for (const local of writes) {
        const use = this.of(local);
        if (use.definitions++ === 0) use.firstWrite = at;
        use.lastWrite = at;
      }
      for (const inner of blocks) this.#visit(inner, effects);
    }
    this.blockEnds.set(block, this.#next);
  }

  of(local: number): LocalUse {
    const uses = this.shared.has(local) ? this.#common : this.#own[this.#current]!;
    let use = uses.get(local);
    if (use === undefined) {
      use = { definitions: 0, mutations: 0, firstWrite: Infinity, lastWrite: -1, firstRead: Infinity, lastRead: -1 };
      uses.set(local, use);
    }
    return use;
  }

  /** Whether a local is assigned in one place only, and belongs to the current outermost block. */
  isAssignedOnce(local: number): boolean {
    return !this.shared.has(local) && this.of(local).definitions === 1;
  }

  isRead(local: number): boolean {
    return this.of(local).lastRead >= 0;
  }

  /** Whether every read of a local comes after a statement, inside that statement's block. */
  readOnlyAfter(local: number, stmt: Stmt, block: Block): boolean {
    const { firstRead, lastRead } = this.of(local);
    return firstRead > this.positions.get(stmt)! && lastRead < this.blockEnds.get(block)!;
  }

  /** Whether every write of a local comes before a statement. */
  writtenBefore(local: number, stmt: Stmt): boolean {
    return this.of(local).lastWrite < this.positions.get(stmt)!;
  }

  /** Whether no statement from one on to the end of a block inside it writes a local. */
  keeps(local: number, stmt: Stmt, block: Block): boolean {
    const { firstWrite, lastWrite } = this.of(local);
    return lastWrite < this.positions.get(stmt)! || firstWrite >= this.blockEnds.get(block)!;
  }
}
