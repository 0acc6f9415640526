/**
 * Reads JSON in steps, from bytes. The native reader is several times as fast, but it reads the
 * whole text without a pause and without a memory limit: this reader is for long texts from
 * clients. Both give the same results (json-reader.test.ts).
 */

import { keepKeys } from '../compare.js';
import type { Steps } from '../steps.js';
import { sequenceLength } from '../text/utf8.js';
import type { PlainObject, Value } from '../value.js';
import { setOwn } from '../value.js';
import { jsonComplaint, quotedByte } from './json-complaint.js';
import { JsonError, maxDepth } from './json-error.js';
import { isDigit, NumberReader } from './json-numbers.js';
import { StringReader } from './json-strings.js';

export interface ReadJsonOptions {
  /**
   * Called with the bytes of memory of new values, soon after their creation; throws if they are
   * not available.
   */
  readonly take?: (bytes: number) => void;
  /**
   * Whether the text must contain nothing but the value; otherwise the first value is read, and
   * text after it is ignored.
   */
  readonly whole?: boolean;
  /**
   * Called with the members so far of a large object in the outermost one, and its key there. It
   * may throw.
   */
  readonly onMany?: ((key: string, members: number) => void) | undefined;
}

/**
 * The value of a JSON text; bytes that are not valid UTF-8 become U+FFFD. Throws a JsonError with
 * the message of Go's decoder, or an error of `take`.
 */
export function* readJsonSteps(bytes: Uint8Array, options: ReadJsonOptions = {}): Steps<Value> {
  const reader = new JsonReader(bytes, options);
  while (!reader.advance()) yield;
  return reader.result;
}

/**
 * The number of tokens in a step of about a millisecond; each hundred bytes of a string count as
 * one more.
 */
const tokensPerStep = 8192;

/** Memory of values in bytes: V8's layout, with the spare capacity of lists and objects. */
const sizes = { slot: 16, list: 48, object: 56, entry: 56, name: 16 };

/** From this number on, the keys of an object are kept: to list them would be one long step. */
const manyKeys = 8192;

/** The number of spaces between two tokens that make a step. */
const spacesPerStep = 512 * 1024;

/** The expected token: a value. */
const value = 0;
/** A value, or the end of an empty list. */
const element = 1;
/** A key, or the end of an empty object. */
const member = 2;
const key = 3;
const colon = 4;
/** A comma, or the end of the current collection. */
const after = 5;
/** No further token. */
const end = 6;

const maxCopiedLength = 32;

type Container = Value[] | Record<string, Value>;

class JsonReader {
  readonly #bytes: Uint8Array;
  readonly #take: (bytes: number) => void;
  readonly #whole: boolean;
  readonly #onMany: ReadJsonOptions['onMany'];
  readonly #strings: StringReader;
  readonly #numbers: NumberReader;
  #i = 0;
  #next = value;
  /** The number of tokens left in the current step. */
  #left = 0;
  /** The open collections, outermost first, and the current key of each. */
  readonly #open: Container[] = [];
  readonly #keys: string[] = [];
  /** The number of members of each, and the distinct keys of those with many. */
  readonly #counts: number[] = [];
  readonly #names: (string[] | undefined)[] = [];
  /** Bytes of memory not yet reported to `take`. */
  #taken = 0;
  result: Value = null;

  constructor(bytes: Uint8Array, { take = () => {}, whole = false, onMany }: ReadJsonOptions) {
    this.#onMany = onMany;
    this.#bytes = bytes;
    this.#take = take;
    this.#whole = whole;
    this.#strings = new StringReader(bytes);
    this.#numbers = new NumberReader(bytes);
  }

  /** Runs one step; returns whether it was the last. */
  advance(): boolean {
    let isDone = false;
    this.#left = tokensPerStep;
    while (this.#left-- > 0 && !isDone) isDone = this.#step();
    this.#take(this.#taken + this.#strings.taken() + this.#numbers.taken());
    this.#taken = 0;
    return isDone;
  }

  #step(): boolean {
    if (this.#strings.isInside) return this.#string();
    return this.#numbers.isInside ? this.#longNumber() : this.#token();
  }

  /** Reads one token; returns whether it was the last. */
  #token(): boolean {
    const c = this.#skipSpace();
    if (this.#left === 0) return false;
    const next = this.#next;
    if (next === after) return this.#after(c);
    if (next === member || next === key) {
      if (c === 125 && next === member) return this.#close();
      if (c !== 34) this.#fail('looking for beginning of object key string');
      return this.#string();
    }
    if (next === colon) {
      if (c !== 58) this.#fail('after object key');
      this.#i++;
      this.#next = value;
      return false;
    }
    if (next === end) return this.#end(c);
    if (c === 93 && next === element) return this.#close();
    switch (c) {
      case 34:
        this.#next = value;
        return this.#string();
      case 91:
        this.#begin([], sizes.list);
        this.#next = element;
        return false;
      case 123:
        this.#begin({}, sizes.object);
        this.#next = member;
        return false;
      case 116:
        return this.#word('true', true);
      case 102:
        return this.#word('false', false);
      case 110:
        return this.#word('null', null);
      default:
        if (c !== 45 && !isDigit(c)) this.#fail('looking for beginning of value');
        return this.#number();
    }
  }

  #skipSpace(): number | undefined {
    const bytes = this.#bytes;
    const limit = this.#i + spacesPerStep;
    let i = this.#i;
    let c = bytes[i];
    while (c === 32 || c === 10 || c === 13 || c === 9) {
      c = bytes[++i];
      if (i < limit) continue;
      this.#left = 0;
      break;
    }
    this.#i = i;
    return c;
  }

