/**
 * Collects the instructions of one function and lays them out flat: labels become positions,
 * jumps to jumps are followed, dead code is left out.
 */
import { type FieldKind, instructions, Op, type Opcode } from './opcodes.js';

/** A position in the code that is known once the code is laid out. */
export type Label = number;

interface Emitted {
  readonly op: Opcode;
  /** In the order of the table; a `pc` field holds a label. */
  readonly fields: number[];
  readonly origin: number;
}

export class CodeBuilder {
  #instructions: Emitted[] = [];
  /** By label: the index of the instruction after it. */
  readonly #labels: number[] = [];

  label(): Label {
    this.#labels.push(-1);
    return this.#labels.length - 1;
  }

  /** Puts a label before the next instruction. */
  place(label: Label): void {
    this.#labels[label] = this.#instructions.length;
  }

  emit(op: Opcode, origin: number, ...fields: number[]): void {
    this.#instructions.push({ op, fields, origin });
  }

  get size(): number {
    return this.#instructions.length;
  }

  /** Appends the instructions to `code`; `positionOf` of the answer is the position of a label. */
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

  /** Lets each label before a jump stand for the jump's target. */
  #follow(): void {
    for (let label = 0; label < this.#labels.length; label++) {
      let at = this.#labels[label]!;
      // Jumps of a plan form no cycle except through scan_next, so this ends; the bound guards
      // changes of that.
      for (let hops = 0; hops < 1000; hops++) {
        const next = this.#instructions[at];
        if (next === undefined || next.op !== Op.Jump) break;
        at = this.#labels[next.fields[0]!]!;
      }
      this.#labels[label] = at;
    }
  }

  /** 1 for each instruction that control can reach and that does something. */
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

  /** Drops jumps to the next instruction. */
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

  /** Notes that control may reach a label by a dispatch table. */
  keep(label: Label): void {
    this.#roots.push(label);
  }
}

/** Field kinds by opcode. Operand lists come last or hold no labels, so that positions count. */
const fieldKinds: Record<number, readonly FieldKind[]> = Object.fromEntries(
  Object.entries(instructions).map(([op, { fields }]) => [op, fields.map(([, kind]) => kind)]),
);
