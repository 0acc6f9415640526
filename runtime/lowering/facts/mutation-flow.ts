import type { Block, Stmt } from '../../../ir-schema/index.js';
import { alwaysGoesOn, blocksOf, localsOf, makesValue, mutatedBy } from '../../../ir-schema/index.js';
import { countWhile } from '../../../values/index.js';
import type { LocalInBlock } from './alias-groups.js';
import { escapes } from './escapes.js';

/** An enclosing block of the walk. */
interface Enclosing {
  /** When a statement last cut it short; -1 if none did. */
  lastCut: number;
  /** Locals that were not fresh then, but were made fresh later. */
  readonly stale: number[];
}

/** An enclosing loop of the walk: the times of its statement and of the statement after it. */
interface Loop {
  readonly start: number;
  readonly end: number;
}

interface Local {
  fresh: boolean;
  /** Since when it has been fresh or not. At first a local is fresh: it holds nothing. */
  since: number;
  /** The times at which it stops being fresh, in order. */
  readonly staleTimes: number[];
}

/**
 * The budget of block visits for each statement. No plan of a compiler comes near; beyond it the
 * function is taken to mutate escaped values.
 */
const visitsPerStatement = 64;

/**
 * One walk over the statements of a function, which finds mutations of locals that are not fresh.
 * Times are the numbers of statements in their order. A block may be cut short, so a local that a
 * statement in it makes fresh need not be fresh after it; a round of a loop starts with the state
 * that earlier rounds left.
 */
export class MutationFlow {
  readonly #blocks: readonly Block[];
  readonly #locals = new Map<number, Local>();
  /** The end of each scan, by its time. */
  readonly #loopEnds = new Map<number, number>();
  readonly #enclosing: Enclosing[] = [];
  readonly #loops: Loop[] = [];
  #time = 0;
  #budget: number;
  #outermost = 0;
  readonly #mutated: LocalInBlock[] = [];

  constructor(blocks: readonly Block[], params: readonly number[]) {
    this.#blocks = blocks;
    for (const block of blocks) this.#prepare(block);
    this.#budget = visitsPerStatement * (this.#time + 1);
    this.#time = 0;
    for (const param of params) this.#local(param).fresh = false;
  }

