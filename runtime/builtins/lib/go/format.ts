/** Go's `fmt.Sprintf`: verbs, flags, width, precision, `*` and `[n]`, and its complaints such as `%!d(string=x)`. */

import { formatFloat } from '../../../values/numbers/go-float.js';
import { goQuote, goQuoteRune, isPrintable } from '../../../values/text/term-text.js';
import { TextBuilder } from '../../../values/text/text-builder.js';
import { toBinary } from '../../../values/text/utf8.js';
import { countWork } from '../../../values/work.js';
import { GoBigInt, GoFloat, GoInt, type GoValue, goType, isMap, mapEntries, sliceOf, stringOf } from './values.js';

/** Widths and precisions beyond this are errors, as in Go. */
const maxNumber = 1_000_000;

/** Units for a directive, besides those for each character that it makes. */
const unitsPerDirective = 50;

/** Units for a byte in hexadecimal. */
const unitsPerByte = 10;

/** Formats `args` by `format`. Never fails: what does not fit is said in the text. */
export function goFormat(format: string, args: readonly GoValue[]): string {
  return new Printer(args).print(format);
}

/** A value as `%v` shows it. */
export function goText(value: GoValue): string {
  if (typeof value === 'string') return value;
  return new Printer([]).value(value, 'v', 0);
}

class Printer {
  readonly #args: readonly GoValue[];
  #next = 0;
  #reordered = false;
  #goodIndex = true;
  #sharp = false;
  #zero = false;
  #plus = false;
  #minus = false;
  #space = false;
  #sharpV = false;
  #plusV = false;
  #width: number | undefined;
  #precision: number | undefined;

  constructor(args: readonly GoValue[]) {
    this.#args = args;
  }

  print(format: string): string {
    const out = new TextBuilder();
    let i = 0;
    while (i < format.length) {
      const percent = format.indexOf('%', i);
      if (percent < 0) {
        out.add(format.slice(i));
        break;
      }
      out.add(format.slice(i, percent));
      const [text, end] = this.#directive(format, percent + 1);
      countWork(unitsPerDirective + text.length);
      out.add(text);
      i = end;
    }
    out.add(this.#extra());
    return out.toString();
  }

  #clear(): void {
    this.#sharp = this.#zero = this.#plus = this.#minus = this.#space = this.#sharpV = this.#plusV = false;
    this.#width = this.#precision = undefined;
  }

