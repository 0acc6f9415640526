import { effectsOf } from '../../../ir-schema/effects.js';
import type { Block, Stmt } from '../../../ir-schema/plan.js';
import { blocksOf } from '../../../ir-schema/walk.js';

/** The statements of a body that read and write each local. */
export class Uses {
  readonly #readers = new Map<number, Stmt[]>();
  readonly #writers = new Map<number, Stmt[]>();
  /** The number behind all locals. */
  next = 0;

  constructor(blocks: readonly Block[]) {
    eachStatement(blocks, (node) => {
      const { reads, writes } = effectsOf(node);
      for (const local of new Set(reads)) this.#add(this.#readers, local, node);
      for (const local of new Set(writes)) this.#add(this.#writers, local, node);
    });
  }

  readers(local: number): readonly Stmt[] {
    return this.#readers.get(local) ?? [];
  }

  writers(local: number): readonly Stmt[] {
    return this.#writers.get(local) ?? [];
  }

  /** Whether all statements that use a local are among some. */
  isWithin(local: number, stmts: ReadonlySet<Stmt>): boolean {
    return this.readers(local).every((node) => stmts.has(node)) && this.writers(local).every((node) => stmts.has(node));
  }

  #add(map: Map<number, Stmt[]>, local: number, node: Stmt): void {
    if (local >= this.next) this.next = local + 1;
    const list = map.get(local);
    if (list === undefined) map.set(local, [node]);
    else list.push(node);
  }
}

/** Calls `visit` for each statement, outer ones first. */
export function eachStatement(blocks: readonly Block[], visit: (node: Stmt) => void): void {
  for (const { stmts } of blocks)
    for (const node of stmts) {
      visit(node);
      eachStatement(blocksOf(node), visit);
    }
}
