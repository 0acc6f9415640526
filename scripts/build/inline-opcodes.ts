import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';
import { Op } from '../../runtime/bytecode/opcodes.js';

/**
 * Replaces opcode names by numbers in the VM's loop: V8 builds a jump table for a `switch` only if
 * the cases are literals. Measured on w10 group-by: a fifth less time.
 */
export const inlineOpcodes: Plugin = {
  name: 'inline-opcodes',
  setup({ onLoad }) {
    onLoad({ filter: /runtime[\\/]vm[\\/]run\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      return { contents: text.replaceAll(/\bOp\.(\w+)\b/g, (_, name: keyof typeof Op) => String(Op[name])), loader: 'ts' };
    });
  },
};
