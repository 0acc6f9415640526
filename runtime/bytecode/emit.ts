/** Lowered function → instructions. No decisions: labels and jumps stand for blocks. */

import type { Steps, Value } from '../../values/index.js';
import {
  type Dispatch,
  type LoweredBlock,
  type LoweredFunction,
  type LoweredOf,
  type LoweredStmt,
  mayFailAhead,
  type Register,
  type ScanIndex,
} from '../lowering/lowered.js';
import { orderFree } from '../operations/any-order.js';
import type { DispatchConstant } from '../operations/dispatch-key.js';
import { CodeBuilder, type Label, type LaidOut } from './code-builder.js';
import { emitLeaf } from './emit-leaf.js';
import { Op } from './opcodes.js';

/** Positions in the code by constant, for one dispatch. */
export type DispatchTable = Map<DispatchConstant, number[]>;

/** The instructions of a function, as `CodeBuilder.layOut` gives them. */
export interface EmittedFunction extends Pick<LaidOut, 'code' | 'origins'> {
  /** See `ProgramFunction`. */
  readonly weight: number;
}

/**
 * The instructions of a function whose code begins at `entry`. Appends dispatch tables to `tables`.
 * In steps.
 */
export function emitFunction(
  func: LoweredFunction,
  constants: readonly Value[],
  entry: number,
  tables: DispatchTable[],
): Steps<EmittedFunction> {
  return new FunctionEmitter(tables, constants).emit(func, entry);
}

/** Outermost blocks that are written, and instructions that are laid out, in one step. */
const blocksOfStep = 64;
const instructionsOfStep = 1024;

class FunctionEmitter {
  readonly #code = new CodeBuilder();
  readonly #tables: DispatchTable[];
  readonly #constants: readonly Value[];
  readonly #pending: { readonly table: DispatchTable; readonly constant: DispatchConstant; readonly label: Label }[] =
    [];
  /**
   * Labels after each enclosing block, or of the next round: where to go on when it is cut short.
   */
  readonly #cutShort: Label[] = [];
  /** Where loops start that may start again, by their register. */
  readonly #starts = new Map<Register, Label>();
  /** The size of dispatched rules that do not run when the largest ones do. */
  #left = 0;

  constructor(tables: DispatchTable[], constants: readonly Value[]) {
    this.#tables = tables;
    this.#constants = constants;
  }

  *emit({ tracker, body }: LoweredFunction, entry: number): Steps<EmittedFunction> {
    if (tracker !== undefined) this.#code.emit(Op.TrackStart, 0, tracker);
    for (const [i, part] of body.entries()) {
      if (part.kind === 'block') this.#sequence([part.block]);
      else yield* this.#dispatch(part);
      if ((i + 1) % blocksOfStep === 0) yield;
    }
    this.#code.emit(Op.End, 0);
    if (this.#code.size > instructionsOfStep) yield;
    const { code, origins, positionOf } = this.#code.layOut(entry);
    for (const { table, constant, label } of this.#pending) {
      const positions = table.get(constant);
      if (positions === undefined) table.set(constant, [positionOf(label)]);
      else positions.push(positionOf(label));
    }
    return { code, origins, weight: Math.max(1, (this.#code.size - this.#left) >> 2) };
  }

  *#dispatch({ origin, iterator, root, path, rules }: Dispatch): Steps {
    const [end, next] = [this.#code.label(), this.#code.label()];
    const table: DispatchTable = new Map();
    const index = this.#tables.push(table) - 1;
    let value = root;
    for (const key of path) {
      if (typeof this.#constants[key] === 'string') this.#code.emit(Op.DotConst, origin, iterator + 2, value, key, end);
      else this.#code.emit(Op.Dot, origin, iterator + 2, value, -1 - key, end);
      value = iterator + 2;
    }
    this.#code.emit(Op.Dispatch, origin, iterator, value, index, end);
    this.#code.place(next);
    this.#code.emit(Op.DispatchNext, origin, iterator, end);
    const sizes = new Map<DispatchConstant, number>();
    const start = this.#code.size;
    for (const [i, { constant, blocks }] of rules.entries()) {
      const before = this.#code.size;
      const label = this.#placedLabel();
      this.#code.keep(label);
      this.#pending.push({ table, constant, label });
      this.#sequence(blocks);
      this.#code.emit(Op.Jump, origin, next);
      sizes.set(constant, (sizes.get(constant) ?? 0) + this.#code.size - before);
      if ((i + 1) % blocksOfStep === 0) yield;
    }
    let most = 0;
    for (const size of sizes.values()) most = Math.max(most, size);
    this.#left += this.#code.size - start - most;
    this.#code.place(end);
  }

  #placedLabel(): Label {
    const label = this.#code.label();
    this.#code.place(label);
    return label;
  }

  /** Blocks that run one after the other, also after one that is cut short. */
  #sequence(blocks: readonly LoweredBlock[]): void {
    for (const block of blocks) {
      const next = this.#code.label();
      this.#block(block, next);
      this.#code.place(next);
    }
  }

  #block(block: LoweredBlock, cutShort: Label): void {
    this.#cutShort.push(cutShort);
    for (const stmt of block) this.#stmt(stmt, cutShort);
    this.#cutShort.pop();
  }

  #stmt(stmt: LoweredStmt, cutShort: Label): void {
    switch (stmt.kind) {
      case 'moveOnce':
        this.#code.emit(Op.MoveOnce, stmt.origin, stmt.target, stmt.source);
        // To the end of the outermost block.
        if (stmt.exits) this.#code.emit(Op.Jump, stmt.origin, this.#cutShort[0]!);
        return;
      case 'break':
        this.#popWiths(stmt.origin, stmt.withs);
        return this.#code.emit(Op.Jump, stmt.origin, this.#cutShort[this.#cutShort.length - 1 - stmt.index]!);
      case 'endLoop':
        return this.#code.emit(Op.EndLoop, stmt.origin, this.#cutShort[this.#cutShort.length - 1 - stmt.index]!);
      case 'return':
        this.#popWiths(stmt.origin, stmt.withs);
        return this.#code.emit(Op.Return, stmt.origin, stmt.source);
      case 'blocks':
        return this.#sequence(stmt.blocks);
      case 'not':
        return this.#not(stmt, cutShort);
      case 'with':
        return this.#with(stmt, cutShort);
      case 'scan':
        return this.#scan(stmt, cutShort);
      case 'inOrder':
        return this.#inOrder(stmt);
      default:
        return emitLeaf(stmt, this.#code, cutShort);
    }
  }

  #popWiths(origin: number, count: number): void {
    for (let i = 0; i < count; i++) this.#code.emit(Op.WithPop, origin);
  }

  #not({ origin, block }: LoweredOf<'not'>, cutShort: Label): void {
    const goOn = this.#code.label();
    this.#block(block, goOn);
    this.#code.emit(Op.Jump, origin, cutShort);
    this.#code.place(goOn);
  }

  #with({ origin, register, path, value, block }: LoweredOf<'with'>, cutShort: Label): void {
    const undo = this.#code.label();
    const goOn = this.#code.label();
    this.#code.emit(Op.WithPush, origin, register, path, value);
    this.#block(block, undo);
    this.#code.emit(Op.WithPop, origin);
    this.#code.emit(Op.Jump, origin, goOn);
    this.#code.place(undo);
    this.#code.emit(Op.WithPop, origin);
    this.#code.emit(Op.Jump, origin, cutShort);
    this.#code.place(goOn);
  }