  /** What stands after a percent sign at `i`: its text, and where it ends. */
  #directive(format: string, i: number): [string, number] {
    this.#clear();
    this.#goodIndex = true;
    i = this.#flags(format, i);
    let afterIndex = false;
    let warning = '';
    [i, afterIndex] = this.#index(format, i);
    if (format[i] === '*') {
      i++;
      this.#width = this.#intArg();
      if (this.#width === undefined) warning += '%!(BADWIDTH)';
      else if (this.#width < 0) {
        this.#width = -this.#width;
        this.#minus = true;
        this.#zero = false;
      }
      afterIndex = false;
    } else {
      [this.#width, i] = parseNumber(format, i);
      if (afterIndex && this.#width !== undefined) this.#goodIndex = false;
    }
    if (format[i] === '.') {
      i++;
      if (afterIndex) this.#goodIndex = false;
      [i, afterIndex] = this.#index(format, i);
      if (format[i] === '*') {
        i++;
        this.#precision = this.#intArg();
        if (this.#precision !== undefined && this.#precision < 0) this.#precision = undefined;
        if (this.#precision === undefined) warning += '%!(BADPREC)';
        afterIndex = false;
      } else {
        [this.#precision, i] = parseNumber(format, i);
        this.#precision ??= 0;
      }
    }
    if (!afterIndex) [i, afterIndex] = this.#index(format, i);
    if (i >= format.length) return [`${warning}%!(NOVERB)`, i];
    const verb = String.fromCodePoint(format.codePointAt(i)!);
    return [warning + this.#verb(verb), i + verb.length];
  }

  #flags(format: string, i: number): number {
    for (; ; i++) {
      switch (format[i]) {
        case '#':
          this.#sharp = true;
          break;
        case '0':
          this.#zero = true;
          break;
        case '+':
          this.#plus = true;
          break;
        case '-':
          this.#minus = true;
          break;
        case ' ':
          this.#space = true;
          break;
        default:
          return i;
      }
    }
  }

  /** An explicit index, `[n]`: where it ends, and whether there is one. */
  #index(format: string, i: number): [number, boolean] {
    if (format[i] !== '[') return [i, false];
    this.#reordered = true;
    const close = format.indexOf(']', i);
    countWork(((close < 0 ? format.length : close) - i) >> 5);
    if (format.length - i < 3 || close < 0) {
      this.#goodIndex = false;
      return [i + 1, false];
    }
    const [n, end] = parseNumber(format, i + 1);
    if (n === undefined || end !== close) {
      this.#goodIndex = false;
      return [close + 1, false];
    }
    if (n >= 1 && n <= this.#args.length) this.#next = n - 1;
    else this.#goodIndex = false;
    return [close + 1, true];
  }

  #intArg(): number | undefined {
    if (this.#next >= this.#args.length) return undefined;
    const value = this.#args[this.#next++]!;
    if (!(value instanceof GoInt)) return undefined;
    const n = Number(value.value);
    return Math.abs(n) > maxNumber ? undefined : n;
  }

  #verb(verb: string): string {
    if (verb === '%') return '%';
    if (!this.#goodIndex) return `%!${verb}(BADINDEX)`;
    if (this.#next >= this.#args.length) return `%!${verb}(MISSING)`;
    if (verb === 'v' || verb === 'w') {
      this.#sharpV = this.#sharp;
      this.#sharp = false;
      this.#plusV = this.#plus;
      this.#plus = false;
    }
    return this.value(this.#args[this.#next++]!, verb, 0);
  }

  #extra(): string {
    if (this.#reordered || this.#next >= this.#args.length) return '';
    this.#clear();
    const texts = this.#args.slice(this.#next).map((value) => (value === null ? '<nil>' : `${goType(value)}=${this.value(value, 'v', 0)}`));
    return `%!(EXTRA ${texts.join(', ')})`;
  }

  /** A value by a verb; `depth` is 0 for an argument itself. */
  value(value: GoValue, verb: string, depth: number): string {
    countWork(unitsPerDirective);
    if (verb === 'T' && depth === 0) return this.#string(goType(value), 's');
    if (value === null) return this.#nil(verb, depth);
    if (typeof value === 'boolean') return verb === 't' || verb === 'v' ? this.#pad(String(value)) : this.#bad(value, verb);
    if (value instanceof GoInt) return this.#integer(value, verb);
    if (value instanceof GoFloat) {
      return verb === 'v' && !this.#sharpV && value.written !== undefined ? this.#string(value.written, 's') : this.#float(value, verb);
    }
    if (value instanceof GoBigInt) return this.#bigInteger(value, verb);
    const text = stringOf(value);
    if (text !== undefined) return 'vsxXq'.includes(verb) ? this.#string(text, verb) : this.#bad(value, verb);
    if (verb === 'p') return '0xc000000000';
    const slice = sliceOf(value);
    if (slice !== undefined) return this.#slice(slice, verb, depth);
    return isMap(value) ? this.#map(value, verb, depth) : '';
  }

  #nil(verb: string, depth: number): string {
    if (this.#sharpV && depth > 0) return 'interface {}(nil)';
    if (depth > 0) return '<nil>';
    return verb === 'v' ? this.#pad('<nil>') : `%!${verb}(<nil>)`;
  }

  #slice(slice: readonly GoValue[], verb: string, depth: number): string {
    const texts = slice.map((element) => this.value(element, verb, depth + 1));
    return this.#sharpV ? `[]interface {}{${texts.join(', ')}}` : `[${texts.join(' ')}]`;
  }

  #map(map: Parameters<typeof mapEntries>[0], verb: string, depth: number): string {
    const texts: string[] = [];
    for (const [key, member] of mapEntries(map)) texts.push(`${this.value(key, verb, depth + 1)}:${this.value(member, verb, depth + 1)}`);
    return this.#sharpV ? `map[string]interface {}{${texts.join(', ')}}` : `map[${texts.join(' ')}]`;
  }

  #bad(value: GoValue, verb: string): string {
    return `%!${verb}(${goType(value)}=${this.value(value, 'v', 0)})`;
  }

  #pad(text: string, zero = this.#zero): string {
    if (this.#width === undefined) return text;
    const missing = this.#width - lengthOf(text);
    if (missing <= 0) return text;
    if (this.#minus) return text + ' '.repeat(missing);
    return (zero ? '0' : ' ').repeat(missing) + text;
  }

  #string(text: string, verb: string): string {
    if (verb === 'x' || verb === 'X') return this.#hexString(text, verb);
    const cut = this.#precision === undefined ? text : firstCharacters(text, this.#precision);
    if (verb !== 'q' && !(verb === 'v' && this.#sharpV)) return this.#pad(cut);
    if (this.#sharp && canBackquote(cut)) return this.#pad(`\`${cut}\``);
    return this.#pad(goQuote(cut, this.#plus));
  }

  #hexString(text: string, verb: string): string {
    const bytes = toBinary(text).slice(0, this.#precision);
    countWork(bytes.length * unitsPerByte);
    const prefix = this.#sharp ? `0${verb}` : '';
    const out = new TextBuilder();
    for (let i = 0; i < bytes.length; i++) {
      const digits = bytes.charCodeAt(i).toString(16).padStart(2, '0');
      out.add(`${this.#space && i > 0 ? ' ' : ''}${i === 0 || this.#space ? prefix : ''}${verb === 'X' ? digits.toUpperCase() : digits}`);
    }
    return this.#pad(out.toString());
  }

  #integer(value: GoInt, verb: string): string {
    switch (verb) {
      case 'v':
      case 'd':
        return this.#digits(value.value, 10, verb);
      case 'b':
        return this.#digits(value.value, 2, verb);
      case 'o':
      case 'O':
        return this.#digits(value.value, 8, verb);
      case 'x':
      case 'X':
        return this.#digits(value.value, 16, verb);
      case 'c':
        return this.#pad(runeText(value.value));
      case 'q':
        return this.#pad(goQuoteRune(runeText(value.value).codePointAt(0)!, this.#plus));
      case 'U':
        return this.#unicode(value.value);
      default:
        return this.#bad(value, verb);
    }
  }

  #digits(value: bigint, base: number, verb: string): string {
    const negative = value < 0n;
    if (this.#precision === 0 && value === 0n) return this.#pad('', false);
    let count = this.#precision ?? 0;
    if (this.#precision === undefined && this.#zero && !this.#minus && this.#width !== undefined) {
      count = negative || this.#plus || this.#space ? this.#width - 1 : this.#width;
    }
    let text = (negative ? -value : value).toString(base).padStart(count, '0');
    if (verb === 'X') text = text.toUpperCase();
    if (this.#sharp) {
      if (base === 2) text = `0b${text}`;
      else if (base === 8 && text[0] !== '0') text = `0${text}`;
      else if (base === 16) text = `0${verb}${text}`;
    }
    if (verb === 'O') text = `0o${text}`;
    return this.#pad((negative ? '-' : this.#plus ? '+' : this.#space ? ' ' : '') + text, false);
  }

  #unicode(value: bigint): string {
    const code = BigInt.asUintN(64, value);
    const digits = code
      .toString(16)
      .toUpperCase()
      .padStart(Math.max(this.#precision ?? 4, 4), '0');
    const isRune = code <= 0x10ffffn && !(code >= 0xd800n && code <= 0xdfffn);
    const character = isRune ? String.fromCodePoint(Number(code)) : '';
    return this.#pad(`U+${digits}${this.#sharp && character !== '' && isPrintable(character) ? ` '${character}'` : ''}`, false);
  }

  #bigInteger(big: GoBigInt, verb: string): string {
    const bases: { readonly [verb: string]: number } = { b: 2, o: 8, O: 8, d: 10, s: 10, v: 10, x: 16, X: 16 };
    const base = bases[verb];
    if (base === undefined) return `%!${verb}(big.Int=${big.value})`;
    const negative = big.value < 0n;
    const plus = this.#plus || this.#plusV;
    const sign = negative ? '-' : plus ? '+' : this.#space ? ' ' : '';
    const prefixes: { readonly [verb: string]: string } = { b: '0b', o: '0', x: '0x', X: '0X' };
    const prefix = verb === 'O' ? '0o' : this.#sharp ? (prefixes[verb] ?? '') : '';
    let digits = (negative ? -big.value : big.value).toString(base);
    if (verb === 'X') digits = digits.toUpperCase();
    if (this.#precision !== undefined) digits = digits.padStart(this.#precision, '0');
    const missing = (this.#width ?? 0) - sign.length - prefix.length - digits.length;
    if (missing <= 0) return sign + prefix + digits;
    if (this.#minus) return sign + prefix + digits + ' '.repeat(missing);
    if (this.#zero && this.#precision === undefined) return sign + prefix + '0'.repeat(missing) + digits;
    return ' '.repeat(missing) + sign + prefix + digits;
  }

  #float(value: GoFloat, verb: string): string {
    const form = verb === 'v' ? 'g' : verb === 'F' ? 'f' : verb;
    if (!'bgGxXfeE'.includes(form)) return this.#bad(value, verb);
    const shortest = 'bgGxX'.includes(form);
    let text = formatFloat(value.value, form, this.#precision ?? (shortest ? -1 : 6));
    if (verb === 'v' && this.#sharpV && this.#precision === undefined) text = formatSharpV(value.value);
    const signed = text[0] === '-' || text[0] === '+';
    const finite = Number.isFinite(value.value);
    let sign = signed ? text[0]! : '+';
    if (this.#space && sign === '+' && !this.#plus) sign = ' ';
    let digits = signed ? text.slice(1) : text;
    const zero = this.#zero && finite;
    if (!finite && Number.isNaN(value.value) && !this.#space && !this.#plus) sign = '+';
    if (this.#sharp && verb !== 'b' && finite) digits = this.#sharpFloat(digits, form);
    const shown = this.#plus || sign !== '+' ? sign : '';
    const missing = (this.#width ?? 0) - shown.length - digits.length;
    if (shown !== '' && zero && !this.#minus && missing > 0) return shown + '0'.repeat(missing) + digits;
    return this.#pad(shown + digits, zero);
  }

  /** With `#` a float shows its point, and `%g` keeps trailing zeros. */
  #sharpFloat(text: string, form: string): string {
    // Without a precision the lower-case forms show six digits, and so does %G.
    let wanted = 0;
    if (form === 'g' || form === 'G' || form === 'x') wanted = this.#precision ?? 6;
    const hexadecimal = form === 'x' || form === 'X';
    const mark = text.search(hexadecimal ? /[pP]/ : /[eE]/);
    let mantissa = mark < 0 ? text : text.slice(0, mark);
    const tail = mark < 0 ? '' : text.slice(mark);
    const digits = hexadecimal ? mantissa.slice(2) : mantissa;
    let nonZeroSeen = false;
    for (const c of digits) {
      if (c === '.') continue;
      if (c !== '0') nonZeroSeen = true;
      if (nonZeroSeen) wanted--;
    }
    if (!mantissa.includes('.')) {
      // A lone zero counts as a digit.
      if (digits === '0') wanted--;
      mantissa += '.';
    }
    return mantissa + '0'.repeat(Math.max(wanted, 0)) + tail;
  }
}

/** `%#v` of a float: scientific from an exponent of 21 on. */
function formatSharpV(value: number): string {
  const size = Math.abs(value);
  return size !== 0 && (size < 1e-4 || size >= 1e21) ? formatFloat(value, 'e', -1) : formatFloat(value, 'f', -1);
}

/** Digits at `i`: their value, undefined where there are none or too many, and where they end. */
function parseNumber(format: string, i: number): [number | undefined, number] {
  let n: number | undefined;
  for (; i < format.length; i++) {
    const digit = format.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) break;
    if (n !== undefined && n > maxNumber) return [undefined, format.length];
    n = (n ?? 0) * 10 + digit;
  }
  return [n, i];
}

function runeText(value: bigint): string {
  const valid = value >= 0n && value <= 0x10ffffn && !(value >= 0xd800n && value <= 0xdfffn);
  return valid ? String.fromCodePoint(Number(value)) : '\ufffd';
}

const surrogate = /[\ud800-\udfff]/;

function lengthOf(text: string): number {
  return surrogate.test(text) ? Array.from(text).length : text.length;
}

function firstCharacters(text: string, count: number): string {
  return surrogate.test(text) ? Array.from(text).slice(0, count).join('') : text.slice(0, count);
}

function canBackquote(text: string): boolean {
  return text.isWellFormed() && !/[\0-\x08\x0a-\x1f\x7f`\ufeff]/.test(text);
}
