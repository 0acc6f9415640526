/**
 * Finds locals that can hold nothing but what their function made and keeps to itself, whatever it is put into and looked up in: the objects inside of objects that rules
 * like `p[x][y] := z` make. Locals are grouped: two are in one group where they may hold the same collection, and each group has at most one other group for what
 * lies in its collections. Of a group that gets something from outside, or that others get something of, nothing is known. The order of statements does not count.
 */
import { effectsOf } from '../../ir-schema/effects.js';
import type { Block, Operand, Stmt } from '../../ir-schema/plan.js';
import { escapes } from './escapes.js';

type Group = number;

/** A local as it is within an outermost block. */
export interface LocalInBlock {
  readonly block: number;
  readonly local: number;
}

/**
 * Whether each of some locals always holds the function's own.
 * @param shared locals that pass values between outermost blocks; any other is a local of each block's own
 */
export function holdOnlyOwn(
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
  /** The group that a group has become part of, or itself. */
  readonly #parents: Group[] = [];
  /** The group of what lies in a group's collections. */
  readonly #contents: (Group | undefined)[] = [];
  /** Groups whose values may be others', or seen by others; what lies in them may be so as well. */
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
      for (const inner of effectsOf(stmt).blocks) this.visit(inner, index);
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
        if (stmt.source.type === 'local') this.#join(this.#inside(this.of(block, stmt.source.value)), this.of(block, stmt.target));
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
      // Halves the way for whoever comes next.
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
