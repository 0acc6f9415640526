/** The stacks of a plan's evaluation: calls, and the blocks inside them. */

import type { BaseLookups, Block, Func, Plan, Stmt } from '../../ir-schema/index.js';
import type { Value } from '../../values/index.js';
import type { ReadLocals } from './plan-tables.js';

/** Undefined where a local has no value. */
export type StackLocal = Value | undefined;

/** A run of a plan, or a call of a function. */
interface MachineCall {
  readonly owner: Plan | Func;
  /** Undefined for a plan. */
  readonly func: Func | undefined;
  /** How many arguments it has, input and data included. */
  readonly params: number;
  readonly lookups: BaseLookups;
  /** The index of its first level. */
  readonly base: number;
  /** The caller's local for the result; -1 for a plan. */
  readonly result: number;
  /** The moves before it: no two calls of an evaluation have the same. */
  readonly started: number;
}

export class MachineFrame implements MachineCall, ReadLocals {
  readonly owner: Plan | Func;
  readonly func: Func | undefined;
  readonly params: number;
  readonly lookups: BaseLookups;
  readonly base: number;
  readonly result: number;
  readonly started: number;
  /** Locals by number. */
  readonly locals: StackLocal[];
  /** Collections that the function made and that have not escaped. */
  readonly own = new WeakSet<object>();
  returned: StackLocal;

  constructor({ owner, func, params, lookups, base, result, started }: MachineCall, locals: StackLocal[]) {
    this.owner = owner;
    this.func = func;
    this.locals = locals;
    this.params = params;
    this.lookups = lookups;
    this.base = base;
    this.result = result;
    this.started = started;
  }

  get(local: number): StackLocal {
    return this.locals[local];
  }
}

const noBlocks: readonly Block[] = [];
const noValues: readonly Value[] = [];

/** A block that is being evaluated, with the blocks or elements that follow it. */
export class MachineLevel {
  /** The statement that the block belongs to; undefined for one of a plan or function itself. */
  holder: Stmt | undefined;
  frame!: MachineFrame;
  stmts: readonly Stmt[] = [];
  /** The statement that is next, or that is being evaluated. */
  position = 0;
  /** The blocks of a plan, function or `BlockStmt`. */
  blocks = noBlocks;
  /** The values of a scan, and its keys if they are not indexes. */
  elements = noValues;
  keys: readonly Value[] | undefined;
  /** The number of the next block or element. */
  next = 0;
  /** The local that a `WithStmt` restores. */
  replaced: StackLocal;
  memo: Map<string, StackLocal> | undefined;
  /** The moves before it. */
  started = 0;

  begin(
    holder: Stmt | undefined,
    frame: MachineFrame,
    blocks: readonly Block[],
    stmts: readonly Stmt[],
    started: number,
  ): void {
    this.started = started;
    this.holder = holder;
    this.frame = frame;
    this.blocks = blocks;
    this.stmts = stmts;
    this.position = 0;
    this.next = 0;
  }

  /** Frees the values that only this block needed. */
  drop(): void {
    this.elements = noValues;
    this.keys = undefined;
    this.replaced = undefined;
    this.memo = undefined;
  }
}