  #scanIndex(index: ScanIndex, origin: number, iterator: number): void {
    const { path, above, reached, wanted, isMany, second, groups, lasting, ofObjects, found, ahead } = index;
    const [known, none] = [this.#code.label(), this.#code.label()];
    const isOf = (lasting ? 1 : 0) + (above === undefined ? 0 : 4) + (ofObjects ? 16 : 0);
    const flags = isOf + (ahead.length > 0 ? 2 : 0) + (mayFailAhead(index) ? 8 : 0);
    if (reached !== undefined) this.#code.emit(Op.ScanReaches, origin, iterator, reached, none);
    this.#code.emit(Op.ScanIndex, origin, iterator, path, above ?? path, flags, found, none);
    this.#block(ahead, known);
    this.#code.place(known);
    this.#code.emit(Op.ScanIndexed, origin, iterator, found, wanted, isMany ? 1 : 0);
    if (second !== undefined)
      this.#code.emit(Op.ScanNarrow, origin, iterator, second.path, lasting ? 1 : 0, second.wanted);
    if (groups !== undefined)
      this.#code.emit(Op.ScanFoundGroups, origin, iterator, found, groups.path, lasting ? 1 : 0);
    this.#code.place(none);
  }

  /** Starts the loop again that the register stands for. */
  #inOrder({ origin, free, value, unless, array }: LoweredOf<'inOrder'>): void {
    const next = this.#code.label();
    const flags = orderFree.indexOf(unless) + (array === undefined ? 0 : 4);
    this.#code.emit(Op.InOrder, origin, free, value, flags, array ?? free, next);
    this.#code.emit(Op.Jump, origin, this.#starts.get(free)!);
    this.#code.place(next);
  }

  #scan(stmt: LoweredOf<'scan'>, cutShort: Label): void {
    const { origin, iterator, index, groups, free } = stmt;
    const next = this.#code.label();
    const end = this.#code.label();
    if (free !== undefined && stmt.restarts) this.#starts.set(free, this.#placedLabel());
    if (free !== undefined) this.#code.emit(Op.ScanFree, origin, iterator, stmt.source, cutShort, free);
    else {
      const flags = (stmt.copied ? 1 : 0) + (stmt.anyOrder ? 2 : 0);
      this.#code.emit(Op.ScanStart, origin, iterator, stmt.source, cutShort, flags);
    }
    for (const ahead of stmt.ahead) this.#stmt(ahead, cutShort);
    if (index !== undefined) this.#scanIndex(index, origin, iterator);
    if (groups !== undefined) this.#code.emit(Op.ScanGroups, origin, iterator, groups.path, groups.lasting ? 1 : 0);
    this.#code.place(next);
    this.#code.emit(Op.ScanNext, origin, iterator, stmt.key, stmt.value, end, stmt.weight);
    this.#block(stmt.block, next);
    this.#code.emit(Op.Jump, origin, next);
    this.#code.place(end);
  }
}
