/** Error messages for invalid JSON, in the words of Go's decoder. */

import { StacklessError } from '../stackless-error.js';
import { fromBinary, toBinary } from '../text/utf8.js';
import { countWork } from '../work.js';

/** Units for reading a character. */
const unitsPerCharacter = 3;

const space = /[ \t\r\n]*/y;
const escapes = '"\\/bfnrt';

/**
 * The error message of Go's decoder for a text, undefined if the text is valid. With `whole` false
 * the text is read as a stream: an early end is `unexpected EOF`, and after the value only the next
 * token is checked.
 */
export function jsonComplaint(text: string, whole = false): string | undefined {
  countWork(text.length * unitsPerCharacter);
  return complaintOf(new Scanner(toBinary(text), whole));
}

/**
 * A file with the line and the character where its text stops being JSON: `data.json:3:9`. The file
 * alone where the text is JSON.
 */
export function jsonPlace(file: string, text: string): string {
  const binary = toBinary(text);
  const scan = new Scanner(binary, true);
  if (complaintOf(scan) === undefined) return file;
  const lines = binary.slice(0, scan.at).split('\n');
  // Bytes behind the first of a character count for nothing.
  const col = 1 + lines.at(-1)!.replace(/[\x80-\xbf]/g, '').length;
  return `${file}:${lines.length}:${col}`;
}

function complaintOf(scan: Scanner): string | undefined {
  try {
    return scan.run();
  } catch (error) {
    if (error instanceof Complaint) return error.message;
    throw error;
  }
}

/** A byte in Go's `%q` format for the character of that number. */
export function quotedByte(code: number): string {
  const c = String.fromCharCode(code);
  if (c === "'") return "'\\''";
  if (c === '"') return "'\"'";
  if (code < 0x20 || code === 0x7f || (code >= 0x80 && code < 0xa1) || code === 0xad) {
    const names: { readonly [code: number]: string } = { 7: 'a', 8: 'b', 9: 't', 10: 'n', 11: 'v', 12: 'f', 13: 'r' };
    const name = names[code];
    if (name !== undefined) return `'\\${name}'`;
    const hex = code.toString(16);
    return code < 0x80 ? `'\\x${hex.padStart(2, '0')}'` : `'\\u${hex.padStart(4, '0')}'`;
  }
  return c === '\\' ? "'\\\\'" : `'${c}'`;
}

class Complaint extends StacklessError {}

class Scanner {
  readonly #text: string;
  readonly #whole: boolean;
  #i = 0;

  constructor(text: string, whole: boolean) {
    this.#text = text;
    this.#whole = whole;
  }

  /** Where it has come to. */
  get at(): number {
    return this.#i;
  }

