/** Executables as bytes and back. Bytes are as trusted as a program (see `bytecode/pack.ts`). */
import { type Builtin, inSlices } from '../../values/index.js';
import { packProgram, unpackSteps } from '../bytecode/pack.js';
import type { Executable } from '../evaluation/executable.js';
import { StandIn } from '../evaluation/stand-in.js';
import { LinkedProgram } from '../vm/linked-program.js';
import { link } from './link.js';

/**
 * An executable as bytes. Throws a PackError where a constant nests too deeply to be written.
 * @param isInterpreted whether it runs on the VM only, so that the parts for generated code are not
 * needed
 */
export function packExecutable(executable: Executable, { isInterpreted = false } = {}): Uint8Array {
  let linked = executable;
  while (linked instanceof StandIn) linked = linked.whole;
  if (!(linked instanceof LinkedProgram)) throw new TypeError('only programs of the VM can be packed');
  const { program } = linked;
  if (!isInterpreted) return packProgram(program);
  const { lowered: _, ...rest } = program.growth?.whole() ?? program;
  return packProgram(rest);
}

/**
 * The executable of bytes, linked to built-ins. Rejects with a PackError where the bytes are no
 * program.
 */
export async function unpackExecutable(bytes: Uint8Array, builtins: ReadonlyMap<string, Builtin>): Promise<Executable> {
  return await link(await inSlices(unpackSteps(bytes)), builtins);
}
