/**
 * Reads the directives of formats: `%[2]*.[1]*f` names operands for its width and its precision.
 */
import { countWork } from '../../../work.js';
import { GoInt, type GoValue } from './go-value.js';

/** How a value is to be shown. */
export interface Style {
  readonly plus: boolean;
  readonly minus: boolean;
  readonly sharp: boolean;
  readonly space: boolean;
  readonly zero: boolean;
  readonly width?: number | undefined;
  readonly precision?: number | undefined;
}

export const plainDirective: Style = { plus: false, minus: false, sharp: false, space: false, zero: false };

export interface FormatDirective {
  readonly style: Style;
  /** The verb's letter; undefined where the format ends before it. */
  readonly verb: string | undefined;
  /** Text about a width or a precision that is no integer. */
  readonly warnings: string;
  /** Whether all its `[n]` name operands, in places where they may. */
  readonly isIndexed: boolean;
  /** The position in the format. */
  readonly end: number;
}

/** Widths and precisions beyond this are errors. */
const maxNumber = 1_000_000;

/** The values that directives take in turn, or by number. */
export class FormatOperands {
  readonly values: readonly GoValue[];
  next = 0;
  /** Whether a directive named an operand by its number: then unused operands are not reported. */
  isReordered = false;

  constructor(values: readonly GoValue[]) {
    this.values = values;
  }

  get isEmpty(): boolean {
    return this.next >= this.values.length;
  }

  /** The next operand, undefined where there is none left. */
  take(): GoValue | undefined {
    return this.values[this.next++];
  }

  /** The next operand as a width or precision, undefined where it is none. */
  takeSize(): number | undefined {
    const value = this.take();
    const size = value instanceof GoInt ? Number(value.value) : Number.NaN;
    return Math.abs(size) <= maxNumber ? size : undefined;
  }
}

/** The directive after the percent sign that stands before `start`. */
export function readDirective(format: string, start: number, operands: FormatOperands): FormatDirective {
  const first = format.charCodeAt(start);
  if (isLetter(first)) return bare(String.fromCharCode(first), start + 1);
  return new DirectiveReader(format, start, operands).read();
}

function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
}

/** A directive of a verb alone, as most are. */
function bare(verb: string, end: number): FormatDirective {
  return { style: plainDirective, verb, warnings: '', isIndexed: true, end };
}

const shortestIndex = '[1]'.length;
const flagCharacters = '#0+- ';

class DirectiveReader {
  readonly #format: string;
  readonly #operands: FormatOperands;
  #at: number;
  #isIndexed = true;
  #warnings = '';

  constructor(format: string, start: number, operands: FormatOperands) {
    this.#format = format;
    this.#at = start;
    this.#operands = operands;
  }

  read(): FormatDirective {
    const flags = this.#flags();
    let hasIndex = this.#index();
    const width = this.#size('WIDTH', hasIndex);
    if (width.isOperand) hasIndex = false;
    let precision: Size | undefined;
    if (this.#take('.')) {
      // An index belongs to the operand that follows it at once.
      if (hasIndex) this.#isIndexed = false;
      hasIndex = this.#index();
      precision = this.#size('PREC', false);
      if (precision.isOperand) hasIndex = false;
    }
    if (!hasIndex) this.#index();
    const style = styleOf(flags, width, precision);
    const code = this.#format.codePointAt(this.#at);
    const verb = code === undefined ? undefined : String.fromCodePoint(code);
    const end = this.#at + (verb?.length ?? 0);
    return { style, verb, warnings: this.#warnings, isIndexed: this.#isIndexed, end };
  }

  #take(character: string): boolean {
    if (this.#format[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #flags(): string {
    const start = this.#at;
    while (flagCharacters.includes(this.#format[this.#at] ?? '?')) this.#at++;
    return this.#format.slice(start, this.#at);
  }

  /** A width or a precision: digits, or `*` for an operand. */
  #size(name: 'WIDTH' | 'PREC', hasIndex: boolean): Size {
    if (!this.#take('*')) {
      const value = this.#digits();
      if (hasIndex && value !== undefined) this.#isIndexed = false;
      return { value, isOperand: false };
    }
    const operand = this.#operands.takeSize();
    const value = name === 'PREC' && operand !== undefined && operand < 0 ? undefined : operand;
    if (value === undefined) this.#warnings += `%!(BAD${name})`;
    return { value, isOperand: true };
  }

  /** The number at this position. A number that is too large ends the format. */
  #digits(): number | undefined {
    const start = this.#at;
    let number = 0;
    for (; isDigit(this.#format[this.#at]); this.#at++) {
      if (number > maxNumber) {
        this.#at = this.#format.length;
        return undefined;
      }
      number = number * 10 + Number(this.#format[this.#at]);
    }
    return this.#at === start ? undefined : number;
  }

  /**
   * `[n]`: the operand with that number, from 1, is next. Returns whether the number is well
   * formed.
   */
  #index(): boolean {
    const open = this.#at;
    if (!this.#take('[')) return false;
    this.#operands.isReordered = true;
    const close = this.#format.indexOf(']', open);
    countWork(((close < 0 ? this.#format.length : close) - open) >> 5);
    if (close < 0 || this.#format.length - open < shortestIndex) {
      this.#isIndexed = false;
      return false;
    }
    const number = this.#digits();
    const isNumber = number !== undefined && this.#at === close;
    this.#at = close + 1;
    if (isNumber && number >= 1 && number <= this.#operands.values.length) this.#operands.next = number - 1;
    else this.#isIndexed = false;
    return isNumber;
  }
}

interface Size {
  readonly value: number | undefined;
  /** Whether it is an operand, `*`. */
  readonly isOperand: boolean;
}

function styleOf(flags: string, width: Size, precision: Size | undefined): Style {
  if (flags === '' && width.value === undefined && precision === undefined) return plainDirective;
  const toTheLeft = width.value !== undefined && width.value < 0;
  return {
    plus: flags.includes('+'),
    minus: flags.includes('-') || toTheLeft,
    sharp: flags.includes('#'),
    space: flags.includes(' '),
    zero: flags.includes('0') && !toTheLeft,
    width: width.value === undefined ? undefined : Math.abs(width.value),
    precision: precision?.isOperand === false ? (precision.value ?? 0) : precision?.value,
  };
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9';
}
