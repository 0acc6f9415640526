/** Operands of instructions, and frames: windows of one array of registers. */

import { HaltError, type Value } from '../../values/index.js';
import type { ProgramFunction } from '../bytecode/program.js';

export type RegisterValue = Value | undefined;

/**
 * The limit of all frames together, some tens of megabytes: deep calls of large functions would
 * need gigabytes.
 */
const maxRegisters = 10_000_000;

/** The operand whose field is at `at`. */
export function operandAt(
  at: number,
  code: Int32Array,
  registers: readonly RegisterValue[],
  base: number,
  constants: readonly Value[],
): RegisterValue {
  const field = code[at]!;
  return field >= 0 ? registers[base + field] : constants[-1 - field];
}

/** Reads a count and that many operands; undefined where one of them is. */
export function definedOperands(
  at: number,
  code: Int32Array,
  registers: readonly RegisterValue[],
  base: number,
  constants: readonly Value[],
): Value[] | undefined {
  const values: Value[] = [];
  for (let i = at + code[at]!; i > at; i--) {
    const value = operandAt(i, code, registers, base, constants);
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values.reverse();
}

/** Opens a callee's frame behind the caller's, arguments first. Answers where it begins. */
// biome-ignore lint/complexity/useMaxParams: called for each call of a plan
export function openFrame(
  args: number,
  count: number,
  callee: ProgramFunction,
  code: Int32Array,
  registers: RegisterValue[],
  base: number,
  callerSize: number,
  constants: readonly Value[],
): number {
  const start = base + callerSize;
  if (registers.length < start + callee.registers) {
    if (start + callee.registers > maxRegisters)
      throw new HaltError('eval_cancel_error', 'calls take too many registers');
    while (registers.length < start + callee.registers) registers.push(undefined);
  }
  for (let i = 0; i < count; i++) registers[start + i] = operandAt(args + i, code, registers, base, constants);
  for (let i = count; i < callee.cleared; i++) registers[start + i] = undefined;
  return start;
}
