import type { Builtin, BuiltinBody, CostOf, OperandReader } from '../../values/index.js';
import { leadingStrings, readersOf } from '../../values/index.js';

/** A built-in as the VM calls it. */
export interface LinkedBuiltin {
  readonly name: string;
  readonly body: BuiltinBody;
  /** The reader of each operand; undefined where any value is allowed. */
  readonly readers: readonly (OperandReader | undefined)[];
  /** Whether some operand has a reader. */
  readonly reads: boolean;
  /**
   * How many of the first operands must be strings. Where errors make a call undefined only, other
   * values do so at once: to throw takes 1 µs, and loops over documents meet all kinds of values.
   */
  readonly strings: number;
  /** Counted before a call; undefined where the body counts, or no call takes long. */
  readonly cost: CostOf | undefined;
  readonly nondeterministic: boolean;
  /** Operands that are not further ones, with the place of a call. */
  readonly fixed: number;
  readonly variadic: boolean;
}

export function linkedBuiltin(row: Builtin): LinkedBuiltin {
  const readers = readersOf(row.args);
  return {
    name: row.name,
    body: row.body,
    readers,
    reads: readers.some((read) => read !== undefined),
    strings: leadingStrings(readers),
    cost: typeof row.cost === 'function' ? row.cost : undefined,
    nondeterministic: row.nondeterministic === true,
    fixed: row.args.length + (row.isPlaced === true ? 1 : 0),
    variadic: row.variadic !== undefined,
  };
}
