/** Program → executable: the built-ins that it calls are looked up by name. */
import type { Builtin } from '../builtins/builtin.js';
import type { Program } from '../bytecode/program.js';
import type { Evaluation } from '../evaluation/evaluation.js';
import type { Executable, PlanIndex } from '../evaluation/executable.js';
import { type LinkedBuiltin, linkedBuiltin } from '../evaluation/linked-builtin.js';
import type { Value } from '../values/value.js';
import { run } from './run.js';

/** A program and the built-ins that it calls, run by the VM. */
export class LinkedProgram implements Executable {
  /** For packing and for the VM's own tests. */
  readonly program: Program;
  readonly #builtins: readonly LinkedBuiltin[];

  constructor(program: Program, builtins: readonly LinkedBuiltin[]) {
    this.program = program;
    this.#builtins = builtins;
  }

  get entrypoints(): ReadonlyMap<string, PlanIndex> {
    return this.program.plans;
  }

  get builtins(): readonly string[] {
    return this.program.builtins;
  }

  run(entrypoint: PlanIndex, input: Value | undefined, data: Value | undefined, evaluation: Evaluation): readonly Value[] {
    return run(this.program, this.#builtins, entrypoint, input, data, evaluation);
  }
}

/**
 * Links a program, and loads the libraries of its built-ins. Rejects where a built-in is missing.
 */
export async function link(program: Program, builtins: ReadonlyMap<string, Builtin>): Promise<Executable> {
  await Promise.all(rowsOf(program, builtins).map((row) => row.load?.()));
  return linkLoaded(program, builtins);
}

/** The same at once, where the libraries are loaded already. */
export function linkLoaded(program: Program, builtins: ReadonlyMap<string, Builtin>): Executable {
  return new LinkedProgram(program, rowsOf(program, builtins).map(linkedBuiltin));
}

function rowsOf(program: Program, builtins: ReadonlyMap<string, Builtin>): Builtin[] {
  return program.builtins.map((name) => {
    const row = builtins.get(name);
    if (row === undefined) throw new Error(`there is no built-in ${name}`);
    return row;
  });
}
