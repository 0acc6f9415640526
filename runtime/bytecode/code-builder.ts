/**
 * Collects the instructions of one function and lays them out flat: labels become positions,
 * jumps to jumps are followed, dead code is left out.
 */
import { Op, type Opcode } from './opcodes.js';

/** A position in the code that is known once the code is laid out. */
export type Label = number;

export interface LaidOut {
  readonly code: readonly number[];
  readonly origins: readonly number[];
  readonly positionOf: (label: Label) => number;
}

/** Flat lists: an object for each instruction would be most of the memory of an assembly. */
export class CodeBuilder {
  /** Opcodes and fields in the order of the table; a `pc` field holds a label. */
  readonly #words: number[] = [];
  /** The first word of each instruction, and its origin. */
  readonly #starts: number[] = [];
  readonly #origins: number[] = [];
  /** The index of the instruction after each label. */
  readonly #labels: number[] = [];

  label(): Label {
    this.#labels.push(-1);
    return this.#labels.length - 1;
  }

  /** Puts a label before the next instruction. */
  place(label: Label): void {
    this.#labels[label] = this.size;
  }

  emit(op: Opcode, origin: number, ...fields: number[]): void {
    this.#starts.push(this.#words.length);
    this.#origins.push(origin);
    this.#words.push(op);
    for (let i = 0; i < fields.length; i++) this.#words.push(fields[i]!);
  }

  get size(): number {
    return this.#starts.length;
  }

  #op(index: number): number {
    return this.#words[this.#starts[index]!]!;
  }

  /** The label in a field of an instruction; the first field is 1. */
  #labelIn(index: number, field: number): Label {
    return this.#words[this.#starts[index]! + field]!;
  }

  /** The instruction behind the label in a field. */
  #targetOf(index: number, field: number): number {
    return this.#labels[this.#labelIn(index, field)]!;
  }

  /** Where the words of an instruction end. */
  #end(index: number): number {
    return this.#starts[index + 1] ?? this.#words.length;
  }

  /**
   * The instructions, and the origin of each, zeros for its fields. `positionOf` is the position of
   * a label.
   * @param start the position of the first instruction
   */
  layOut(start: number): LaidOut {
    this.#follow();
    const kept = this.#reachable();
    const code: number[] = [];
    const origins: number[] = [];
    const positions: number[] = [];
    let position = start;
    for (let i = 0; i < this.size; i++) {
      positions.push(position);
      if (kept[i] === 1) position += this.#end(i) - this.#starts[i]!;
    }
    positions.push(position);
    const positionOf = (label: Label) => positions[this.#labels[label]!]!;
    for (let i = 0; i < this.size; i++) if (kept[i] === 1) this.#write(i, positionOf, code, origins);
    return { code, origins, positionOf };
  }

  #write(index: number, positionOf: (label: Label) => number, code: number[], origins: number[]): void {
    const start = this.#starts[index]!;
    const at = code.length;
    for (let i = start; i < this.#end(index); i++) {
      code.push(this.#words[i]!);
      origins.push(0);
    }
    origins[at] = this.#origins[index]!;
    const field = labelField(this.#op(index));
    if (field > 0) code[at + field] = positionOf(this.#labelIn(index, field));
  }

  /** Lets each label before a jump stand for the jump's target. */
  #follow(): void {
    for (const [label, first] of this.#labels.entries()) {
      let at = first;
      // Jumps of a plan form no cycle except through scan_next, so this ends; the bound guards
      // changes of that.
      for (let hops = 0; hops < 1000; hops++) {
        if (at >= this.size || this.#op(at) !== Op.Jump) break;
        at = this.#targetOf(at, 1);
      }
      this.#labels[label] = at;
    }
  }

  /** 1 for each instruction that control can reach and that does something. */
  #reachable(): Uint8Array {
    const reached = new Uint8Array(this.size);
    const pending = [0, ...this.#roots.map((label) => this.#labels[label]!)];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      let at = next;
      while (at < reached.length && reached[at] === 0) {
        reached[at] = 1;
        const op = this.#op(at);
        const field = labelField(op);
        if (field > 0) pending.push(this.#targetOf(at, field));
        if (op === Op.Jump || op === Op.Return || op === Op.End || op === Op.DispatchNext) break;
        at++;
      }
    }
    this.#dropIdleJumps(reached);
    return reached;
  }

  /** Drops jumps to the next instruction. */
  #dropIdleJumps(reached: Uint8Array): void {
    let next = reached.length;
    for (let i = reached.length - 1; i >= 0; i--) {
      if (reached[i] === 0) continue;
      const target = this.#op(i) === Op.Jump ? this.#targetOf(i, 1) : 0;
      if (target > i && target <= next) reached[i] = 0;
      else next = i;
    }
  }

  readonly #roots: Label[] = [];

  /** Notes that control may reach a label by a dispatch table. */
  keep(label: Label): void {
    this.#roots.push(label);
  }
}

/**
 * The field that holds a label; the first field is 1, and 0 stands for none. Operand lists come
 * last or hold no labels, so that positions count. The table of instructions says the same, but
 * making it takes a percent of a start.
 */
export function labelField(op: number): number {
  switch (op) {
    case Op.Jump:
    case Op.EndLoop:
      return 1;
    case Op.IsDefined:
    case Op.IsUndefined:
    case Op.IsArray:
    case Op.IsObject:
    case Op.IsSet:
    case Op.CallDynamic:
    case Op.ResultAdd:
    case Op.DispatchNext:
      return 2;
    case Op.Equal:
    case Op.EqualConst:
    case Op.NotEqual:
    case Op.NotEqualConst:
    case Op.Len:
    case Op.ArrayAppend:
    case Op.SetAdd:
    case Op.ScanStart:
    case Op.ScanFree:
    case Op.ScanReaches:
    case Op.Call:
    case Op.Builtin:
    case Op.Builtin1:
    case Op.Builtin2:
    case Op.Arithmetic:
    case Op.Member:
      return 3;
    case Op.Dot:
    case Op.DotBase:
    case Op.DotConst:
    case Op.ObjectInsert:
    case Op.ObjectInsertOnce:
    case Op.ObjectMerge:
    case Op.ScanNext:
    case Op.CompareTest:
    case Op.Dispatch:
    case Op.DistinctRound:
      return 4;
    case Op.Compare:
    case Op.InOrder:
      return 5;
    case Op.ScanIndex:
      return 6;
    default:
      return 0;
  }
}
