/**
 * Text → tokens, in one pass. Written by hand: it measures four times faster than chevrotain's
 * lexer, and it handles cases that patterns cannot: nested templates, the content of brackets,
 * significant spaces.
 */

import { allAtOnce, type Steps } from '../../values/index.js';
import type { Comment } from '../ast/nodes.js';
import { Span } from '../source/location.js';
import type { Source } from '../source/source.js';
import { classes, digitClass, isNameByPlace, letterClass } from './characters.js';
import { numberEnd, rawTemplateEnd, stringEnd, stringValue, templateValue, tooLong } from './literals.js';
import { symbols } from './symbols.js';
import {
  Colon,
  EOF,
  Identifier,
  Illegal,
  keywords,
  LeftBrace,
  LeftBracket,
  LeftParen,
  NumberLiteral,
  Pipe,
  RightBrace,
  RightBracket,
  RightParen,
  StringLiteral,
  TemplateEnd,
  TemplatePart,
  Token,
  type TokenType,
} from './tokens.js';

/** Deeper nesting is an error. */
const maxNesting = 4000;

/** The levels of brackets that are read before the text around them: see `pieces.ts`. */
const levelsOfPiece = 100;

interface Lexed {
  /** Ends with an `EOF` token; after an error, with an `Illegal` one and `EOF`. */
  readonly tokens: Token[];
  readonly comments: readonly Comment[];
  /** The fault of the `Illegal` token. */
  readonly error: string | undefined;
  /** Indexes of opening brackets, each with `levelsOfPiece` levels above those before it. */
  readonly deep: readonly number[];
}

/**
 * Words are keywords if `active` has them. A word that a later import makes a keyword is an
 * identifier until then.
 */
export function lex(source: Source, active: ReadonlyMap<string, TokenType>): Lexed {
  return allAtOnce(lexSteps(source, active));
}

/**
 * As `lex`, in steps.
 * @param maxLength the most UTF-16 units of a string
 */
export function lexSteps(
  source: Source,
  active: ReadonlyMap<string, TokenType>,
  maxLength = Number.POSITIVE_INFINITY,
): Steps<Lexed> {
  return new Scanner(source, active, maxLength).steps();
}

/** Tokens, comments and spaces that are read in a step. */
const readInStep = 8192;

interface Open {
  readonly token: Token;
  /** Whether the template that a `{` opens is in backquotes. */
  readonly template: boolean;
  readonly raw: boolean;
  /** The levels of brackets in it, without those in deep ones. */
  levels: number;
}

class Scanner {
  readonly #source: Source;
  readonly #text: string;
  readonly #active: ReadonlyMap<string, TokenType>;
  readonly #maxLength: number;
  readonly #tokens: Token[] = [];
  readonly #comments: Comment[] = [];
  readonly #open: Open[] = [];
  readonly #deep: number[] = [];
  #error: string | undefined;
  #at = 0;
  #space = true;
  #newline = true;

  constructor(source: Source, active: ReadonlyMap<string, TokenType>, maxLength: number) {
    this.#maxLength = maxLength;
    this.#source = source;
    this.#text = source.text;
    this.#active = active;
  }

