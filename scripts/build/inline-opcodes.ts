import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';
import { Op } from '../../runtime/bytecode/opcodes.js';

const loop = /runtime[\\/]vm[\\/]run\.ts$/;

/**
 * Replaces opcode names by numbers in the VM's loop: V8 builds a jump table for a `switch` only if
 * the cases are literals. Measured on w10 group-by: a fifth less time.
 */
export const inlineOpcodes: Plugin = {
  name: 'inline-opcodes',
  setup({ onLoad }) {
    onLoad({ filter: loop }, ({ path }) => ({ contents: inlinedOpcodes(path, readFileSync(path, 'utf8')), loader: 'ts' }));
  },
};

/** The text of a module; other modules than the loop stay as they are. */
export function inlinedOpcodes(path: string, text: string): string {
  return loop.test(path) ? text.replaceAll(/\bOp\.(\w+)\b/g, (_, name: keyof typeof Op) => String(Op[name])) : text;
}