  #begin(container: Container, size: number): void {
    this.#i++;
    this.#taken += size;
    if (this.#open.push(container) > maxDepth) throw new JsonError('exceeded max depth', this.#i);
    this.#keys.push('');
    this.#counts.push(0);
    this.#names.push(undefined);
  }

  #close(): boolean {
    this.#i++;
    this.#keys.pop();
    this.#counts.pop();
    const closed = this.#open.pop()!;
    const names = this.#names.pop();
    if (names !== undefined) keepKeys(closed as PlainObject, names);
    // A list built by pushing has spare capacity, which is most of the memory of a short list, and
    // most lists are short.
    if (!Array.isArray(closed) || closed.length === 0 || closed.length > maxCopiedLength) return this.#add(closed);
    return this.#add(closed.slice());
  }

  #after(c: number | undefined): boolean {
    const isList = Array.isArray(this.#open.at(-1));
    if (c === (isList ? 93 : 125)) return this.#close();
    if (c !== 44) this.#fail(isList ? 'after array element' : 'after object key:value pair');
    this.#i++;
    this.#next = isList ? value : key;
    return false;
  }

  /** Adds a value to the current collection; returns whether it is the value of the whole text. */
  #add(added: Value): boolean {
    const depth = this.#open.length - 1;
    if (depth < 0) {
      this.result = added;
      this.#next = end;
      return !this.#whole;
    }
    this.#next = after;
    const open = this.#open[depth]!;
    if (Array.isArray(open)) {
      open.push(added);
      this.#taken += sizes.slot;
    } else {
      if (++this.#counts[depth]! > manyKeys) this.#keepName(open, depth);
      setOwn(open, this.#keys[depth]!, added);
      this.#taken += sizes.entry;
    }
    return false;
  }

  /** Keeps the key of a member that is about to be added to an object of many. */
  #keepName(open: PlainObject, depth: number): void {
    const names = (this.#names[depth] ??= Object.keys(open));
    const key = this.#keys[depth]!;
    if (Object.hasOwn(open, key)) return;
    names.push(key);
    this.#taken += sizes.name;
    if (depth === 1) this.#onMany?.(this.#keys[0]!, names.length);
  }

  /** Begins or continues a string. */
  #string(): boolean {
    const strings = this.#strings;
    const start = this.#i;
    this.#i = strings.read(start);
    this.#left -= (this.#i - start) >> 7;
    if (strings.problem !== undefined) this.#fail(strings.problem);
    if (strings.isInside) {
      this.#left = 0;
      return false;
    }
    if (this.#next === value) return this.#add(strings.text);
    this.#keys[this.#keys.length - 1] = strings.text;
    this.#next = colon;
    return false;
  }

  #word(word: string, meant: Value): boolean {
    for (let k = 0; k < word.length; k++, this.#i++) {
      if (this.#bytes[this.#i] !== word.charCodeAt(k)) this.#fail(`in literal ${word} (expecting '${word[k]}')`);
    }
    return this.#add(meant);
  }

  #number(): boolean {
    const small = this.#smallInteger();
    return small === undefined ? this.#longNumber() : this.#add(small);
  }

  /** A small integer, as most numbers are. Otherwise it stays at the start of the number. */
  #smallInteger(): number | undefined {
    const bytes = this.#bytes;
    const start = this.#i;
    let whole = 0;
    let i = start;
    let c = bytes[i];
    for (; isDigit(c) && i - start < 16; c = bytes[++i]) {
      whole = whole * 10 + (c! - 48);
      if (whole === 0) {
        c = bytes[++i];
        break;
      }
    }
    this.#i = i;
    if (i - start < 16 && i > start && c !== 46 && c !== 69 && c !== 101) return whole;
    this.#i = start;
    return undefined;
  }

  /** Begins or continues a number that is no small integer. */
  #longNumber(): boolean {
    const numbers = this.#numbers;
    const start = this.#i;
    this.#i = numbers.read(start);
    this.#left -= (this.#i - start) >> 7;
    if (numbers.problem !== undefined) this.#fail(numbers.problem);
    if (!numbers.isInside) return this.#add(numbers.number);
    this.#left = 0;
    return false;
  }

  #fail(context: string): never {
    const byte = this.#bytes[this.#i];
    if (byte === undefined) {
      const isEmpty = this.#open.length === 0 && context === 'looking for beginning of value';
      throw new JsonError(isEmpty ? 'EOF' : 'unexpected EOF', this.#i);
    }
    const shown = byte >= 0x80 && sequenceLength(this.#bytes, this.#i) === 0 ? firstReplacementByte : byte;
    throw new JsonError(`invalid character ${quotedByte(shown)} ${context}`, this.#i);
  }

  /** Go's decoder reads one more token after the value, and names it in the message. */
  #end(c: number | undefined): boolean {
    if (c === undefined) return true;
    const rest = decoder.decode(this.#bytes.subarray(this.#i, this.#i + maxShownLength));
    const complaint = jsonComplaint(`null ${rest}`);
    if (complaint !== undefined) throw new JsonError(complaint, this.#i);
    return true;
  }
}

/** Invalid UTF-8 is read as U+FFFD; this is the first byte of its encoding. */
const firstReplacementByte = 0xef;

/** The maximum length of the text after a value that an error message is made from. */
const maxShownLength = 4096;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
