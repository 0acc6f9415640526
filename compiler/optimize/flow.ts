/** Definitions and their reads: the basis of each pass that moves, renames or removes a local. */

import { effectsOf, type Stmt } from '../../ir-schema/index.js';
import { countWhile } from '../../values/index.js';
import type { PlanBody } from './map-bodies.js';

/**
 * A statement that assigns a local, where no other statement writes the local while the value can
 * be read: in the rest of the statement's block, or, for the key and the value of a scan, in the
 * scan's block. Every read there sees this value.
 */
export interface Definition {
  readonly local: number;
  /** The statement that writes; undefined for a parameter. */
  readonly node: Stmt | undefined;
  /** Its position: statements are counted in preorder. */
  readonly position: number;
  /** Positions of the reads, from `start` to before `end`. */
  readonly start: number;
  readonly end: number;
  /** The number of reads in that range. */
  reads: number;
}

interface Uses {
  /** Ascending, as all lists of positions here. */
  readonly writes: number[];
  readonly candidates: Definition[];
  readonly reads: number[];
  readonly mutations: number[];
  definitions: readonly Definition[];
  /** Reads whose definition is not known. */
  loose: number;
}

export class LocalFlow {
  /** The statement at each position. */
  readonly nodes: Stmt[] = [];
  /** The position after the last statement inside each. */
  readonly ends: number[] = [];
  /** The end of the block that holds each statement. */
  readonly blockEnds: number[] = [];
  /** The position of the statement around each one's block; -1 in an outermost block. */
  readonly parents: number[] = [];
  /** One more than the highest number of a local. */
  locals = 2;
  /** The locals that each statement writes. */
  readonly #writes: (readonly number[])[] = [];
  readonly #uses = new Map<number, Uses>();

  constructor({ blocks, params, result }: PlanBody) {
    for (const { stmts } of blocks) this.#visit(stmts, -1);
    const total = this.nodes.length;
    for (const local of params) {
      this.#of(local).candidates.unshift({ local, node: undefined, position: -1, start: 0, end: total, reads: 0 });
    }
    // The local that a function returns is read by its callers.
    if (result !== undefined) this.#of(result).loose++;
    for (const uses of this.#uses.values()) settle(uses);
    this.#writes.length = 0;
  }

  #visit(stmts: readonly Stmt[], parent: number): void {
    const first = this.nodes.length;
    for (const node of stmts) {
      const position = this.nodes.push(node) - 1;
      this.ends.push(0);
      this.blockEnds.push(0);
      this.parents.push(parent);
      const { reads, writes, mutates, blocks } = effectsOf(node);
      for (const local of reads) this.#of(local).reads.push(position);
      for (const local of mutates) this.#of(local).mutations.push(position);
      this.#writes.push(writes);
      for (const local of writes) this.#of(local).writes.push(position);
      for (const { stmts: inner } of blocks) this.#visit(inner, position);
      this.ends[position] = this.nodes.length;
    }
    const end = this.nodes.length;
    for (let at = first; at < end; at = this.ends[at]!) {
      this.blockEnds[at] = end;
      if (this.#writes[at]!.length > 0) this.#define(at, this.#writes[at]!);
    }
  }

  #define(position: number, writes: readonly number[]): void {
    const node = this.nodes[position]!;
    // These write only at times, or restore the old value.
    if (node.type === 'AssignVarOnceStmt' || node.type === 'WithStmt') return;
    if (node.type === 'ScanStmt') {
      if (writes[0] === writes[1]) return;
      for (const local of writes)
        this.#candidate({ local, node, position, start: position + 1, end: this.ends[position]!, reads: 0 });
    } else {
      const [start, end] = [this.ends[position]!, this.blockEnds[position]!];
      for (const local of writes) this.#candidate({ local, node, position, start, end, reads: 0 });
    }
  }

  #candidate(definition: Definition): void {
    this.#of(definition.local).candidates.push(definition);
  }

  #of(local: number): Uses {
    let uses = this.#uses.get(local);
    if (uses === undefined) {
      uses = { writes: [], candidates: [], reads: [], mutations: [], definitions: [], loose: 0 };
      this.#uses.set(local, uses);
      this.locals = Math.max(this.locals, local + 1);
    }
    return uses;
  }

  /**
   * The definition that a read of a local at a position sees; undefined if several are possible.
   */
  definition(local: number, position: number): Definition | undefined {
    const definitions = this.#uses.get(local)?.definitions ?? [];
    const found = definitions[lastAtMost(definitions, position, ({ start }) => start)];
    return found !== undefined && position < found.end ? found : undefined;
  }

  /** The definition by a statement, where every read sees one definition. */
  definitionAt(local: number, position: number): Definition | undefined {
    const definitions = this.#uses.get(local)?.definitions ?? [];
    const found = definitions[lastAtMost(definitions, position, (definition) => definition.position)];
    return found?.position === position ? found : undefined;
  }

  /** Whether a read of a local may see a definition that is not known. */
  isLoose(local: number): boolean {
    return (this.#uses.get(local)?.loose ?? 0) > 0;
  }

  isWritten(local: number, from: number, to: number): boolean {
    return this.writes(local, from, to) > 0;
  }

  /** How many statements from a position to before another one write a local. */
  writes(local: number, from: number, to: number): number {
    const writes = this.#uses.get(local)?.writes ?? [];
    return lastAtMost(writes, to - 1, same) - lastAtMost(writes, from - 1, same);
  }

  isMutated(local: number, from = 0, to = this.nodes.length): boolean {
    const mutations = this.#uses.get(local)?.mutations ?? [];
    return lastAtMost(mutations, to - 1, same) > lastAtMost(mutations, from - 1, same);
  }

  /** The first position, from one on, that reads or writes a local. */
  firstMention(local: number, from: number): number | undefined {
    const uses = this.#uses.get(local);
    if (uses === undefined) return undefined;
    const next = (list: readonly number[]) => list[lastAtMost(list, from - 1, same) + 1];
    const [read, written] = [next(uses.reads), next(uses.writes)];
    return read === undefined || (written !== undefined && written < read) ? written : read;
  }

  /** Positions of the reads that see a definition. */
  readsOf({ local, start, end }: Definition): readonly number[] {
    const { reads } = this.#uses.get(local)!;
    return reads.slice(lastAtMost(reads, start - 1, same) + 1, lastAtMost(reads, end - 1, same) + 1);
  }
}

/** Keeps the candidates that no other write overlaps, and counts their reads. */
function settle(uses: Uses): void {
  const { candidates, reads, writes } = uses;
  candidates.sort((a, b) => a.start - b.start || a.end - b.end);
  uses.definitions = candidates.filter(
    ({ start, end }) => lastAtMost(writes, end - 1, same) === lastAtMost(writes, start - 1, same),
  );
  for (const position of reads) {
    const { definitions } = uses;
    const found = definitions[lastAtMost(definitions, position, ({ start }) => start)];
    if (found !== undefined && position < found.end) found.reads++;
    else uses.loose++;
  }
}

function same(position: number): number {
  return position;
}

/** The index of the last element whose position is at most `limit`; -1 if there is none. */
function lastAtMost<T>(list: readonly T[], limit: number, positionOf: (element: T) => number): number {
  return countWhile(list, (element) => positionOf(element) <= limit) - 1;
}
