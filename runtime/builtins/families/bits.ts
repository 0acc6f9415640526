/** bits.*: whole numbers of any size in two's complement. */
import { type NumberValue, numberFromInteger } from '../../values/numbers/number.js';
import { number } from '../../values/type.js';
import type { Value } from '../../values/value.js';
import { arg, builtin } from '../builtin.js';
import { linear } from '../cost.js';
import { BuiltinError, operandError } from '../errors.js';
import { bigIntegerOperand } from '../value-operands.js';

const own = { checksOperands: true } as const;
const two = [arg('x', number), arg('y', number)] as const;
const shifted = [arg('x', number), arg('s', number)] as const;

/** The widest result of a left shift: past a million bits one is an attack or a mistake. */
const maxShift = 1_000_000n;

/** A function of two whole numbers; `small` answers for doubles that fit into 32 bits. */
function binary(small: (x: number, y: number) => number, large: (x: bigint, y: bigint) => bigint) {
  return (x: Value, y: Value): NumberValue => {
    if (typeof x === 'number' && typeof y === 'number' && (x | 0) === x && (y | 0) === y) return small(x, y);
    return numberFromInteger(large(bigIntegerOperand(x, 1), bigIntegerOperand(y, 2)));
  };
}

function shift(x: Value, by: Value): [bigint, bigint] {
  const value = bigIntegerOperand(x, 1);
  const count = bigIntegerOperand(by, 2);
  if (count < 0n) throw operandError(2, 'must be an unsigned integer number but got a negative integer');
  // The reference takes the low 64 bits of the count.
  return [value, BigInt.asUintN(64, count)];
}

function lsh(x: Value, by: Value): NumberValue {
  const [value, count] = shift(x, by);
  if (value === 0n) return 0;
  if (count > maxShift) throw new BuiltinError('shift count too large');
  return numberFromInteger(value << count);
}

function rsh(x: Value, by: Value): NumberValue {
  const [value, count] = shift(x, by);
  return numberFromInteger(value >> count);
}

function negate(x: Value): NumberValue {
  return typeof x === 'number' && (x | 0) === x ? ~x : numberFromInteger(~bigIntegerOperand(x, 1));
}

// biome-ignore format: a table
export const bits = [
  builtin('bits.and',    two, number, binary((x, y) => x & y, (x, y) => x & y), { ...own, cost: linear(1) }),
  builtin('bits.or',     two, number, binary((x, y) => x | y, (x, y) => x | y), { ...own, cost: linear(1) }),
  builtin('bits.xor',    two, number, binary((x, y) => x ^ y, (x, y) => x ^ y), { ...own, cost: linear(1) }),
  builtin('bits.negate', [arg('x', number)], number, negate, { ...own, cost: linear(1) }),
  builtin('bits.lsh',    shifted, number, lsh, { ...own, cost: linear(1) }),
  builtin('bits.rsh',    shifted, number, rsh, { ...own, cost: linear(1) }),
];
