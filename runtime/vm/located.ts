/** Errors of an evaluation with their place in the source. */
import { HaltError } from '../../values/index.js';
import { instructionPlace, type Program, stackEntry } from '../bytecode/program.js';
import type { StackEntry } from '../evaluation/evaluation-errors.js';
import { locate, maxStackEntries } from '../evaluation/locate.js';

/**
 * The numbers of a frame's entry on the stack: where to go on, where if undefined, its caller's
 * base and function, the register for the result, the slot that remembers the result.
 */
export const frameSize = 6;

export function tooDeep(depth: number): HaltError {
  return new HaltError('eval_cancel_error', `calls nest deeper than ${depth}`);
}

export function conflict(params: number): HaltError {
  const what =
    params === 2
      ? 'complete rules must not produce multiple outputs'
      : 'functions must not produce multiple outputs for same inputs';
  return new HaltError('eval_conflict_error', what);
}

/** A conflict that the plan itself raises. */
export function raised(text: string): HaltError {
  return new HaltError('eval_conflict_error', text);
}

/** The error with its place and the rules on the stack. */
export function located(
  error: unknown,
  program: Program,
  pc: number,
  current: number,
  stack: readonly number[],
): unknown {
  const location = instructionPlace(program, pc);
  const rules: StackEntry[] = [stackEntry(program, current, program.origins[pc] ?? 0)];
  for (let top = stack.length - frameSize; top >= 0 && rules.length < maxStackEntries; top -= frameSize) {
    rules.push(stackEntry(program, stack[top + 3]!, program.origins[callAt(program.origins, stack[top]!)] ?? 0));
  }
  return locate(error, location, rules);
}

/**
 * The position of the call that goes on at `next`: the last instruction with an origin before it.
 */
function callAt(origins: Int32Array, next: number): number {
  let at = next - 1;
  while (at > 0 && origins[at] === 0) at--;
  return at;
}
