/**
 * GraphQL tokens. Their positions are those of the reference's parser (gqlparser), oddities
 * included: the column of a string is that of its first character, and a block string has the line
 * of its end.
 */

import { codePoints } from '../../../text/code-points.js';

export type TokenKind =
  | '<Invalid>'
  | '<EOF>'
  | '!'
  | '$'
  | '&'
  | '('
  | ')'
  | '...'
  | ':'
  | '='
  | '@'
  | '['
  | ']'
  | '{'
  | '|'
  | '}'
  | 'Name'
  | 'Int'
  | 'Float'
  | 'String'
  | 'BlockString';

/** Line and column, from 1; columns count code points. */
export interface GraphqlPosition {
  readonly line: number;
  readonly column: number;
}

export interface GraphqlToken {
  readonly kind: TokenKind;
  readonly value: string;
  readonly line: number;
  /** Offsets of the line and of the token, from which `positionOf` counts the column. */
  readonly lineStart: number;
  readonly start: number;
  /** The comments that stand right before it, each with its `#`. */
  readonly comments: readonly string[];
}

const none: readonly string[] = [];
const tab = 9;
const newline = 10;
const carriageReturn = 13;
const quoteMark = 34;
const hash = 35;
const comma = 44;
const minus = 45;
const dot = 46;
const backslash = 92;
const byteOrderMark = 0xfeff;
const punctuators = '!$&():=@[]{|}';
const nameStart = /[_A-Za-z]/;
const namePattern = /[_0-9A-Za-z]*/y;
const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const fourHexDigits = /[0-9a-fA-F]{4}/y;

const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  '/': '/',
  '\\': '\\',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

export class Lexer {
  readonly text: string;
  #end = 0;
  #line = 1;
  #lineStart = 0;
  #comments: string[] | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /**
   * The next token; `<EOF>` again and again at the end. Malformed text is a token of kind
   * `<Invalid>`, which no grammar rule takes.
   */
  next(): GraphqlToken {
    const { text } = this;
    this.#skipIgnored();
    const start = this.#end;
    if (start >= text.length) return this.#token('<EOF>', start, '');
    const first = text.charAt(start);
    if (punctuators.includes(first)) {
      this.#end++;
      return this.#token(first as TokenKind, start, '');
    }
    const code = text.charCodeAt(start);
    if (nameStart.test(first)) {
      this.#end = matchEnd(namePattern, text, start);
      return this.#token('Name', start, text.slice(start, this.#end));
    }
    if (code === minus || isDigit(code)) return this.#number(start);
    if (code === quoteMark) return text.startsWith('"""', start) ? this.#blockString() : this.#string(start);
    if (code === dot && text.startsWith('...', start)) {
      this.#end += 3;
      return this.#token('...', start, '');
    }
    return this.#invalid();
  }

  #token(kind: TokenKind, start: number, value: string): GraphqlToken {
    return { kind, value, line: this.#line, lineStart: this.#lineStart, start, comments: this.#comments ?? none };
  }

