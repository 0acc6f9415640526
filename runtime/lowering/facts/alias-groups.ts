/**
 * Finds locals that only hold values which have not escaped, also where these are put into
 * collections and looked up again: the objects inside objects that rules like `p[x][y] := z` build.
 * Locals that may hold the same collection form a group, and each group has at most one other group
 * for the values in its collections. A group is open where it gets a value from outside, or where
 * others get one of its values. The order of statements does not count.
 */
import { type Block, blocksOf, type Operand, type Stmt } from '../../../ir-schema/index.js';
import { escapes } from './escapes.js';

type Group = number;

/** A local of an outermost block. */
export interface LocalInBlock {
  readonly block: number;
  readonly local: number;
}

/**
 * Whether some locals only hold values that the function made and that have not escaped.
 * @param shared locals that pass values between outermost blocks; any other belongs to one block
 */
export function holdOnlyUnescaped(
  wanted: readonly LocalInBlock[],
  blocks: readonly Block[],
  params: readonly number[],
  shared: ReadonlySet<number>,
): boolean {
  const groups = new Groups(shared);
  for (const param of params) groups.open(groups.of(0, param));
  blocks.forEach((block, i) => {
    groups.visit(block, i);
  });
  return wanted.every(({ block, local }) => !groups.isOpen(groups.of(block, local)));
}

class Groups {
  readonly #shared: ReadonlySet<number>;
  readonly #ofShared = new Map<number, Group>();
  readonly #ofBlocks: Map<number, Group>[] = [];
  /** The group that each group was joined to, or itself. */
  readonly #parents: Group[] = [];
  /** The group of the values in each group's collections. */
  readonly #contents: (Group | undefined)[] = [];
  /** Groups whose values may have escaped, or may come from outside. */
  readonly #open: boolean[] = [];

  constructor(shared: ReadonlySet<number>) {
    this.#shared = shared;
  }

  of(block: number, local: number): Group {
    const groups = this.#shared.has(local) ? this.#ofShared : (this.#ofBlocks[block] ??= new Map());
    let group = groups.get(local);
    if (group === undefined) groups.set(local, (group = this.#new()));
    return this.#root(group);
  }

  isOpen(group: Group): boolean {
    return this.#open[this.#root(group)]!;
  }

  open(group: Group): void {
    for (let at: Group | undefined = this.#root(group); at !== undefined && !this.#open[at]; ) {
      this.#open[at] = true;
      const inner: Group | undefined = this.#contents[at];
      at = inner === undefined ? undefined : this.#root(inner);
    }
  }

  visit(block: Block, index: number): void {
    for (const stmt of block.stmts) {
      this.#stmt(stmt, index);
      for (const inner of blocksOf(stmt)) this.visit(inner, index);
    }
  }

  #stmt(node: Stmt, block: number): void {
    const { type, stmt } = node;
    const put = (container: number, value: Operand): void => {
      if (value.type === 'local') this.#join(this.#inside(this.of(block, container)), this.of(block, value.value));
    };
    for (const local of escapes(node)) this.open(this.of(block, local));
    switch (type) {
      case 'ArrayAppendStmt':
        return put(stmt.array, stmt.value);
      case 'SetAddStmt':
        return put(stmt.set, stmt.value);
      case 'ObjectInsertStmt':
      case 'ObjectInsertOnceStmt':
        return put(stmt.object, stmt.value);
      case 'AssignVarStmt':
      case 'AssignVarOnceStmt':
        if (stmt.source.type === 'local') this.#join(this.of(block, stmt.source.value), this.of(block, stmt.target));
        return;
      case 'DotStmt':
        if (stmt.source.type === 'local')
          this.#join(this.#inside(this.of(block, stmt.source.value)), this.of(block, stmt.target));
        return;
      case 'ScanStmt':
        this.open(this.of(block, stmt.key));
        return this.#join(this.#inside(this.of(block, stmt.source)), this.of(block, stmt.value));
      case 'CallStmt':
      case 'CallDynamicStmt':
        return this.open(this.of(block, stmt.result));
      case 'ObjectMergeStmt':
        return this.open(this.#inside(this.of(block, stmt.target)));
    }
  }

  #new(): Group {
    const group = this.#parents.length;
    this.#parents.push(group);
    this.#contents.push(undefined);
    this.#open.push(false);
    return group;
  }

  #root(group: Group): Group {
    let at = group;
    while (this.#parents[at] !== at) {
      // Halves the path for later calls.
      this.#parents[at] = this.#parents[this.#parents[at]!]!;
      at = this.#parents[at]!;
    }
    return at;
  }

  #inside(group: Group): Group {
    const root = this.#root(group);
    let inner = this.#contents[root];
    if (inner === undefined) {
      this.#contents[root] = inner = this.#new();
      this.#open[inner] = this.#open[root]!;
    }
    return inner;
  }

  #join(one: Group, other: Group): void {
    for (let [a, b] = [this.#root(one), this.#root(other)]; a !== b; ) {
      const [inA, inB] = [this.#contents[a], this.#contents[b]];
      this.#parents[b] = a;
      this.#contents[a] = inA ?? inB;
      if (this.#open[a] !== this.#open[b]) {
        this.#open[a] = false;
        this.open(a);
      }
      if (inA === undefined || inB === undefined) return;
      [a, b] = [this.#root(inA), this.#root(inB)];
    }
  }
}
