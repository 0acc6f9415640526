/**
 * Whether a function changes in place only what nobody else can see. The VM writes into arrays, objects and sets where they are; that is right for what the
 * function made itself and no one has been given since, and wrong for documents, arguments, constants, remembered values and members of sets.
 *
 * A local is fresh where, whichever way led there, it holds nothing, a scalar, or something that was made into it and that nothing else names. One walk
 * over the statements finds out whether all locals that are changed are fresh there. Times are the numbers of statements in the order they stand. A block may be
 * cut short, so what a statement in it makes fresh need not be so behind it; a loop may come to its beginning with what its rounds left behind.
 */
import { alwaysGoesOn, effectsOf } from '../../ir-schema/effects.js';
import type { Block, Stmt } from '../../ir-schema/plan.js';
import { holdOnlyOwn, type LocalInBlock } from './alias-groups.js';
import { escapes, localsOf } from './escapes.js';

/** A block that the walk is in. */
interface Enclosing {
  /** When something last left it early; -1 if nothing did. */
  lastCut: number;
  /** Locals that were not fresh then, but were made fresh later. */
  readonly stale: number[];
}

/** A loop that the walk is in: the times of its statement and of what follows it. */
interface Loop {
  readonly start: number;
  readonly end: number;
}

interface Local {
  fresh: boolean;
  /** Since when it is or is not; a local is fresh (it holds nothing) before anything happens. */
  since: number;
  /** The times at which it stops being fresh, in order. */
  readonly spoilt: number[];
}

/** For each statement and each of these a walk looks at a few blocks; nobody's plan comes near, and what does is taken for unsafe. */
const patience = 64;

/**
 * What is known of all that a function changes in place: it is fresh; it is the function's own, but may lie in something else of its own or have several names;
 * or nothing.
 */
export type Escape = 'unaliased' | 'unescaped' | 'unknown';

/**
 * What is known of all that the blocks of a function change in place. Takes time in proportion to their size.
 * @param shared locals that pass values between outermost blocks
 */
export function escapeOf(blocks: readonly Block[], params: readonly number[], shared: ReadonlySet<number>): Escape {
  if (!blocks.some(changes)) return 'unaliased';
  const changed = new Flow(blocks, params).changedUnlessFresh();
  if (changed === undefined) return 'unknown';
  if (changed.length === 0) return 'unaliased';
  return holdOnlyOwn(changed, blocks, params, shared) ? 'unescaped' : 'unknown';
}

function changes(block: Block): boolean {
  return block.stmts.some((stmt) => {
    const { mutates, blocks } = effectsOf(stmt);
    return mutates.length > 0 || blocks.some(changes);
  });
}

class Flow {
  readonly #blocks: readonly Block[];
  readonly #locals = new Map<number, Local>();
  /** By the time of a scan: when it is over. */
  readonly #loopEnds = new Map<number, number>();
  readonly #enclosing: Enclosing[] = [];
  readonly #loops: Loop[] = [];
  #time = 0;
  #budget: number;
  #outermost = 0;
  readonly #changed: LocalInBlock[] = [];

  constructor(blocks: readonly Block[], params: readonly number[]) {
    this.#blocks = blocks;
    for (const block of blocks) this.#prepare(block);
    this.#budget = patience * (this.#time + 1);
    this.#time = 0;
    for (const param of params) this.#local(param).fresh = false;
  }

  /** The locals that are changed where they are not known to be fresh; undefined where finding out takes too long. */
  changedUnlessFresh(): readonly LocalInBlock[] | undefined {
    this.#blocks.forEach((block, i) => {
      this.#outermost = i;
      this.#inner(block, -1);
    });
    return this.#budget < 0 ? undefined : this.#changed;
  }

  #local(number: number): Local {
    let local = this.#locals.get(number);
    if (local === undefined) this.#locals.set(number, (local = { fresh: true, since: -1, spoilt: [] }));
    return local;
  }

  /** Notes when loops end and when locals stop being fresh: a loop's later rounds meet what stands behind. */
  #prepare(block: Block): void {
    for (const stmt of block.stmts) {
      const at = this.#time++;
      for (const local of spoils(stmt)) this.#local(local).spoilt.push(at);
      for (const inner of effectsOf(stmt).blocks) this.#prepare(inner);
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
    const { mutates, blocks } = effectsOf(stmt);
    for (const local of mutates) {
      if (this.#staleSince(this.#local(local)) !== undefined) this.#changed.push({ block: this.#outermost, local });
    }
    for (const local of spoils(stmt)) this.#spoil(this.#local(local), at);
    const made = madeBy(stmt);
    if (made !== undefined) this.#make(made, at);
    const isLoop = stmt.type === 'ScanStmt';
    if (isLoop) this.#loops.push({ start: at, end: this.#loopEnds.get(at)! });
    // A loop may have no rounds: that leaves its block as it was found.
    for (const inner of blocks) this.#inner(inner, isLoop ? at : -1);
    if (isLoop) this.#loops.pop();
    if (stmt.type === 'WithStmt') this.#spoil(this.#local(stmt.stmt.local), this.#time);
    if (stmt.type === 'WithStmt' || stmt.type === 'NotStmt') this.#cut(this.#enclosing.length - 1, this.#time);
  }

  #inner(block: Block, lastCut: number): void {
    const enclosing: Enclosing = { lastCut, stale: [] };
    this.#enclosing.push(enclosing);
    this.#block(block);
    this.#enclosing.pop();
    for (const number of enclosing.stale) this.#spoil(this.#local(number), this.#time);
  }

  #cut(depth: number, at: number): void {
    const enclosing = this.#enclosing[depth];
    if (enclosing !== undefined) enclosing.lastCut = at;
  }

  #spoil(local: Local, at: number): void {
    if (!local.fresh) return;
    local.fresh = false;
    local.since = at;
  }

  /** Behind a block that was left while a local was not fresh, it is not. */
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

  /** Since when a local is not fresh: for sure, or in a later round of a loop that began after it was made fresh. */
  #staleSince(local: Local): number | undefined {
    if (!local.fresh) return local.since;
    const loop = this.#loops[firstAbove(this.#loops.length, (i) => this.#loops[i]!.start, local.since)];
    if (loop === undefined) return undefined;
    const next = local.spoilt[firstAbove(local.spoilt.length, (i) => local.spoilt[i]!, loop.start - 1)];
    return next !== undefined && next < loop.end ? loop.start : undefined;
  }
}

/** The first index whose number is above a bound; numbers go up. */
function firstAbove(length: number, at: (index: number) => number, bound: number): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at(middle) > bound) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The local that holds something fresh, a scalar or nothing after a statement. */
function madeBy({ type, stmt }: Stmt): number | undefined {
  switch (type) {
    case 'AssignIntStmt':
    case 'LenStmt':
    case 'MakeArrayStmt':
    case 'MakeNullStmt':
    case 'MakeNumberIntStmt':
    case 'MakeNumberRefStmt':
    case 'MakeObjectStmt':
    case 'MakeSetStmt':
    case 'ObjectMergeStmt':
    case 'ResetLocalStmt':
      return stmt.target;
    case 'AssignVarStmt':
      return stmt.source.type === 'local' ? undefined : stmt.target;
    default:
      return undefined;
  }
}

/** Locals that a statement gives another name or owner to what they hold, or gives something that has one. */
function spoils(node: Stmt): readonly number[] {
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
