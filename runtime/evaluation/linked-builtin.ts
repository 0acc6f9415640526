import type { Builtin, BuiltinBody } from '../builtins/builtin.js';
import type { CostOf } from '../builtins/cost.js';
import { type OperandCheck, operandCheck } from '../builtins/operands.js';

/** A built-in as the VM calls it. */
export interface LinkedBuiltin {
  readonly name: string;
  readonly body: BuiltinBody;
  /** By operand; undefined where any value is allowed. */
  readonly checks: readonly (OperandCheck | undefined)[];
  /** Whether some operand is checked. */
  readonly checked: boolean;
  /** Counted before a call; undefined where the body counts, or no call takes long. */
  readonly cost: CostOf | undefined;
  readonly nondeterministic: boolean;
  readonly fixed: number;
  readonly variadic: boolean;
}

export function linkedBuiltin(row: Builtin): LinkedBuiltin {
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
