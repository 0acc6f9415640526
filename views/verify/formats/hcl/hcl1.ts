/** HCL1: blocks and objects are lists of objects, one for each time that they are written. */

import type { PlainObject, Value } from '../../../../values/index.js';
import { isArray, isObject, numberFromInteger, setOwn } from '../../../../values/index.js';
import { FileFormatError, type Format } from '../format.js';
import { readJsonText } from '../json.js';
import type { Marks } from '../marks.js';
import { heredocText, unquotedHcl1 } from './hcl1-texts.js';

export const hcl1: Format = {
  parse(text, _context, marks) {
    return text.trimStart().startsWith('{') ? ofJson(text) : new Reader(text, marks).object(undefined);
  },
};

/** The JSON form of HCL1: an object below a key is a list of one object, as a block is. */
function ofJson(text: string): Value {
  const listed = (value: Value, depth: number): Value => {
    if (depth > deepest) throw new FileFormatError('unmarshal hcl: objects nest too deeply');
    if (isArray(value))
      return value.map((item) => (isObject(item) ? members(item as PlainObject, depth + 1) : listed(item, depth + 1)));
    if (isObject(value)) return [members(value as PlainObject, depth + 1)];
    return value ?? '';
  };
  const members = (object: PlainObject, depth: number): PlainObject => {
    const all: PlainObject = {};
    for (const [key, value] of Object.entries(object)) setOwn(all, key, listed(value, depth));
    return all;
  };
  return members(readJsonText(text, 'unmarshal hcl') as PlainObject, 0);
}

const deepest = 500;
const blank = /(?:[\s\ufeff]+|#[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?\*\/)+/y;
const key = /"(?:[^"\\\n]|\\.)*"|[\p{L}_][\p{L}\p{N}_.-]*/uy;
const number = /-?(?:0[xX][0-9a-fA-F]+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/y;
const text = /"(?:\$\{(?:[^{}"]|"[^"]*")*\}|[^"\\\n]|\\.)*"/y;
const heredoc = /<<(-?)([\p{L}\p{N}_-]+)\r?\n([\s\S]*?)^([ \t]*)\2\r*$/muy;

class Reader {
  readonly #text: string;
  readonly #marks: Marks | undefined;
  #at = 0;
  #depth = 0;

  constructor(source: string, marks: Marks | undefined) {
    this.#text = source;
    this.#marks = marks;
  }

  #error(message: string): FileFormatError {
    const before = this.#text.slice(0, this.#at);
    const line = before.split('\n').length;
    return new FileFormatError(
      `unmarshal hcl: At ${line}:${before.length - before.lastIndexOf('\n')}: ${message}`,
      this.#at,
    );
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  /** The members up to a closing brace, or to the end of the file. */
  object(close: '}' | undefined): PlainObject {
    if (++this.#depth > deepest) throw this.#error('objects nest too deeply');
    const object: PlainObject = {};
    for (;;) {
      this.#take(blank);
      const next = this.#text[this.#at];
      if (next === close) {
        this.#at++;
        this.#depth--;
        return object;
      }
      if (next === undefined) throw this.#error('object expected closing RBRACE got: EOF');
      if (next === ',') this.#at++;
      else this.#member(object);
    }
  }

  #member(object: PlainObject): void {
    const start = this.#at;
    const names: string[] = [];
    for (;;) {
      const name = this.#take(key);
      if (name === undefined) break;
      if (name === 'true' || name === 'false') throw this.#error('expected: IDENT | STRING got: BOOL');
      names.push(name.startsWith('"') ? this.#unquoted(name) : name);
      this.#take(blank);
    }
    const [name, ...labels] = names;
    if (name === undefined) throw this.#error('expected a key');
    const sign = this.#text[this.#at];
    if (sign === '=') {
      if (labels.length > 0) throw this.#error('nested object expected: LBRACE got: ASSIGN');
      this.#at++;
      this.#take(blank);
      this.#add(object, name, this.#value(), start);
    } else if (sign === '{') {
      this.#at++;
      let inner: PlainObject = this.object('}');
      for (const label of labels.reverse()) {
        const outer: PlainObject = {};
        setOwn<Value>(outer, label, [inner]);
        this.#marks?.at(outer, label, start, this.#at);
        inner = outer;
      }
      this.#add(object, name, [inner], start);
    } else
      throw this.#error(
        `expected '=' or '{' behind ${name}, found ${sign === undefined ? 'the end of the file' : JSON.stringify(sign)}`,
      );
  }

  /** A further object of the same name stands behind those before it. */
  #add(object: PlainObject, name: string, value: Value, start: number): void {
    const known = Object.hasOwn(object, name) ? object[name] : undefined;
    const isList = Array.isArray(value) && Array.isArray(known);
    const all = isList ? [...(known as readonly Value[]), ...(value as readonly Value[])] : value;
    setOwn(object, name, all);
    if (!isList) this.#marks?.at(object, name, start, this.#at);
    if (!Array.isArray(all)) return;
    for (const i of all.keys()) {
      const found = isList ? this.#marks?.find(known as Value, [i]) : undefined;
      this.#marks?.at(all, i, found?.start ?? start, found?.end ?? this.#at);
    }
  }

  #value(): Value {
    const digits = this.#take(number);
    if (digits !== undefined) return this.#number(digits);
    const quoted = this.#take(text);
    if (quoted !== undefined) return this.#unquoted(quoted);
    const char = this.#text[this.#at];
    if (char === '[') return this.#list();
    if (char === '{') {
      this.#at++;
      return [this.object('}')];
    }
    if (char === '<') return this.#heredoc();
    const word = this.#take(key);
    if (word === 'true' || word === 'false') return word === 'true';
    throw this.#error(`Unknown token: ${JSON.stringify(word ?? char ?? 'EOF')}`);
  }

  /** Items in brackets. Commas stand between them, and may stand anywhere else. */
  #list(): Value {
    this.#at++;
    const items: Value[] = [];
    for (let isComplete = false; ; ) {
      this.#take(blank);
      const char = this.#text[this.#at];
      if (char === undefined) throw this.#error('list expected closing RBRACK got: EOF');
      if (char === ']' || char === ',') {
        this.#at++;
        if (char === ']') return items;
        isComplete = false;
        continue;
      }
      if (isComplete) throw this.#error('error parsing list, expected comma or list end');
      isComplete = true;
      const start = this.#at;
      const value = this.#value();
      this.#marks?.at(items, items.length, start, this.#at);
      items.push(char === '{' ? (value as readonly Value[])[0]! : value);
    }
  }

  #heredoc(): string {
    heredoc.lastIndex = this.#at;
    const found = heredoc.exec(this.#text);
    if (found === null) throw this.#error('heredoc not terminated');
    this.#at += found[0].length;
    const [, dash, , content = '', indentation = ''] = found;
    return heredocText(content, indentation, dash === '-');
  }

  /** Digits behind a zero are octal. */
  #number(digits: string): Value {
    if (!/^-?(?:0[xX][0-9a-fA-F]+|\d+)$/.test(digits)) return Number(digits);
    const size = digits.replace('-', '');
    const value = BigInt(/^0[0-7]+$/.test(size) ? `0o${size}` : size) * (digits === size ? 1n : -1n);
    if (BigInt.asIntN(64, value) !== value) throw this.#error(`parsing ${JSON.stringify(digits)}: value out of range`);
    return numberFromInteger(value);
  }

  #unquoted(quoted: string): string {
    const text = unquotedHcl1(quoted);
    if (text === undefined) throw this.#error(`invalid syntax: ${quoted}`);
    return text;
  }
}