  *steps(): Steps<Lexed> {
    if (this.#text.charCodeAt(0) === 0xfeff) this.#at = 1;
    while (this.#at < this.#text.length && this.#error === undefined) {
      for (let i = 0; i < readInStep && this.#at < this.#text.length && this.#error === undefined; i++) this.#next();
      if (this.#at < this.#text.length) yield;
    }
    this.#push(EOF, '', this.#text.length, this.#text.length);
    for (let open = this.#open.pop(); open !== undefined; open = this.#open.pop()) this.#leave(open);
    return { tokens: this.#tokens, comments: this.#comments, error: this.#error, deep: this.#deep };
  }

  #next(): void {
    const unit = this.#text.charCodeAt(this.#at);
    if (unit === 32 || unit === 9 || unit === 13) {
      this.#space = true;
      this.#at++;
    } else if (unit === 10) {
      this.#space = true;
      this.#newline = true;
      this.#at++;
    } else if (classes[unit] === letterClass) this.#word();
    else if (classes[unit] === digitClass) this.#number();
    else this.#symbol(unit);
  }

  #push(type: TokenType, image: string, start: number, end: number): Token {
    const token = new Token(type, image, start, end, this.#space, this.#newline, this.#tokens.length);
    this.#tokens.push(token);
    this.#space = false;
    this.#newline = false;
    this.#at = end;
    return token;
  }

  #fail(message: string, start: number, end: number): void {
    this.#error = message;
    this.#push(Illegal, '', start, end);
  }

  #word(): void {
    const text = this.#text;
    const start = this.#at;
    let end = start + 1;
    while (classes[text.charCodeAt(end)]) end++;
    const word = text.slice(start, end);
    const isName = isNameByPlace(text, start, end, this.#tokens[this.#tokens.length - 1]);
    this.#push(isName ? Identifier : (keywords.get(word) ?? this.#active.get(word) ?? Identifier), word, start, end);
  }

  #number(): void {
    const start = this.#at;
    const { end, fault } = numberEnd(this.#text, start);
    if (fault !== undefined) this.#fail(fault, start, end);
    else this.#push(NumberLiteral, this.#text.slice(start, end), start, end);
  }

  #symbol(unit: number): void {
    const start = this.#at;
    const known = symbols[unit];
    if (known !== undefined) {
      const { alone, withEqual } = known;
      if (withEqual !== undefined && this.#text.charCodeAt(start + 1) === 61)
        this.#push(withEqual.type, withEqual.image, start, start + 2);
      else if (alone !== undefined) this.#plainSymbol(alone.type, alone.image);
      else this.#fail(`illegal ${this.#text[start]} character`, start, start + 1);
      return;
    }
    switch (unit) {
      case 35: // #
        this.#comment();
        break;
      case 34: // "
        this.#string();
        break;
      case 96: // `
        this.#rawString();
        break;
      case 36: // $
        this.#templateStart();
        break;
      case 91:
        this.#openBracket(LeftBracket, '[');
        break;
      case 123:
        this.#openBracket(LeftBrace, '{');
        break;
      case 40:
        this.#openBracket(LeftParen, '(');
        break;
      case 93:
        this.#closeBracket(RightBracket, ']');
        break;
      case 125:
        this.#closeBracket(RightBrace, '}');
        break;
      case 41:
        this.#closeBracket(RightParen, ')');
        break;
      case 124: // |
        if (this.#open.length > 0) this.#open[this.#open.length - 1]!.token.hasPipe = true;
        this.#push(Pipe, 'or', start, start + 1);
        break;
      case 0:
        this.#fail('illegal null character', start, start + 1);
        break;
      case 0xfeff:
        this.#fail('illegal byte-order mark', start, start + 1);
        break;
      default:
        this.#fail('illegal token', start, start + 1);
    }
  }

  #plainSymbol(type: TokenType, image: string): void {
    if (type === Colon && this.#open.length > 0) this.#open[this.#open.length - 1]!.token.hasColon = true;
    this.#push(type, image, this.#at, this.#at + 1);
  }

  #comment(): void {
    const start = this.#at;
    const newline = this.#text.indexOf('\n', start);
    let end = newline < 0 ? this.#text.length : newline;
    this.#at = end;
    if (this.#text.charCodeAt(end - 1) === 13) end--;
    this.#comments.push({
      type: 'comment',
      loc: new Span(this.#source, start, end),
      text: this.#text.slice(start + 1, end),
    });
  }

  #openBracket(type: TokenType, image: string): void {
    if (this.#open.length >= maxNesting) {
      this.#fail('max parsing recursion depth exceeded', this.#at, this.#at + 1);
      return;
    }
    this.#open.push({ token: this.#push(type, image, this.#at, this.#at + 1), template: false, raw: false, levels: 0 });
  }

  /** Counts the levels of a bracket that ends. */
  #leave({ token, levels }: Open): void {
    let all = levels + 1;
    if (all >= levelsOfPiece) {
      this.#deep.push(token.index);
      all = 0;
    }
    const outer = this.#open[this.#open.length - 1];
    if (outer !== undefined && outer.levels < all) outer.levels = all;
  }

  #closeBracket(type: TokenType, image: string): void {
    const open = this.#open.pop();
    const template = open?.template === true && type === RightBrace;
    if (open) {
      open.token.close = this.#tokens.length;
      this.#leave(open);
    }
    this.#push(type, image, this.#at, this.#at + 1);
    if (template) this.#templatePart(this.#at - 1, open.raw);
  }

  #string(): void {
    const start = this.#at;
    const { end, fault } = stringEnd(this.#text, start, false, start + this.#maxLength);
    if (fault !== undefined) {
      this.#fail(fault, start, end);
      return;
    }
    const literal = this.#text.slice(start, end);
    // The parser complains of a literal that is no string.
    this.#push(StringLiteral, stringValue(literal) ?? literal, start, end);
  }

  #rawString(): void {
    const start = this.#at;
    const end = this.#text.indexOf('`', start + 1);
    if ((end < 0 ? this.#text.length : end) - start > this.#maxLength) this.#fail(tooLong, start, start + 1);
    else if (end < 0) this.#fail('non-terminated string', start, this.#text.length);
    else this.#push(StringLiteral, this.#text.slice(start + 1, end), start, end + 1);
  }

  #templateStart(): void {
    const start = this.#at;
    const quote = this.#text.charCodeAt(start + 1);
    if (quote === 34) this.#templatePart(start, false);
    else if (quote === 96) this.#templatePart(start, true);
    else this.#fail('illegal $ character', start, start + 1);
  }

  /**
   * The text of a template from its start (`$"`), or from the `}` of an expression, to the next `{`
   * or the end.
   */
  #templatePart(start: number, raw: boolean): void {
    const text = this.#text;
    const from = text.charCodeAt(start) === 36 ? start + 1 : start;
    // The brace of an expression is a token of its own; the text after it starts where it ends.
    const at = from === start ? this.#at : start;
    const { end, fault } = raw
      ? rawTemplateEnd(text, from, from + this.#maxLength)
      : stringEnd(text, from, true, from + this.#maxLength);
    if (fault !== undefined) {
      this.#fail(fault, start, end);
      return;
    }
    const body = text.slice(from + 1, end - 1);
    const value = templateValue(body, raw);
    const isEnd = text.charCodeAt(end - 1) !== 123;
    if (value === undefined) {
      this.#fail(`illegal template-string part: ${body}`, at, end);
      return;
    }
    const token = this.#push(isEnd ? TemplateEnd : TemplatePart, value, at, end);
    if (isEnd) return;
    if (this.#open.length >= maxNesting) {
      this.#fail('max parsing recursion depth exceeded', end, end);
      return;
    }
    this.#open.push({ token, template: true, raw, levels: 0 });
  }
}
