/**
 * The numbers of the language: decimals of any size. A JavaScript number is the decimal that
 * `String` shows; a number whose text would not come back from `String(Number(text))` is an
 * `ExactNumber`.
 */
import { ValueClass } from '../value-class.js';
import { countWork } from '../work.js';

/** An exact decimal: `digits × 10^exponent`, digits without trailing zeros (0 is `0 × 10^0`). */
export interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
  /** How many digits there are. */
  readonly size: number;
  /** The float that is nearest to it, where arithmetic has needed it. */
  float?: readonly [high: number, low: number];
}

/**
 * Units of work for a digit of a long number that is read, written or divided. Such work cannot be
 * interrupted.
 */
const unitsPerDigit = 20;

/** Numbers of fewer digits cost no more than counting them. */
const manyDigits = 200;

/** Counts the work of converting or dividing numbers of these digits, before it is done. */
export function countDigits(digits: number): void {
  if (digits > manyDigits) countWork(digits * unitsPerDigit);
}

/**
 * A number that a double would lose, or print differently: `12345678901234567890`, `1.10`, `1e400`.
 */
export class ExactNumber extends ValueClass {
  #text: string | undefined;
  #decimal: Decimal | undefined;
  /**
   * The value as an integer: given for numbers made from integers, as most exact numbers are (times
   * in nanoseconds), otherwise computed at first use.
   */
  #integer: bigint | undefined;
  #size: number | undefined;

  /** @param from undefined for classes that write their text when it is needed */
  constructor(from: string | bigint | undefined) {
    super();
    if (typeof from === 'string') this.#text = from;
    else this.#integer = from;
  }

  /** The literal, as it is written in JSON. */
  get text(): string {
    if (this.#text === undefined) {
      countDigits(this.size);
      this.#text = String(this.#integer);
    }
    return this.#text;
  }

