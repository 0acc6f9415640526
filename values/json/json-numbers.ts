/** Numbers of JSON texts from bytes. */
import { ExactNumber, type NumberValue, numberFromText } from '../numbers/number.js';
import { bytesPerPiece, PieceReader } from './piece-reader.js';

/** The length of the longest text of a double. */
const maxDoubleLength = 32;

/** Memory of a number in bytes, without its digits. */
const header = 96;

const decoder = new TextDecoder();

/** The part of a number that is read next. */
const point = 1;
const exponent = 2;
/** Digits, by the part that follows them. */
const whole = 3;
const fraction = 4;
const power = 5;
const done = 6;

export class NumberReader extends PieceReader {
  #next = whole;
  /** The complete number. */
  number: NumberValue = 0;

  /**
   * Reads the number that begins with a digit or a minus sign, or its next piece; returns its end,
   * or the position of an error.
   */
  read(start: number): number {
    const limit = start + bytesPerPiece;
    let i = this.isInside ? start : this.#sign(start);
    while (this.#next !== done && this.problem === undefined && i < limit) i = this.#part(i, limit);
    if (this.problem !== undefined) return i;
    const text = this.before + asciiText(this.bytes, start, i);
    this.isInside = this.#next !== done;
    this.before = this.isInside ? text : '';
    if (this.isInside) this.takenBytes += i - start;
    else this.#end(text, i - start);
    return i;
  }

  #end(text: string, lastPiece: number): void {
    const isLong = text.length > maxDoubleLength;
    this.takenBytes += isLong ? header + lastPiece : header;
    this.number = isLong ? new ExactNumber(text) : numberFromText(text);
  }

  #sign(start: number): number {
    const i = this.bytes[start] === 45 ? start + 1 : start;
    if (i > start) this.#expectDigit(i, 'in numeric literal');
    this.#next = whole;
    // No digit follows a leading zero.
    if (this.bytes[i] !== 48) return i;
    this.#next = point;
    return i + 1;
  }

  #part(i: number, limit: number): number {
    const c = this.bytes[i];
    switch (this.#next) {
      case point:
        this.#next = c === 46 ? fraction : exponent;
        if (c !== 46) return i;
        this.#expectDigit(i + 1, 'after decimal point in numeric literal');
        return i + 1;
      case exponent:
        this.#next = c === 69 || c === 101 ? power : done;
        return this.#next === done ? i : this.#exponentSign(i + 1);
      default:
        return this.#digits(i, limit);
    }
  }

  #exponentSign(i: number): number {
    const sign = this.bytes[i];
    const start = sign === 43 || sign === 45 ? i + 1 : i;
    this.#expectDigit(start, 'in exponent of numeric literal');
    return start;
  }

  #digits(start: number, limit: number): number {
    const bytes = this.bytes;
    let i = start;
    while (i < limit && isDigit(bytes[i])) i++;
    if (!isDigit(bytes[i])) this.#next = this.#next === whole ? point : this.#next === fraction ? exponent : done;
    return i;
  }

  #expectDigit(i: number, context: string): void {
    if (!isDigit(this.bytes[i])) this.problem = context;
  }
}

function asciiText(bytes: Uint8Array, start: number, end: number): string {
  if (end - start > maxDoubleLength) return decoder.decode(bytes.subarray(start, end));
  let text = '';
  for (let i = start; i < end; i++) text += String.fromCharCode(bytes[i]!);
  return text;
}

export function isDigit(c: number | undefined): boolean {
  return c !== undefined && c >= 48 && c <= 57;
}