  #invalid(): GraphqlToken {
    return this.#token('<Invalid>', this.#end, '');
  }

  #skipIgnored(): void {
    const { text } = this;
    this.#comments = undefined;
    for (;;) {
      const code = text.charCodeAt(this.#end);
      if (code === 32 || code === tab || code === comma || code === byteOrderMark) this.#end++;
      else if (code === newline || code === carriageReturn) {
        this.#end++;
        this.#line++;
        this.#lineStart = this.#end;
        if (code === carriageReturn && text.charCodeAt(this.#end) === newline) this.#end++;
      } else if (code === hash) {
        const start = this.#end;
        while (this.#end < text.length && (text.charCodeAt(this.#end) > 0x1f || text.charCodeAt(this.#end) === tab))
          this.#end++;
        (this.#comments ??= []).push(text.slice(start, this.#end));
      } else return;
    }
  }

  #number(start: number): GraphqlToken {
    const { text } = this;
    const end = matchEnd(numberPattern, text, start);
    if (end === start) {
      this.#end++; // a minus without digits
      return this.#invalid();
    }
    this.#end = end;
    const value = text.slice(start, end);
    const after = text[end];
    // A digit after a leading zero, a point without digits or an exponent without digits spoil the
    // number.
    if (after !== undefined && isDigit(text.charCodeAt(end))) return this.#invalid();
    const isFloat = /[.eE]/.test(value);
    if ((after === '.' && !isFloat) || ((after === 'e' || after === 'E') && !/[eE]/.test(value))) {
      this.#end++;
      if (after !== '.' && /[+-]/.test(text[this.#end] ?? '')) this.#end++;
      return this.#invalid();
    }
    return this.#token(isFloat ? 'Float' : 'Int', start, value);
  }

  #string(start: number): GraphqlToken {
    const { text } = this;
    let value = '';
    let from = start + 1;
    this.#end = from;
    for (; this.#end < text.length; ) {
      const code = text.charCodeAt(this.#end);
      if (code === newline || code === carriageReturn) break;
      if (code < 0x20 && code !== tab) return this.#invalid();
      if (code === quoteMark) {
        value += text.slice(from, this.#end);
        this.#end++;
        return this.#token('String', start + 1, value);
      }
      if (code !== backslash) {
        this.#end++;
        continue;
      }
      value += text.slice(from, this.#end);
      const escaped = text[this.#end + 1];
      if (escaped === 'u') {
        const end = matchEnd(fourHexDigits, text, this.#end + 2);
        if (end !== this.#end + 6 || end >= text.length) {
          this.#end++;
          return this.#invalid();
        }
        // Each escape is decoded alone: two halves of a surrogate pair become two replacement
        // characters.
        value += String.fromCharCode(Number.parseInt(text.slice(this.#end + 2, end), 16)).toWellFormed();
        this.#end = end;
      } else {
        const character = escaped === undefined ? undefined : escapes[escaped];
        if (character === undefined) {
          this.#end++;
          return this.#invalid();
        }
        value += character;
        this.#end += 2;
      }
      from = this.#end;
    }
    return this.#invalid();
  }

  #blockString(): GraphqlToken {
    const { text } = this;
    const start = this.#end + 3;
    let raw = '';
    let from = start;
    this.#end = start;
    while (this.#end < text.length) {
      const code = text.charCodeAt(this.#end);
      if (code === quoteMark && text.startsWith('"""', this.#end)) {
        raw += text.slice(from, this.#end);
        const token = this.#token('BlockString', start, blockStringValue(raw));
        this.#end += 3;
        return token;
      }
      if (code < 0x20 && code !== tab && code !== newline && code !== carriageReturn) return this.#invalid();
      if (code === backslash && text.startsWith('\\"""', this.#end)) {
        raw += `${text.slice(from, this.#end)}"""`;
        this.#end += 4;
        from = this.#end;
      } else if (code === newline || code === carriageReturn) {
        raw += `${text.slice(from, this.#end)}\n`;
        if (code === carriageReturn && text.charCodeAt(this.#end + 1) === newline) this.#end++;
        this.#end++;
        from = this.#end;
        this.#line++;
        this.#lineStart = from;
      } else this.#end++;
    }
    return this.#invalid();
  }
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** The end of the match of a sticky pattern at `start`, or `start` if it does not match. */
function matchEnd(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : start;
}

/**
 * Strips the indent that all lines share (the first counts as well, as in the reference), and blank
 * lines at both ends.
 */
function blockStringValue(raw: string): string {
  const lines = raw.split('\n');
  const blank = /^[ \t]*$/;
  let common = Number.POSITIVE_INFINITY;
  for (const line of lines) if (!blank.test(line)) common = Math.min(common, line.search(/[^ \t]/));
  const stripped = lines.map((line, i) => (i === 0 || common === Number.POSITIVE_INFINITY ? line : line.slice(common)));
  const isWritten = (line: string): boolean => !blank.test(line);
  const start = stripped.findIndex(isWritten);
  return start < 0 ? '' : stripped.slice(start, stripped.findLastIndex(isWritten) + 1).join('\n');
}

/**
 * The lines and columns of tokens. If they are requested in order, each character is counted once.
 */
export class Positions {
  readonly #text: string;
  #lineStart = 0;
  #at = 0;
  #columns = 0;

  constructor(text: string) {
    this.#text = text;
  }

  of({ line, lineStart, start }: GraphqlToken): GraphqlPosition {
    // A block string has the line of its end, so that it may begin before its line does.
    if (start < lineStart) return { line, column: 1 - codePoints(this.#text.slice(start, lineStart)) };
    if (lineStart !== this.#lineStart || start < this.#at) {
      this.#lineStart = lineStart;
      this.#at = lineStart;
      this.#columns = 0;
    }
    this.#columns += codePoints(this.#text.slice(this.#at, start));
    this.#at = start;
    return { line, column: this.#columns + 1 };
  }
}