  run(): string | undefined {
    this.#skip();
    if (this.#i === this.#text.length) return this.#whole ? 'unexpected end of JSON input' : 'EOF';
    this.#value();
    this.#skip();
    if (this.#i === this.#text.length) return undefined;
    if (this.#whole) return `invalid character ${this.#quoted()} after top-level value`;
    return this.#trailing();
  }

  /** Go's decoder reads one more token after the value, and names it in the message. */
  #trailing(): string | undefined {
    const c = this.#text[this.#i]!;
    if (c === '{' || c === '[') return `error: invalid character '${c}' after top-level value`;
    if (c === '}' || c === ']' || c === ',' || c === ':')
      return `invalid character '${c}' looking for beginning of value`;
    const start = this.#i;
    this.#scalar();
    const token = this.#text.slice(start, this.#i);
    if (token === 'null') return undefined;
    const shown =
      c === '"' ? fromBinary(String(JSON.parse(token))) : c === 't' || c === 'f' ? `%!s(bool=${token})` : token;
    return `error: invalid character '${shown}' after top-level value`;
  }

  #skip(): void {
    space.lastIndex = this.#i;
    space.test(this.#text);
    this.#i = space.lastIndex;
  }

  #quoted(): string {
    return quotedByte(this.#text.charCodeAt(this.#i));
  }

  #fail(context: string): never {
    if (this.#i >= this.#text.length)
      throw new Complaint(this.#whole ? 'unexpected end of JSON input' : 'unexpected EOF');
    throw new Complaint(`invalid character ${this.#quoted()} ${context}`);
  }

  /**
   * Open collections are kept in a list instead of the call stack, since values may nest deeply.
   */
  #value(): void {
    const open: string[] = [];
    for (;;) {
      this.#skip();
      const c = this.#text[this.#i];
      if (c === '{' || c === '[') {
        this.#i++;
        if (open.push(c) > 10_000) throw new Complaint('exceeded max depth');
        this.#skip();
        if (this.#text[this.#i] === (c === '{' ? '}' : ']')) {
          this.#i++;
          open.pop();
        } else {
          if (c === '{') this.#key('looking for beginning of object key string');
          continue;
        }
      } else this.#scalar();
      if (!this.#next(open)) return;
    }
  }

  /** Reads the separator after a value; returns whether another value follows. */
  #next(open: string[]): boolean {
    for (;;) {
      const inside = open.at(-1);
      if (inside === undefined) return false;
      this.#skip();
      const c = this.#text[this.#i];
      if (c === ',') {
        this.#i++;
        if (inside === '{') {
          this.#skip();
          this.#key('looking for beginning of object key string');
        }
        return true;
      }
      if (c !== (inside === '{' ? '}' : ']'))
        this.#fail(inside === '{' ? 'after object key:value pair' : 'after array element');
      this.#i++;
      open.pop();
    }
  }

  #key(context: string): void {
    if (this.#text[this.#i] !== '"') this.#fail(context);
    this.#string();
    this.#skip();
    if (this.#text[this.#i] !== ':') this.#fail('after object key');
    this.#i++;
  }

  #scalar(): void {
    const c = this.#text[this.#i];
    if (c === '"') this.#string();
    else if (c === 't') this.#literal('true');
    else if (c === 'f') this.#literal('false');
    else if (c === 'n') this.#literal('null');
    else if (c === '-' || (c !== undefined && c >= '0' && c <= '9')) this.#number();
    else this.#fail('looking for beginning of value');
  }

  #literal(word: string): void {
    for (let k = 0; k < word.length; k++, this.#i++) {
      if (this.#text[this.#i] !== word[k]) this.#fail(`in literal ${word} (expecting '${word[k]}')`);
    }
  }

  #number(): void {
    if (this.#text[this.#i] === '-') {
      this.#i++;
      if (!this.#isDigit()) this.#fail('in numeric literal');
    }
    if (this.#text[this.#i] === '0') this.#i++;
    else this.#digits();
    if (this.#text[this.#i] === '.') {
      this.#i++;
      if (!this.#isDigit()) this.#fail('after decimal point in numeric literal');
      this.#digits();
    }
    if (this.#text[this.#i] === 'e' || this.#text[this.#i] === 'E') {
      this.#i++;
      if (this.#text[this.#i] === '+' || this.#text[this.#i] === '-') this.#i++;
      if (!this.#isDigit()) this.#fail('in exponent of numeric literal');
      this.#digits();
    }
  }

  #isDigit(): boolean {
    const c = this.#text[this.#i];
    return c !== undefined && c >= '0' && c <= '9';
  }

  #digits(): void {
    while (this.#isDigit()) this.#i++;
  }

  #string(): void {
    this.#i++;
    for (;;) {
      const c = this.#text[this.#i];
      if (c === undefined || c < ' ') this.#fail('in string literal');
      this.#i++;
      if (c === '"') return;
      if (c !== '\\') continue;
      const escaped = this.#text[this.#i];
      if (escaped === 'u') {
        this.#i++;
        for (let k = 0; k < 4; k++, this.#i++) {
          if (!/[0-9a-fA-F]/.test(this.#text[this.#i] ?? '')) this.#fail('in \\u hexadecimal character escape');
        }
      } else if (escaped !== undefined && escapes.includes(escaped)) this.#i++;
      else this.#fail('in string escape code');
    }
  }
}