  /** How many digits it is written with, about; known without writing them. */
  get size(): number {
    return (this.#size ??= this.#text?.length ?? digitsOf(this.#integer!));
  }

  get decimal(): Decimal {
    return (this.#decimal ??=
      this.#integer === undefined ? parseDecimal(this.text) : normalizeDecimal(this.#integer, 0));
  }

  /** The value where it is a whole number: `1.0` and `1e2` are. */
  get integer(): bigint | undefined {
    return (this.#integer ??= decimalToInteger(this.decimal));
  }

  /** The nearest double; NaN for literals that take long to convert. */
  get near(): number {
    return this.size < 40 ? Number(this.#text ?? this.#integer ?? this.text) : Number.NaN;
  }

  override toString(): string {
    return this.text;
  }

  /** For hosts that serialise a value themselves; `values/json/json.ts` keeps all digits. */
  toJSON(): number {
    return Number(this.text);
  }
}

export type NumberValue = number | ExactNumber;

/**
 * Exponents beyond this would let a short literal such as `1e999999999` take gigabytes in
 * arithmetic.
 */
const maxExponent = 100_000;

export class NumberRangeError extends RangeError {}

/** Counts an operation on two integers that takes `units` units for a digit. */
export function countIntegers(a: bigint, b: bigint, units: number): void {
  const digits = digitsOf(a) + digitsOf(b);
  if (digits > manyDigits) countWork(digits * units);
}

/** Units for a digit of factors, and of dividends. */
export const unitsOfProduct = 4;
export const unitsOfQuotient = 20;

const int64 = 1n << 63n;

/** About as many digits as an integer has; hexadecimal ones are counted a hundred times as fast. */
function digitsOf(value: bigint): number {
  return value < int64 && value > -int64 ? 19 : Math.ceil(value.toString(16).length * 1.21);
}

function normalizeDecimal(digits: bigint, exponent: number): Decimal {
  if (digits === 0n) return { digits, exponent: 0, size: 1 };
  countDigits(digitsOf(digits));
  const text = digits.toString();
  let end = text.length;
  while (text.charCodeAt(end - 1) === 48) end--;
  const zeros = text.length - end;
  const size = end - (digits < 0n ? 1 : 0);
  return zeros === 0
    ? { digits, exponent, size }
    : { digits: BigInt(text.slice(0, end)), exponent: exponent + zeros, size };
}

function parseDecimal(text: string): Decimal {
  countDigits(text.length);
  const [mantissa, power = 0] = text.split(/[eE]/) as [string, string?];
  const exponent = Number(power);
  const dot = mantissa.indexOf('.');
  if (dot < 0) return normalizeDecimal(BigInt(mantissa), exponent);
  const negative = mantissa.startsWith('-');
  const digits = BigInt(mantissa.slice(negative ? 1 : 0, dot) + mantissa.slice(dot + 1));
  return normalizeDecimal(negative ? -digits : digits, exponent - (mantissa.length - dot - 1));
}

/** The decimal of a number. */
export function decimalOf(n: NumberValue): Decimal {
  return n instanceof ExactNumber
    ? n.decimal
    : Number.isSafeInteger(n)
      ? normalizeDecimal(BigInt(n), 0)
      : parseDecimal(String(n));
}

function decimalToInteger({ digits, exponent, size }: Decimal): bigint | undefined {
  if (exponent < 0) return undefined;
  if (exponent > maxExponent) throw new NumberRangeError(`number too large: exponent ${exponent}`);
  if (exponent === 0) return digits;
  countDigits(size + exponent);
  return digits * 10n ** BigInt(exponent);
}

/** A whole number's value, undefined for any other number. */
export function integerOf(n: NumberValue): bigint | undefined {
  if (typeof n === 'number')
    return Number.isInteger(n) ? (Number.isSafeInteger(n) ? BigInt(n) : decimalToInteger(decimalOf(n))) : undefined;
  return n.integer;
}

/** A whole number as a double where that is safe, undefined for any other number. `1.0` is 1. */
export function safeIntegerOf(n: NumberValue): number | undefined {
  if (typeof n === 'number') return Number.isSafeInteger(n) ? n : undefined;
  const { digits, exponent } = n.decimal;
  if (exponent < 0 || exponent > 16) return undefined;
  const value = Number(digits * 10n ** BigInt(exponent));
  return Number.isSafeInteger(value) ? value : undefined;
}

/**
 * The value of a number that is written as a whole one: digits, then at most a point and zeros.
 * `10` and `10.0` are; `1e1` is not. The reference decides so if it looks at the literal.
 */
export function writtenIntegerOf(n: NumberValue): bigint | undefined {
  if (typeof n === 'number' && Number.isSafeInteger(n)) return BigInt(n);
  const text = numberText(n);
  countDigits(text.length);
  const match = /^(-?\d+)(?:\.0+)?$/.exec(text);
  return match === null ? undefined : BigInt(match[1]!);
}

const numberSyntax = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The number of a JSON literal, undefined where the text is none. */
export function parseNumber(text: string): NumberValue | undefined {
  return numberSyntax.test(text) ? numberFromText(text) : undefined;
}

/** The number of a text already known to be a JSON number literal. */
export function numberFromText(text: string): NumberValue {
  const n = Number(text);
  return String(n) === text ? n : new ExactNumber(text);
}

/** The number of a whole value. */
export function numberFromInteger(value: bigint): NumberValue {
  return value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : new ExactNumber(value);
}

/** The literal of a number, as in JSON output and `%v`. */
export function numberText(n: NumberValue): string {
  return typeof n === 'number' ? String(n) : n.text;
}

/** The nearest double. */
export function toDouble(n: NumberValue): number {
  return typeof n === 'number' ? n : n.toJSON();
}

/**
 * A number equal by value is equal by key: doubles are their own keys, other decimals have their
 * normal form as key. Doubles below 2^53 hash fastest, so a number with an equal double has that as
 * its key.
 */
export function numberKey(n: NumberValue): number | string {
  if (typeof n === 'number') return n;
  const { digits, exponent, size } = n.decimal;
  countDigits(size);
  const text = `${digits}e${exponent}`;
  const double = Number(text);
  if (Number.isFinite(double)) {
    const back = decimalOf(double);
    if (back.digits === digits && back.exponent === exponent) return double;
  }
  return text;
}

/** Orders two numbers by value: negative, zero or positive. */
export function compareNumbers(a: NumberValue, b: NumberValue): number {
  // The nearest doubles are in the order of the numbers, or equal.
  const x = typeof a === 'number' ? a : a.near;
  const y = typeof b === 'number' ? b : b.near;
  if (x < y) return -1;
  if (x > y) return 1;
  return x === a && y === b ? 0 : compareDecimals(decimalOf(a), decimalOf(b));
}

function compareDecimals(a: Decimal, b: Decimal): number {
  const sign = a.digits > 0n ? 1 : a.digits < 0n ? -1 : 0;
  const otherSign = b.digits > 0n ? 1 : b.digits < 0n ? -1 : 0;
  if (sign !== otherSign) return sign - otherSign;
  if (sign === 0) return 0;
  const size = a.size + a.exponent;
  const otherSize = b.size + b.exponent;
  if (size !== otherSize) return size > otherSize ? sign : -sign;
  // The sizes are equal: the exponents differ by no more than the digits do, so scaling is cheap.
  const shift = a.exponent - b.exponent;
  if (shift !== 0) countDigits(a.size + b.size);
  const x = shift > 0 ? a.digits * 10n ** BigInt(shift) : a.digits;
  const y = shift < 0 ? b.digits * 10n ** BigInt(-shift) : b.digits;
  return x < y ? -1 : x > y ? 1 : 0;
}
