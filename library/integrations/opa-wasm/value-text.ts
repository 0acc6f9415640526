/**
 * Values as texts between a host and OPA's WebAssembly: JSON, and beside it sets (`{1,2}`,
 * `set()`) and objects with any keys.
 */
import {
  ExactNumber,
  isArray,
  isSet,
  numberFromText,
  objectEntries,
  RegoObject,
  RegoSet,
  setOwn,
  toJson,
  type Value,
} from '../../../values/index.js';

/** A value for `opa_value_parse`. */
export function wasmValueText(value: Value): string {
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return toJson(value);
  if (isArray(value)) return `[${value.map(wasmValueText).join(',')}]`;
  if (isSet(value)) return value.size === 0 ? 'set()' : `{${[...value].map(wasmValueText).join(',')}}`;
  return `{${Array.from(objectEntries(value), ([key, member]) => `${wasmValueText(key)}:${wasmValueText(member)}`).join(',')}}`;
}

/** A value of `opa_value_dump`. Throws a SyntaxError for a text that is none. */
export function valueOfText(text: string): Value {
  const reader = new ValueReader(text);
  const value = reader.value();
  reader.end();
  return value;
}

const blank = /[ \t\n\r]*/y;
const string = /"(?:[^"\\]|\\.)*"/y;
const word = /null|true|false|set\(\)|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

class ValueReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(): Value {
    this.#take(blank);
    switch (this.#text[this.#at]) {
      case '"':
        return this.#string();
      case '[':
        return this.#list(']');
      case '{':
        return this.#braces();
      default:
        return this.#word();
    }
  }

  end(): void {
    this.#take(blank);
    if (this.#at < this.#text.length) this.#fail();
  }

  #string(): string {
    return JSON.parse(this.#take(string) ?? this.#fail()) as string;
  }

  #word(): Value {
    const found = this.#take(word) ?? this.#fail();
    switch (found) {
      case 'null':
        return null;
      case 'true':
        return true;
      case 'false':
        return false;
      case 'set()':
        return new RegoSet();
      default:
        return numberFromText(found);
    }
  }

  /** Members up to a bracket, which follows. */
  #list(end: string): Value[] {
    this.#at++;
    const members: Value[] = [];
    if (this.#follows(end)) return members;
    do members.push(this.value());
    while (this.#follows(','));
    this.#expect(end);
    return members;
  }

  /** An object, or a set where no colon follows the first member. */
  #braces(): Value {
    this.#at++;
    if (this.#follows('}')) return {};
    const first = this.value();
    if (!this.#follows(':')) return this.#setFrom(first);
    const entries: [Value, Value][] = [[first, this.value()]];
    while (this.#follows(',')) {
      const key = this.value();
      this.#expect(':');
      entries.push([key, this.value()]);
    }
    this.#expect('}');
    return objectOf(entries);
  }

  #setFrom(first: Value): Value {
    const members = [first];
    while (this.#follows(',')) members.push(this.value());
    this.#expect('}');
    return new RegoSet(members);
  }

  #follows(mark: string): boolean {
    this.#take(blank);
    const does = this.#text[this.#at] === mark;
    if (does) this.#at++;
    return does;
  }

  #expect(mark: string): void {
    if (!this.#follows(mark)) this.#fail();
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #fail(): never {
    throw new SyntaxError(`no value at ${this.#at} of ${JSON.stringify(this.#text.slice(0, 100))}`);
  }
}

function objectOf(entries: readonly (readonly [Value, Value])[]): Value {
  if (!entries.every((entry): entry is [string, Value] => typeof entry[0] === 'string')) return new RegoObject(entries);
  const object: Record<string, Value> = {};
  for (const [key, member] of entries) setOwn(object, key, member);
  return object;
}
