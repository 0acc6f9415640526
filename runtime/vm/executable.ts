/** A program linked to the built-ins that it calls: what the VM runs. */
import type { Builtin, BuiltinBody } from '../builtins/builtin.js';
import type { CostOf } from '../builtins/cost.js';
import { type OperandCheck, operandCheck } from '../builtins/operands.js';
import type { Program } from '../bytecode/program.js';

export interface LinkedBuiltin {
  readonly name: string;
  readonly body: BuiltinBody;
  /** By operand; undefined where anything goes. */
  readonly checks: readonly (OperandCheck | undefined)[];
  /** Whether some operand is checked. */
  readonly checked: boolean;
  /** Counted before a call; undefined where the body counts, or no call takes long. */
  readonly cost: CostOf | undefined;
  readonly nondeterministic: boolean;
  readonly fixed: number;
  readonly variadic: boolean;
}

export interface Executable {
  readonly program: Program;
  readonly builtins: readonly LinkedBuiltin[];
}

/** Links a program; its built-ins' libraries are loaded when this is done. Throws where a built-in is missing. */
export async function link(program: Program, builtins: ReadonlyMap<string, Builtin>): Promise<Executable> {
  await Promise.all(rowsOf(program, builtins).map((row) => row.load?.()));
  return linkLoaded(program, builtins);
}

/** The same at once, where the libraries are loaded already. */
export function linkLoaded(program: Program, builtins: ReadonlyMap<string, Builtin>): Executable {
  return { program, builtins: rowsOf(program, builtins).map(linked) };
}

function rowsOf(program: Program, builtins: ReadonlyMap<string, Builtin>): Builtin[] {
  return program.builtins.map((name) => {
    const row = builtins.get(name);
    if (row === undefined) throw new Error(`there is no built-in ${name}`);
    return row;
  });
}

function linked(row: Builtin): LinkedBuiltin {
  const checks = row.checksOperands === true ? [] : row.args.map(({ type }) => operandCheck(type));
  return {
    name: row.name,
    body: row.body,
    checks,
    checked: checks.some((check) => check !== undefined),
    cost: typeof row.cost === 'function' ? row.cost : undefined,
    nondeterministic: row.nondeterministic === true,
    fixed: row.args.length,
    variadic: row.variadic !== undefined,
  };
}
