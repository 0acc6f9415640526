import type { Policy } from '../../ir-schema/index.js';
import type { Value } from '../../values/index.js';
import type { StackEntry } from '../evaluation/evaluation-errors.js';
import type { StatementPlace } from '../evaluation/place.js';
import type { PlacedStatement } from '../lowering/lower/tables.js';
import type { LoweredFunction } from '../lowering/lowered.js';
import type { DispatchConstant } from '../operations/dispatch-key.js';
import { type StatementAddresses, statementAddressAt } from './statement-addresses.js';

/**
 * A plan, assembled: one flat array of instructions for all its functions. It has no state: many
 * evaluations may run it at the same time.
 */
export interface Program {
  readonly code: Int32Array;
  readonly constants: readonly Value[];
  readonly functions: readonly ProgramFunction[];
  /** Index in `functions` of each plan, by entrypoint. */
  readonly plans: ReadonlyMap<string, number>;
  /**
   * The index in `functions` by path (see `pathKey`), for dynamic calls; of a rule that only
   * returns a constant, the constant as an operand, once it is assembled.
   */
  readonly paths: ReadonlyMap<string, number>;
  /** Names of the built-ins called. */
  readonly builtins: readonly string[];
  /** Paths into documents, for `with` and indexed scans. */
  readonly documentPaths: readonly (readonly string[])[];
  /** For a dispatch: positions in `code` by constant; those of all rules by null. */
  readonly tables: readonly ReadonlyMap<DispatchConstant, readonly number[]>[];
  readonly files: readonly string[];
  /** The index in `places` of each statement's place, by position of its instruction in `code`. */
  readonly origins: Int32Array;
  /** File, row and column of statements, three numbers each. */
  readonly places: ArrayLike<number>;
  readonly addresses: StatementAddresses;
  /**
   * The statements of a program for listings, which does not run, each with the index of its place.
   * Then `origins` and the functions have numbers of these, from 1.
   */
  readonly statements?: readonly PlacedStatement[];
  /**
   * The functions that the code was written from, as far as they are assembled; absent where no
   * code will be generated.
   */
  readonly lowered?: readonly LoweredFunction[];
  /**
   * The growth of a program whose functions are assembled when they are needed. Then `code` and
   * `origins` are replaced when they get longer, and the other lists grow.
   */
  readonly growth?: ProgramGrowth;
}

/** The rest of a program that is assembled in part. */
export interface ProgramGrowth {
  readonly policy: Policy;
  /** Assembles a function, if it is not: one whose `entry` is `notAssembled`. */
  assemble(index: number): void;
  /** Assembles the rules that may only return a constant, so that `paths` knows them. */
  findConstants(): void;
  /** The whole program. */
  whole(): Program;
}

/** The entry of a function that is not assembled. */
export const notAssembled = -1;

export interface ProgramFunction {
  readonly name: string;
  readonly kind: 'plan' | 'rule' | 'function';
  readonly path: readonly string[] | undefined;
  readonly entry: number;
  /** How many registers a frame needs; the parameters come first. */
  readonly registers: number;
  /**
   * How many of them must be undefined at first: arguments, and registers that may be read before
   * they are written.
   */
  readonly cleared: number;
  readonly params: number;
  /** Whether no results by its argument are remembered. */
  readonly isQuick: boolean;
  /** The instructions that a call counts against the limit. */
  readonly weight: number;
}

/** The place of the statement that an instruction came from. */
export function instructionPlace(program: Program, pc: number): StatementPlace {
  return placeAt(program, program.origins[pc] ?? 0);
}

/** The entry of a function that has come to a statement, by the index of its place. */
export function stackEntry(program: Program, func: number, origin: number): StackEntry {
  const address = statementAddressAt(program.addresses, origin);
  return {
    name: program.functions[func]!.name,
    ...placeAt(program, origin),
    ...(address !== undefined && { address }),
  };
}

/** The place of a statement, by its index in `places`. */
export function placeAt(program: Program, origin: number): StatementPlace {
  const at = origin * 3;
  return {
    file: program.files[program.places[at] ?? 0] ?? '',
    row: program.places[at + 1] ?? 0,
    col: program.places[at + 2] ?? 0,
  };
}
