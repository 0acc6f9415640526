import type { Builtin, BuiltinBody, OperandReader } from '../../values/builtins/builtin.js';
import type { CostOf } from '../../values/builtins/cost.js';
import { readersOf } from '../../values/builtins/read-operands.js';

/** A built-in as the VM calls it. */
export interface LinkedBuiltin {
  readonly name: string;
  readonly body: BuiltinBody;
  /** By operand; undefined where any value is allowed. */
  readonly readers: readonly (OperandReader | undefined)[];
  /** Whether some operand has a reader. */
  readonly reads: boolean;
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
    cost: typeof row.cost === 'function' ? row.cost : undefined,
    nondeterministic: row.nondeterministic === true,
    fixed: row.args.length + (row.isPlaced === true ? 1 : 0),
    variadic: row.variadic !== undefined,
  };
}
