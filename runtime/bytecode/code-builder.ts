/** Collects the instructions of one function and lays them out flat: labels become positions, jumps to jumps are followed, dead code goes. */
import { type FieldKind, instructions, Op, type Opcode } from './opcodes.js';

/** A place in the code to be known later. */
export type Label = number;

interface Emitted {
  readonly op: Opcode;
  /** In the order of the table; a `pc` field holds a label. */
  readonly fields: number[];
  readonly origin: number;
}

export class CodeBuilder {
  #instructions: Emitted[] = [];
  /** For each label: the index of the instruction that follows it. */
  readonly #labels: number[] = [];

  label(): Label {
    this.#labels.push(-1);
    return this.#labels.length - 1;
  }

  /** Puts a label here. */
  place(label: Label): void {
    this.#labels[label] = this.#instructions.length;
  }

  emit(op: Opcode, origin: number, ...fields: number[]): void {
    this.#instructions.push({ op, fields, origin });
  }

  get size(): number {
    return this.#instructions.length;
  }

  /** Appends the instructions to `code`; `positionOf` of the answer tells where a label came to lie. */
  layOut(code: number[], origins: number[]): { positionOf: (label: Label) => number } {
    this.#follow();
    const kept = this.#reachable();
    const positions: number[] = [];
    let position = code.length;
    this.#instructions.forEach((instruction, i) => {
      positions.push(position);
      if (kept[i] === 1) position += 1 + instruction.fields.length;
    });
    positions.push(position);
    const positionOf = (label: Label) => positions[this.#labels[label]!]!;
    this.#instructions.forEach(({ op, fields, origin }, i) => {
      if (kept[i] === 0) return;
      origins[code.length] = origin;
      code.push(op, ...this.#resolved(op, fields, positionOf));
    });
    return { positionOf };
  }

  #resolved(op: Opcode, fields: readonly number[], positionOf: (label: Label) => number): readonly number[] {
    const kinds = fieldKinds[op]!;
    return fields.map((field, i) => (kinds[i] === 'pc' ? positionOf(field) : field));
  }

  /** Points each label that stands before a jump at where that jump goes. */
  #follow(): void {
    for (let label = 0; label < this.#labels.length; label++) {
      let at = this.#labels[label]!;
      // A plan cannot jump in a circle except through scan_next, so this ends; the bound is for whoever changes that.
      for (let hops = 0; hops < 1000; hops++) {
        const next = this.#instructions[at];
        if (next === undefined || next.op !== Op.Jump) break;
        at = this.#labels[next.fields[0]!]!;
      }
      this.#labels[label] = at;
    }
  }

  /** 1 for each instruction that control can come to and that does something. */
  #reachable(): Uint8Array {
    const list = this.#instructions;
    const reached = new Uint8Array(list.length);
    const pending = [0, ...this.#roots.map((label) => this.#labels[label]!)];
    while (pending.length > 0) {
      let at = pending.pop()!;
      while (at < list.length && reached[at] === 0) {
        reached[at] = 1;
        const { op, fields } = list[at]!;
        const kinds = fieldKinds[op]!;
        fields.forEach((field, i) => {
          if (kinds[i] === 'pc') pending.push(this.#labels[field]!);
        });
        if (op === Op.Jump || op === Op.Return || op === Op.End || op === Op.DispatchNext) break;
        at++;
      }
    }
    this.#dropIdleJumps(reached);
    return reached;
  }

  /** A jump to what follows anyway is dropped. */
  #dropIdleJumps(reached: Uint8Array): void {
    for (let i = this.#instructions.length - 1; i >= 0; i--) {
      const { op, fields } = this.#instructions[i]!;
      if (reached[i] === 0 || op !== Op.Jump) continue;
      let next = i + 1;
      while (next < reached.length && reached[next] === 0) next++;
      if (this.#labels[fields[0]!]! <= next && this.#labels[fields[0]!]! > i) reached[i] = 0;
    }
  }

  readonly #roots: Label[] = [];

  /** Says that control may come to a label by a table. */
  keep(label: Label): void {
    this.#roots.push(label);
  }
}

/** Field kinds by opcode. Operand lists come last or are no labels, so that positions count. */
const fieldKinds: Record<number, readonly FieldKind[]> = Object.fromEntries(
  Object.entries(instructions).map(([op, { fields }]) => [op, fields.map(([, kind]) => kind)]),
);
