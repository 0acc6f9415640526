/** Formats of `sprintf` and `printf`. Misfits are reported in the text: `%!d(string=x)`. */
import { goQuote } from '../../../text/term-text.js';
import { TextBuilder } from '../../../text/text-builder.js';
import { countWork } from '../../../work.js';
import { type FormatDirective, FormatOperands, plainDirective, readDirective, type Style } from './directive.js';
import { GoBigInt, GoFloat, GoInt, type GoValue, goMapEntries, goType, isMap, sliceOf, stringOf } from './go-value.js';
import { bigIntegerText, floatSyntax, goFloatText, integerText } from './number-text.js';
import { cut, hexText, pad } from './text.js';

/** Units for a directive and for a value, besides those for each character. */
const unitsPerDirective = 50;

/** Formats values by a format. */
export function goFormat(format: string, values: readonly GoValue[]): string {
  const operands = new FormatOperands(values);
  const out = new TextBuilder();
  let at = 0;
  for (let percent = format.indexOf('%'); percent >= 0; percent = format.indexOf('%', at)) {
    out.add(format.slice(at, percent));
    const directive = readDirective(format, percent + 1, operands);
    const text = directive.warnings + directiveText(directive, operands);
    countWork(unitsPerDirective + text.length);
    out.add(text);
    at = directive.end;
  }
  out.add(format.slice(at));
  if (!operands.isReordered && !operands.isEmpty) out.add(extraText(values.slice(operands.next)));
  return out.toString();
}

/** A value as `%v` shows it. */
export function goText(value: GoValue): string {
  return typeof value === 'string' ? value : new Printer('v', plainDirective).text(value);
}

function directiveText({ verb, style, isIndexed }: FormatDirective, operands: FormatOperands): string {
  if (verb === undefined) return '%!(NOVERB)';
  if (verb === '%') return '%';
  if (!isIndexed) return `%!${verb}(BADINDEX)`;
  const value = operands.take();
  return value === undefined ? `%!${verb}(MISSING)` : new Printer(verb, style).text(value);
}

function extraText(values: readonly GoValue[]): string {
  const texts = values.map((value) =>
    value === null ? '<nil>' : `${goType(value)}=${new Printer('v', plainDirective).text(value)}`,
  );
  return `%!(EXTRA ${texts.join(', ')})`;
}

/** Where a collection is, as `%p` shows it: values have no addresses here. */
const somePointer = '0xc000000000';

/** Shows one operand, with its elements, by one verb. */
class Printer {
  readonly #verb: string;
  readonly #style: Style;
  /** `%#v`: values as Go's source has them. */
  readonly #asSyntax: boolean;
  /** The style for big integers, to which `+` of `%+v` means their sign. */
  readonly #bigStyle: Style;

  constructor(verb: string, style: Style) {
    const isGeneral = verb === 'v' || verb === 'w';
    this.#verb = verb;
    this.#asSyntax = isGeneral && style.sharp;
    this.#bigStyle = isGeneral && style.sharp ? { ...style, sharp: false } : style;
    this.#style = isGeneral && (style.sharp || style.plus) ? { ...style, sharp: false, plus: false } : style;
  }

  text(value: GoValue): string {
    return this.#value(value, this.#verb, 0);
  }

  /** `depth` is 0 for the operand itself. */
  #value(value: GoValue, verb: string, depth: number): string {
    countWork(unitsPerDirective);
    if (verb === 'T' && depth === 0) return this.#short(goType(value));
    if (value === null) return this.#nil(verb, depth);
    const scalar = this.#scalar(value, verb);
    if (scalar !== undefined) return scalar;
    if (value instanceof GoBigInt) return `%!${verb}(big.Int=${value.value})`;
    const slice = sliceOf(value);
    if (slice !== undefined) return verb === 'p' ? somePointer : this.#slice(slice, verb, depth);
    if (isMap(value)) return verb === 'p' ? somePointer : this.#map(value, verb, depth);
    return this.#misfit(value, verb);
  }

  /** Undefined for collections, and where the verb is not for the value. */
  #scalar(value: GoValue, verb: string): string | undefined {
    if (typeof value === 'boolean') return verb === 't' || verb === 'v' ? pad(String(value), this.#style) : undefined;
    if (value instanceof GoInt) return integerText(value.value, verb, this.#style);
    if (value instanceof GoBigInt) return bigIntegerText(value.value, verb, this.#bigStyle);
    if (value instanceof GoFloat) return this.#float(value, verb);
    const text = stringOf(value);
    return text === undefined ? undefined : this.#string(text, verb);
  }

  #float({ value }: GoFloat, verb: string): string | undefined {
    return verb === 'v' && this.#asSyntax ? floatSyntax(value, this.#style) : goFloatText(value, verb, this.#style);
  }

  #string(text: string, verb: string): string | undefined {
    switch (verb) {
      case 's':
        return this.#short(text);
      case 'v':
        return this.#asSyntax ? this.#quoted(text) : this.#short(text);
      case 'q':
        return this.#quoted(text);
      case 'x':
      case 'X':
        return pad(hexText(text, verb, this.#style), this.#style);
      default:
        return undefined;
    }
  }

  #short(text: string): string {
    return pad(cut(text, this.#style), this.#style);
  }

  #quoted(text: string): string {
    const shown = cut(text, this.#style);
    const isRaw = this.#style.sharp && canBackquote(shown);
    return pad(isRaw ? `\`${shown}\`` : goQuote(shown, this.#style.plus), this.#style);
  }

  #nil(verb: string, depth: number): string {
    if (depth > 0) return this.#asSyntax ? 'interface {}(nil)' : '<nil>';
    return verb === 'v' ? pad('<nil>', this.#style) : `%!${verb}(<nil>)`;
  }

  #slice(slice: readonly GoValue[], verb: string, depth: number): string {
    const texts = slice.map((element) => this.#value(element, verb, depth + 1));
    return this.#asSyntax ? `[]interface {}{${texts.join(', ')}}` : `[${texts.join(' ')}]`;
  }

  #map(map: Parameters<typeof goMapEntries>[0], verb: string, depth: number): string {
    const texts = Array.from(goMapEntries(map), ([key, member]) => {
      return `${this.#value(key, verb, depth + 1)}:${this.#value(member, verb, depth + 1)}`;
    });
    return this.#asSyntax ? `map[string]interface {}{${texts.join(', ')}}` : `map[${texts.join(' ')}]`;
  }

  /** The verb is not for such a value. */
  #misfit(value: GoValue, verb: string): string {
    return `%!${verb}(${goType(value)}=${this.#value(value, 'v', 0)})`;
  }
}

function canBackquote(text: string): boolean {
  return text.isWellFormed() && !/[\0-\x08\x0a-\x1f\x7f`\ufeff]/.test(text);
}