  /**
   * The locals that are mutated where they are not known to be fresh; undefined where the budget
   * does not suffice.
   */
  mutatedUnlessFresh(): readonly LocalInBlock[] | undefined {
    this.#blocks.forEach((block, i) => {
      this.#outermost = i;
      this.#inner(block, -1);
    });
    return this.#budget < 0 ? undefined : this.#mutated;
  }

  #local(number: number): Local {
    let local = this.#locals.get(number);
    if (local === undefined) this.#locals.set(number, (local = { fresh: true, since: -1, staleTimes: [] }));
    return local;
  }

  /**
   * Records where loops end and where locals stop being fresh: later rounds of a loop begin with
   * the state of its end.
   */
  #prepare(block: Block): void {
    for (const stmt of block.stmts) {
      const at = this.#time++;
      for (const local of madeStale(stmt)) this.#local(local).staleTimes.push(at);
      for (const inner of blocksOf(stmt)) this.#prepare(inner);
      if (stmt.type === 'ScanStmt') this.#loopEnds.set(at, this.#time);
    }
  }

  #block(block: Block): void {
    for (const stmt of block.stmts) {
      if (this.#budget < 0) return;
      this.#stmt(stmt);
    }
  }

  #stmt(stmt: Stmt): void {
    const at = this.#time++;
    if (stmt.type === 'BreakStmt') this.#cut(this.#enclosing.length - 1 - stmt.stmt.index, at);
    else if (!alwaysGoesOn.has(stmt.type) && stmt.type !== 'BlockStmt' && stmt.type !== 'ReturnLocalStmt')
      this.#cut(this.#enclosing.length - 1, at);
    const mutated = mutatedBy(stmt);
    if (mutated !== undefined && this.#staleSince(this.#local(mutated)) !== undefined) {
      this.#mutated.push({ block: this.#outermost, local: mutated });
    }
    for (const local of madeStale(stmt)) this.#markStale(this.#local(local), at);
    const made = madeBy(stmt);
    if (made !== undefined) this.#make(made, at);
    const isLoop = stmt.type === 'ScanStmt';
    if (isLoop) this.#loops.push({ start: at, end: this.#loopEnds.get(at) ?? at });
    // A loop may have no rounds: that leaves the state before it.
    for (const inner of blocksOf(stmt)) this.#inner(inner, isLoop ? at : -1);
    if (isLoop) this.#loops.pop();
    if (stmt.type === 'WithStmt') this.#markStale(this.#local(stmt.stmt.local), this.#time);
    if (stmt.type === 'WithStmt' || stmt.type === 'NotStmt') this.#cut(this.#enclosing.length - 1, this.#time);
  }

  #inner(block: Block, lastCut: number): void {
    const enclosing: Enclosing = { lastCut, stale: [] };
    this.#enclosing.push(enclosing);
    this.#block(block);
    this.#enclosing.pop();
    for (const number of enclosing.stale) this.#markStale(this.#local(number), this.#time);
  }

  #cut(depth: number, at: number): void {
    const enclosing = this.#enclosing[depth];
    if (enclosing !== undefined) enclosing.lastCut = at;
  }

  #markStale(local: Local, at: number): void {
    if (!local.fresh) return;
    local.fresh = false;
    local.since = at;
  }

  /** A local that was not fresh when its block was cut short is not fresh after that block. */
  #make(number: number, at: number): void {
    const local = this.#local(number);
    const since = this.#staleSince(local);
    if (since !== undefined) {
      for (const { lastCut, stale } of this.#enclosing) {
        this.#budget--;
        if (lastCut >= since) stale.push(number);
      }
    }
    local.fresh = true;
    local.since = at;
  }

  /**
   * Since when a local is not fresh: on this path, or in a later round of a loop that began after
   * the local was made fresh.
   */
  #staleSince(local: Local): number | undefined {
    if (!local.fresh) return local.since;
    const loop = firstAbove(this.#loops, ({ start }) => start, local.since);
    if (loop === undefined) return undefined;
    const next = firstAbove(local.staleTimes, (time) => time, loop.start - 1);
    return next !== undefined && next < loop.end ? loop.start : undefined;
  }
}

/** The first item whose number is above a bound; the numbers ascend. */
function firstAbove<T>(items: readonly T[], numberOf: (item: T) => number, bound: number): T | undefined {
  return items[countWhile(items, (item) => numberOf(item) <= bound)];
}

/** The local that holds a fresh value, a scalar or nothing after a statement. */
function madeBy(node: Stmt): number | undefined {
  if (makesValue(node)) return node.stmt.target;
  const { type, stmt } = node;
  switch (type) {
    case 'LenStmt':
    case 'ObjectMergeStmt':
    case 'ResetLocalStmt':
      return stmt.target;
    case 'AssignVarStmt':
      return stmt.source.type === 'local' ? undefined : stmt.target;
    default:
      return undefined;
  }
}

/**
 * Locals whose value gets another name or container by a statement, and locals that get a value
 * which has one.
 */
function madeStale(node: Stmt): readonly number[] {
  const { type, stmt } = node;
  switch (type) {
    case 'ArrayAppendStmt':
      return localsOf(stmt.value);
    case 'AssignVarOnceStmt':
    case 'AssignVarStmt':
      return stmt.source.type === 'local' ? [stmt.source.value, stmt.target] : [];
    case 'CallStmt':
    case 'CallDynamicStmt':
      return [...escapes(node), stmt.result];
    case 'DotStmt':
      return [stmt.target];
    case 'ObjectInsertStmt':
    case 'ObjectInsertOnceStmt':
      return localsOf(stmt.key, stmt.value);
    case 'ScanStmt':
      return [stmt.key, stmt.value];
    default:
      return escapes(node);
  }
}
