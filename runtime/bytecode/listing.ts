/** The instructions of a program as text: name, fields by name. */
import { toJson } from '../../values/index.js';
import { type InstructionFieldKind, instructions } from './instructions.js';
import type { Opcode } from './opcodes.js';
import type { Program, ProgramFunction } from './program.js';

/** An instruction as text. */
export interface ListedInstruction {
  /** Its position in the code. */
  readonly pc: number;
  readonly name: string;
  /** The name, then the fields by name. */
  readonly text: string;
  /** The positions where it may go on, other than the next one. */
  readonly targets: readonly number[];
  /** The index of its place, or the number of its statement: see `Program.statements`. */
  readonly origin: number;
}

/** The instructions of a function or plan of the program. */
export function listInstructions(program: Program, func: ProgramFunction): ListedInstruction[] {
  const listed: ListedInstruction[] = [];
  const end = endOf(program, func);
  for (let pc = func.entry; pc < end; ) {
    const { next, ...instruction } = listInstruction(program, pc);
    listed.push({ pc, ...instruction, origin: program.origins[pc] ?? 0 });
    pc = next;
  }
  return listed;
}

/** Functions follow each other. */
function endOf({ functions, code }: Program, func: ProgramFunction): number {
  return functions[functions.indexOf(func) + 1]?.entry ?? code.length;
}

function listInstruction(
  program: Program,
  pc: number,
): Pick<ListedInstruction, 'name' | 'text' | 'targets'> & { readonly next: number } {
  const { name, fields } = instructions[program.code[pc] as Opcode];
  const parts: string[] = [];
  let targets: readonly number[] = [];
  let at = pc + 1;
  for (const [label, kind] of fields) {
    // An instruction has a word for each field.
    const field = program.code[at++]!;
    if (kind === 'ops') {
      const operands = [...program.code.subarray(at, at + field)].map((operand) => operandText(program, operand));
      parts.push(`${label}=(${operands.join(', ')})`);
      at += field;
      continue;
    }
    parts.push(`${label}=${fieldText(program, kind, field)}`);
    if (kind === 'pc') targets = [...targets, field];
    if (kind === 'table') targets = [...targets, ...tableTargets(program, field)];
  }
  return { name, text: [name, ...parts].join(' '), targets, next: at };
}

function operandText(program: Program, field: number): string {
  return field >= 0 ? `r${field}` : toJson(program.constants[-1 - field]!);
}

function fieldText(program: Program, kind: InstructionFieldKind, field: number): string {
  switch (kind) {
    case 'in':
    case 'out':
    case 'both':
    case 'iter':
      return `r${field}`;
    case 'op':
      return operandText(program, field);
    case 'const':
      return toJson(program.constants[field]!);
    case 'pc':
      return `@${field}`;
    case 'fn':
      return program.functions[field]!.name;
    case 'builtin':
      return program.builtins[field]!;
    case 'path':
      return `/${program.documentPaths[field]!.join('/')}`;
    case 'table':
      return tableText(program, field);
    case 'flag':
    case 'ops':
      return String(field);
  }
}

function tableTargets({ tables }: Program, index: number): ReadonlySet<number> {
  return new Set([...(tables[index]?.values() ?? [])].flat());
}

/** The first entries of a dispatch table: some have thousands. */
function tableText({ tables }: Program, index: number): string {
  const entries = [...(tables[index] ?? [])];
  const shown = entries
    .slice(0, 4)
    .map(([value, targets]) => `${toJson(value)}: ${targets.map((pc) => `@${pc}`).join(' ')}`);
  if (entries.length > 4) shown.push(`… ${entries.length} in all`);
  return `{${shown.join(', ')}}`;
}
