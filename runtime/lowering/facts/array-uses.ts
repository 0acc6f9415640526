/** The statements of a function by the arrays that they make, extend and read. */
import { type Block, blocksOf, effectsOf, type LocalUses, type Stmt } from '../../../ir-schema/index.js';

export type Scan = Stmt & { readonly type: 'ScanStmt' };

/** A statement that makes an array. */
interface Making {
  readonly at: number;
  /** The position behind the last statement of its block. */
  readonly end: number;
  /** The innermost loop around it. */
  readonly loop: Scan | undefined;
}

interface ArrayUse {
  readonly making: Making[];
  /** Positions of the appends, in their order. */
  readonly appends: number[];
  /** Statements that read the array, other than to append another value to it. */
  readonly readers: Stmt[];
}

/** One walk for all loops of a function: to walk it for each takes the square of its length. */
export class ArrayUses {
  /** Uses of arrays by local. */
  readonly #arrays = new Map<number, ArrayUse>();
  /** Locals that get the result of `walk`. */
  readonly walks = new Set<number>();
  /** Around each loop. */
  readonly #loops = new Map<Scan, Scan | undefined>();
  readonly #uses: LocalUses;

  constructor(blocks: readonly Block[], uses: LocalUses) {
    this.#uses = uses;
    for (const block of blocks) this.#visit(block, undefined);
  }

  /** The statements that read an array, other than to append another value to it. */
  readers(array: number): readonly Stmt[] {
    return this.#arrays.get(array)?.readers ?? [];
  }

  /**
   * Whether only the rounds of a loop append to an array: it is made anew before the loop begins,
   * and no loop around them goes on with it.
   */
  isFilledBy(scan: Scan, block: Block, array: number): boolean {
    const { making, appends } = this.#use(array);
    const [start, end] = this.#uses.span(scan, block);
    const loop = this.#loops.get(scan);
    const isMade = making.some((made) => made.at < start && start < made.end && made.loop === loop);
    return isMade && appends[0]! > start && appends.at(-1)! < end;
  }

  #visit(block: Block, loop: Scan | undefined): void {
    for (const node of block.stmts) {
      const { type, stmt } = node;
      const at = this.#uses.positions.get(node)!;
      if (type === 'ScanStmt') this.#loops.set(node, loop);
      if (type === 'CallStmt' && stmt.func === 'walk') this.walks.add(stmt.result);
      if (type === 'MakeArrayStmt')
        this.#use(stmt.target).making.push({ at, end: this.#uses.blockEnds.get(block)!, loop });
      if (type === 'ArrayAppendStmt') this.#use(stmt.array).appends.push(at);
      for (const local of effectsOf(node).reads) if (!isOwnAppend(node, local)) this.#use(local).readers.push(node);
      for (const inner of blocksOf(node)) this.#visit(inner, type === 'ScanStmt' ? node : loop);
    }
  }

  #use(array: number): ArrayUse {
    let use = this.#arrays.get(array);
    if (use === undefined) {
      use = { making: [], appends: [], readers: [] };
      this.#arrays.set(array, use);
    }
    return use;
  }
}

/** Whether a statement reads a local only to append another value to it. */
function isOwnAppend({ type, stmt }: Stmt, local: number): boolean {
  if (type !== 'ArrayAppendStmt' || stmt.array !== local) return false;
  return stmt.value.type !== 'local' || stmt.value.value !== local;
}
