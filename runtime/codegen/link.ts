/** Program → executable: the built-ins that it calls are looked up by name. */

import type { Policy } from '../../ir-schema/index.js';
import type { Builtin } from '../../values/index.js';
import { assemble, assembleCold } from '../bytecode/assemble.js';
import type { Program } from '../bytecode/program.js';
import type { Executable } from '../evaluation/executable.js';
import { linkedBuiltin } from '../evaluation/linked-builtin.js';
import { ColdProgram } from '../vm/cold-program.js';
import type { LinkedProgram } from '../vm/linked-program.js';
import { TieredProgram } from './tiered-program.js';

/**
 * Links a program, and loads the libraries of its built-ins. Rejects where a built-in is missing.
 */
export async function link(program: Program, builtins: ReadonlyMap<string, Builtin>): Promise<Executable> {
  await loadLibraries(program.builtins, builtins);
  return linkLoaded(program, builtins);
}

/**
 * A program for plans of which most run once, where the libraries are loaded already. Throws where
 * a built-in is missing.
 */
export function linkCold(policy: Policy, builtins: ReadonlyMap<string, Builtin>): Executable {
  const program = assembleCold(policy);
  return new ColdProgram(program, rowsOf(program.builtins, builtins).map(linkedBuiltin), () =>
    linkLoaded(assemble(policy), builtins),
  );
}

/** Loads the libraries of built-ins with these names. Rejects where a built-in is missing. */
export async function loadLibraries(names: Iterable<string>, builtins: ReadonlyMap<string, Builtin>): Promise<void> {
  await Promise.all(rowsOf(names, builtins).map((row) => row.load?.()));
}

/** Links a program whose libraries are loaded already. */
export function linkLoaded(program: Program, builtins: ReadonlyMap<string, Builtin>): LinkedProgram {
  return new TieredProgram(program, rowsOf(program.builtins, builtins).map(linkedBuiltin));
}

function rowsOf(names: Iterable<string>, builtins: ReadonlyMap<string, Builtin>): Builtin[] {
  return Array.from(names, (name) => {
    const row = builtins.get(name);
    if (row === undefined) throw new Error(`there is no built-in ${name}`);
    return row;
  });
}
