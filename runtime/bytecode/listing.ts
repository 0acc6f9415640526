/**
 * The instructions of a program as text, one a line: position, name, fields by name, source
 * position.
 */
import { toJson } from '../../values/json/json.js';
import { type FieldKind, instructions } from './instructions.js';
import type { Opcode } from './opcodes.js';
import { type Program, type ProgramFunction, placeOf } from './program.js';

/** The instructions of all functions and plans, or of a selection. */
export function listProgram(program: Program, isWanted: (func: ProgramFunction) => boolean = () => true): string {
  return program.functions
    .filter(isWanted)
    .map((func) => listFunction(program, func))
    .join('\n');
}

function listFunction(program: Program, func: ProgramFunction): string {
  const lines = [`${func.kind} ${func.name}  params ${func.params}  registers ${func.registers}`];
  for (let pc = func.entry; pc < endOf(program, func); ) {
    const { text, next } = listInstruction(program, pc);
    const { file, row, col } = placeOf(program, pc);
    const place = row > 0 ? `  ; ${file}:${row}:${col}` : '';
    lines.push(`  ${String(pc).padStart(5)}  ${text}${place}`);
    pc = next;
  }
  return `${lines.join('\n')}\n`;
}

/** Functions follow each other. */
function endOf(program: Program, func: ProgramFunction): number {
  const later = program.functions.map(({ entry }) => entry).filter((entry) => entry > func.entry);
  return later.length > 0 ? Math.min(...later) : program.code.length;
}

function listInstruction(program: Program, pc: number): { readonly text: string; readonly next: number } {
  const { name, fields } = instructions[program.code[pc] as Opcode];
  const parts: string[] = [];
  let at = pc + 1;
  for (const [label, kind] of fields) {
    if (kind === 'ops') {
      const count = program.code[at]!;
      const operands = [...program.code.subarray(at + 1, at + 1 + count)].map((field) => operandText(program, field));
      parts.push(`${label}=(${operands.join(', ')})`);
      at += 1 + count;
    } else parts.push(`${label}=${fieldText(program, kind, program.code[at++]!)}`);
  }
  return { text: [name, ...parts].join(' '), next: at };
}

function operandText(program: Program, field: number): string {
  return field >= 0 ? `r${field}` : toJson(program.constants[-1 - field]!);
}

function fieldText(program: Program, kind: FieldKind, field: number): string {
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

/** The first entries of a dispatch table: some have thousands. */
function tableText(program: Program, index: number): string {
  const entries = [...program.tables[index]!];
  const shown = entries.slice(0, 4).map(([value, targets]) => `${toJson(value)}: ${targets.map((pc) => `@${pc}`).join(' ')}`);
  if (entries.length > 4) shown.push(`… ${entries.length} in all`);
  return `{${shown.join(', ')}}`;
}
