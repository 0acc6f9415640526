import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';
import { Op } from '../../runtime/bytecode/opcodes.js';

/** The modules that name opcodes. */
export const opcodeUsers = /runtime[\\/](?:bytecode|vm)[\\/][\w-]+\.[jt]s$/;

/**
 * Replaces opcode names by numbers where they are used: V8 builds a jump table for a `switch` only
 * if the cases are literals. Measured for the VM's loop on w10 group-by: a fifth less time. And
 * commands start without the object of all names.
 */
export const inlineOpcodes: Plugin = {
  name: 'inline-opcodes',
  setup({ onLoad }) {
    onLoad({ filter: opcodeUsers }, ({ path }) => ({
      contents: inlinedOpcodes(path, readFileSync(path, 'utf8')),
      loader: 'ts',
    }));
  },
};

/** The text of a module; modules that name no opcodes stay as they are. */
export function inlinedOpcodes(path: string, text: string): string {
  return opcodeUsers.test(path)
    ? text.replaceAll(/\b(?:opcodes_js_1\.)?Op\.(\w+)\b/g, (_, name: keyof typeof Op) => String(Op[name]))
    : text;
}
