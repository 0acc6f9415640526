/** Changes of our sources before they are bundled. */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Plugin } from 'esbuild';
import { Op } from '../../runtime/bytecode/opcodes.js';
import { readDoors, throughDoors } from '../doors.js';

/** The modules that name opcodes. */
const opcodeUsers = /runtime[\\/](?:bytecode|vm)[\\/][\w-]+\.[jt]s$/;

/** The paths of sources. Packages have none: theirs are compiled. */
export const ownSources = /\.tsx?$/;

const project = join(import.meta.dirname, '../..');
const exported = readDoors();

/** The text of a source for a bundle. */
export function sourceText(path: string, text: string): string {
  return inlinedOpcodes(path, throughDoors(text, relative(project, path), exported));
}

/** Bundles sources by their texts for bundles. */
export const ownTexts: Plugin = {
  name: 'own-texts',
  setup({ onLoad }) {
    onLoad({ filter: ownSources }, ({ path }) => ({
      contents: sourceText(path, readFileSync(path, 'utf8')),
      loader: path.endsWith('x') ? 'tsx' : 'ts',
    }));
  },
};

/**
 * Replaces opcode names by numbers where they are used: V8 builds a jump table for a `switch` only
 * if the cases are literals. Measured for the VM's loop on w10 group-by: a fifth less time. And
 * commands start without the object of all names.
 */
export function inlinedOpcodes(path: string, text: string): string {
  return opcodeUsers.test(path)
    ? text.replaceAll(/\b(?:opcodes_js_1\.)?Op\.(\w+)\b/g, (_, name: keyof typeof Op) => String(Op[name]))
    : text;
}
