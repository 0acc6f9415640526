/** The instructions of a program in their order. */
import { instructions } from './instructions.js';
import type { Opcode } from './opcodes.js';
import type { Program } from './program.js';

interface Instruction {
  /** Its position in the code: its fields follow. */
  readonly pc: number;
  readonly op: Opcode;
}

export function* instructionsOf({ code }: Program): Generator<Instruction> {
  for (let pc = 0; pc < code.length; ) {
    const op = code[pc] as Opcode;
    yield { pc, op };
    let next = pc + 1;
    for (const [, kind] of instructions[op].fields) next += kind === 'ops' ? 1 + code[next]! : 1;
    pc = next;
  }
}
