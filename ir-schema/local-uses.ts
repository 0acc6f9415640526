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
  const definitions = new Definitions();
  const visit = (stmts: readonly Stmt[]): void => {
    for (const stmt of stmts) {
      const effect = effectsOf(stmt);
      effects.push(effect);
      const { reads, writes, blocks } = effect;
      for (const local of reads) if (!definitions.has(local)) exposed.add(local);
      if (stmt.type === 'BreakStmt') definitions.leave(stmt.stmt.index);
      else if (stmt.type !== 'BlockStmt') definitions.mayBeCut();
      const before = definitions.size;
      if (stmt.type !== 'ScanStmt' || blocks.length > 0) for (const local of writes) definitions.add(local);
      for (const inner of blocks) {
        definitions.enter(before, stmt.type === 'BlockStmt');
        visit(inner.stmts);
        definitions.end();
      }
    }
  };
  definitions.enter(0, false);
  visit(block.stmts);
  return exposed;
}

/** A block around the current statement. */
interface OpenBlock {
  /** The definitions before it. The key and value of a scan exist inside it only. */
  readonly start: number;
  /** Whether it is one of a `BlockStmt`: behind others, their definitions do not count. */
  readonly isPlain: boolean;
  /** Whether one of its own statements may end it: what later ones of these know is more. */
  isCut: boolean;
  /** Locals that it defines on each way to its end so far; undefined where none leads there. */
  ends: readonly number[] | undefined;
}

/**
 * The locals that are defined on each way to the current statement. A block may end at each of its
 * statements that can be cut short, and at a break.
 */
class Definitions {
  readonly #defined = new Set<number>();
  /** In the order of their definition, so those of the innermost block are last. */
  readonly #added: number[] = [];
  readonly #open: OpenBlock[] = [];
  /** Whether the last statement was a break. */
  #hasLeft = false;

  has(local: number): boolean {
    return this.#defined.has(local);
  }

  get size(): number {
    return this.#added.length;
  }

  add(local: number): void {
    if (this.#defined.has(local)) return;
    this.#defined.add(local);
    this.#added.push(local);
  }

  enter(start: number, isPlain: boolean): void {
    this.#open.push({ start, isPlain, isCut: false, ends: undefined });
    this.#hasLeft = false;
  }

  /** The current statement may end its block. */
  mayBeCut(): void {
    this.#hasLeft = false;
    // Each statement is inside a block.
    const block = this.#open.at(-1)!;
    if (!block.isCut) this.#arrive(block, this.#added.length);
    block.isCut = true;
  }

  /** A break ends the block `index`, 0 is the innermost. */
  leave(index: number): void {
    const at = this.#open.length - 1 - index;
    const target = this.#open[at];
    if (target === undefined) return;
    const inside = this.#open.slice(at + 1).find(({ isPlain }) => !isPlain);
    this.#arrive(target, inside?.start ?? this.#added.length);
    this.#hasLeft = true;
  }

  /** The innermost block ends: what each way to its end defines is defined from here on. */
  end(): void {
    const block = this.#open.pop()!;
    if (!this.#hasLeft) this.#arrive(block, this.#added.length);
    this.#hasLeft = false;
    for (const local of this.#added.splice(block.start)) this.#defined.delete(local);
    if (block.isPlain) for (const local of block.ends ?? []) this.add(local);
  }

  #arrive(block: OpenBlock, size: number): void {
    if (block.ends?.length === 0) return;
    const { ends } = block;
    if (ends === undefined) {
      block.ends = this.#added.slice(block.start, size);
      return;
    }
    const here = new Set(this.#added.slice(block.start, size));
    block.ends = ends.filter((local) => here.has(local));
  }
}

/** The uses of a local that nobody looked for: it may be read, written and changed in any place. */
const anyUse: LocalUse = {
  definitions: Infinity,
  mutations: Infinity,
  firstWrite: 0,
  lastWrite: Infinity,
  firstRead: 0,
  lastRead: Infinity,
};

/**
 * The uses of each local in the outermost blocks of a function. A local that passes values from
 * block to block is one variable; any other is one variable in each block: `enter` says which
 * block. Statements are counted in preorder, so those of a block are contiguous.
 */
export class LocalUses {
  /** Locals that pass values from one outermost block to another, parameters included. */
  readonly shared: ReadonlySet<number>;
  /** The locals that each outermost block reads as they were before. */
  readonly exposed: readonly ReadonlySet<number>[];
  /** Preorder position of each statement, and the one after the last statement inside its block. */
  readonly positions = new Map<Stmt, number>();
  readonly blockEnds = new Map<Block, number>();
  readonly #common = new Map<number, LocalUse>();
  readonly #own: readonly Map<number, LocalUse>[];
  /** The uses in the current outermost block. */
  #current = new Map<number, LocalUse>();
  #next = 0;
  readonly #isKnown: boolean;

  /** The uses of a function that was not read. */
  static unknown(): LocalUses {
    return new LocalUses([], [], false);
  }

  constructor(blocks: readonly Block[], params: readonly number[], isKnown = true) {
    this.#isKnown = isKnown;
    const effects: Effects[] = [];
    this.exposed = blocks.map((block) => exposedReadsOf(block, effects));
    const shared = new Set(params);
    for (const reads of this.exposed) for (const local of reads) shared.add(local);
    this.shared = shared;
    this.#own = blocks.map((block) => {
      this.#current = new Map();
      this.#visit(block, effects);
      return this.#current;
    });
    this.enter(0);
  }

  /** Makes locals that are not shared those of this outermost block. */
  enter(block: number): void {
    this.#current = this.#own[block] ?? new Map();
  }

  /** @param effects of all statements, in preorder */
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
    if (!this.#isKnown) return anyUse;
    const uses = this.shared.has(local) ? this.#common : this.#current;
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

  /**
   * The position of a statement, and the one after the last statement of its block. Of a function
   * that was not read they are no numbers: no comparison with them holds.
   */
  span(stmt: Stmt, block: Block): readonly [start: number, end: number] {
    return [this.#at(stmt), this.blockEnds.get(block) ?? NaN];
  }

  #at(stmt: Stmt): number {
    return this.positions.get(stmt) ?? NaN;
  }

  /**
   * Whether every read of a local comes after a statement, inside that statement's block; so also
   * if there is none.
   */
  readOnlyAfter(local: number, stmt: Stmt, block: Block): boolean {
    const { firstRead, lastRead } = this.of(local);
    const [start, end] = this.span(stmt, block);
    return firstRead > start && lastRead < end;
  }

  /** Whether every write of a local comes before a statement. */
  writtenBefore(local: number, stmt: Stmt): boolean {
    return this.of(local).lastWrite < this.#at(stmt);
  }

  /** Whether no statement from one on to the end of a block inside it writes a local. */
  keeps(local: number, stmt: Stmt, block: Block): boolean {
    const { firstWrite, lastWrite } = this.of(local);
    const [start, end] = this.span(stmt, block);
    return lastWrite < start || firstWrite >= end;
  }
}
