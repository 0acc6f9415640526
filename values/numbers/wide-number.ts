/** Results of arithmetic whose digits are written when they are needed. */
import { type Float, floatText } from './big-float.js';
import { unitOf } from './double-pair.js';
import { ExactNumber } from './number.js';
import { wideText } from './wide-text.js';

/** The float of 64 bits that is the sum of two doubles. */
export function floatOf(high: number, low: number): Float {
  const unit = unitOf(high, low);
  return { mantissa: BigInt(high / unit) + BigInt(low / unit), exponent: Math.log2(unit) };
}

/**
 * A float of 64 bits that is not a whole number, and that no double prints as. Most are only
 * compared or computed with, and it takes long to find their digits.
 */
export class WideNumber extends ExactNumber {
  readonly #high: number;
  readonly #low: number;
  #text: string | undefined;

  constructor(high: number, low: number) {
    super(undefined);
    this.#high = high;
    this.#low = low;
  }

  /** The nearest double. */
  get high(): number {
    return this.#high;
  }

  /** The rest. */
  get low(): number {
    return this.#low;
  }

  override get text(): string {
    return (this.#text ??= wideText(this.#high, this.#low) ?? floatText(floatOf(this.#high, this.#low)));
  }

  override get size(): number {
    return this.text.length;
  }

  override get integer(): undefined {
    return undefined;
  }

  override get near(): number {
    // The printed number is at most half a unit away, and 1024 units are half of a double's.
    const isSure = Math.abs(this.#low) <= unitOf(this.#high, this.#low) * 1022;
    return isSure ? this.#high : Number(this.text);
  }

  override toJSON(): number {
    return this.near;
  }
}
