/** bits.*: whole numbers of any size in two's complement. */
import { type NumberValue, numberFromInteger } from '../../numbers/number.js';
import { number } from '../../type.js';
import type { Value } from '../../value.js';
import { arg, builtin } from '../builtin.js';
import { BuiltinError, operandError } from '../builtin-errors.js';
import { linear } from '../cost.js';
import { bigInteger, type Integer, integer } from '../value-operands.js';

const x = arg('x', number, integer);
const two = [x, arg('y', number, integer)] as const;
const shifted = [x, arg('s', number, shiftCount)] as const;

/** The widest result of a left shift: past a million bits one is an attack or a mistake. */
const maxShift = 1_000_000n;

/** A function of two whole numbers; `small` answers for doubles that fit into 32 bits. */
function binary(small: (x: number, y: number) => number, large: (x: bigint, y: bigint) => bigint) {
  return (x: Integer, y: Integer): NumberValue => {
    if (typeof x === 'number' && typeof y === 'number' && (x | 0) === x && (y | 0) === y) return small(x, y);
    return numberFromInteger(large(BigInt(x), BigInt(y)));
  };
}

/** The count of a shift, of which the reference takes the low 64 bits. */
function shiftCount(operand: Value, position: number): bigint {
  const count = bigInteger(operand, position);
  if (count < 0n) throw operandError(position, 'must be an unsigned integer number but got a negative integer');
  return BigInt.asUintN(64, count);
}

function lsh(x: Integer, count: bigint): NumberValue {
  const value = BigInt(x);
  if (value === 0n) return 0;
  if (count > maxShift) throw new BuiltinError('shift count too large');
  return numberFromInteger(value << count);
}

function rsh(x: Integer, count: bigint): NumberValue {
  return numberFromInteger(BigInt(x) >> count);
}

function negate(x: Integer): NumberValue {
  return typeof x === 'number' && (x | 0) === x ? ~x : numberFromInteger(~BigInt(x));
}

// biome-ignore format: a table
export const bits = [
  builtin('bits.and',    two, number, binary((x, y) => x & y, (x, y) => x & y), { cost: linear(1) }),
  builtin('bits.or',     two, number, binary((x, y) => x | y, (x, y) => x | y), { cost: linear(1) }),
  builtin('bits.xor',    two, number, binary((x, y) => x ^ y, (x, y) => x ^ y), { cost: linear(1) }),
  builtin('bits.negate', [x], number, negate, { cost: linear(1) }),
  builtin('bits.lsh',    shifted, number, lsh, { cost: linear(1) }),
  builtin('bits.rsh',    shifted, number, rsh, { cost: linear(1) }),
];
