/** Reads a text message to the value that the JSON form of Protocol Buffers has. */

import { type PlainObject, setOwn, type Value } from '../../../../values/index.js';
import { FileFormatError } from '../format.js';
import type { Marks } from '../marks.js';
import type { ProtoEnum, ProtoMessage, ProtoTypes } from './proto-types.js';
import { isDefault, protoScalar, type ScalarToken, textOfLiterals } from './scalar-values.js';

type Field = ProtoMessage['fields'] extends ReadonlyMap<string, infer F> ? F : never;

const blanks = /(?:\s|#[^\n]*)+/y;
const fieldName = /[A-Za-z_]\w*|\[[^\]\n]*\]/y;
const literals =
  /(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')(?:(?:\s|#[^\n]*)*(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'))*/y;
const plain = /-?\s*[\w.+]+(?:(?<=[eE])-\d+)?[fF]?/y;

/** Messages that nest deeper than this are refused. */
const deepest = 500;

export class TextMessageReader {
  readonly #text: string;
  readonly #types: ProtoTypes;
  readonly #marks: Marks | undefined;
  #at = 0;
  #depth = 0;

  constructor(text: string, types: ProtoTypes, marks: Marks | undefined) {
    this.#text = text;
    this.#types = types;
    this.#marks = marks;
  }

  /** The message that the whole text is. Throws a FileFormatError. */
  read(message: ProtoMessage): PlainObject {
    return this.#members(message, undefined);
  }

  #error(message: string, at = this.#at): FileFormatError {
    const before = this.#text.slice(0, at);
    const line = before.split('\n').length;
    return new FileFormatError(
      `unmarshal textproto: proto: (line ${line}:${at - before.lastIndexOf('\n')}): ${message}`,
      at,
    );
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #takeSign(...signs: readonly string[]): string | undefined {
    this.#take(blanks);
    const sign = this.#text[this.#at];
    if (sign === undefined || !signs.includes(sign)) return undefined;
    this.#at++;
    return sign;
  }

  /** The fields up to a closing sign, or to the end of the text. */
  #members(message: ProtoMessage, close: string | undefined): PlainObject {
    if (++this.#depth > deepest) throw this.#error('exceeded max recursion depth');
    const object: PlainObject = {};
    const seen = new Set<string>();
    for (;;) {
      this.#take(blanks);
      if (this.#at >= this.#text.length) {
        if (close !== undefined) throw this.#error('unexpected EOF');
        break;
      }
      if (close !== undefined && this.#takeSign(close)) break;
      this.#member(message, object, seen);
      this.#takeSign(',', ';');
    }
    this.#depth--;
    for (const { name, isRequired } of message.fields.values())
      if (isRequired && !seen.has(name)) throw this.#error(`required field ${message.name}.${name} not set`);
    return object;
  }

  #member(message: ProtoMessage, object: PlainObject, seen: Set<string>): void {
    const start = this.#at;
    const name = this.#take(fieldName);
    if (name === undefined) throw this.#error(`invalid field name: ${this.#text.slice(this.#at, this.#at + 10)}`);
    const field = message.fields.get(name);
    if (field === undefined) throw this.#error(`unknown field: ${name}`, start);
    const isList = field.isRepeated || field.keyType !== undefined;
    const taken = field.oneof === undefined ? name : `oneof ${field.oneof}`;
    if (!isList && seen.has(taken))
      throw this.#error(
        taken === name
          ? `non-repeated field "${name}" is repeated`
          : `error parsing "${name}", oneof ${message.name}.${field.oneof} is already set`,
        start,
      );
    seen.add(taken).add(name);
    const hasColon = this.#takeSign(':') !== undefined;
    if (this.#takeSign('[')) {
      if (!isList) throw this.#error(`invalid value: [`);
      while (!this.#takeSign(']')) {
        this.#add(field, object, start, this.#value(field, hasColon));
        this.#takeSign(',');
      }
    } else this.#add(field, object, start, this.#value(field, hasColon));
  }

  #add(field: Field, object: PlainObject, start: number, value: Value): void {
    const { name, keyType, isRepeated, hasPresence } = field;
    if (keyType !== undefined) {
      const entry = value as PlainObject;
      const known = own<PlainObject>(object, name);
      const map = known ?? {};
      setOwn<Value>(map, String(entry.key ?? defaultKey(keyType)), entry.value ?? this.#defaultOf(field.type));
      if (!known) setOwn<Value>(object, name, map);
    } else if (isRepeated) {
      const known = own<Value[]>(object, name);
      const list = known ?? [];
      list.push(value);
      if (!known) setOwn<Value>(object, name, list);
      this.#marks?.at(list, list.length - 1, start, this.#at);
      if (known) return;
    } else if (hasPresence || !isDefault(value, this.#types.get(field.type))) setOwn<Value>(object, name, value);
    else return;
    this.#marks?.at(object, name, start, this.#at);
  }

  #value(field: Field, hasColon: boolean): Value {
    if (field.keyType !== undefined) return this.#message(entryType(field));
    const type = this.#types.get(field.type);
    if (type?.kind === 'message') return this.#message(type);
    if (!hasColon) throw this.#error(`missing field separator :`);
    return this.#scalar(field.type, type);
  }

  #message(type: ProtoMessage): PlainObject {
    const open = this.#takeSign('{', '<');
    if (open === undefined) throw this.#error('a message begins with { or <');
    return this.#members(type, open === '{' ? '}' : '>');
  }

  #scalar(type: string, declared: ProtoEnum | undefined): Value {
    this.#take(blanks);
    const start = this.#at;
    const quoted = this.#take(literals);
    const word = quoted === undefined ? this.#take(plain)?.replace(/\s+/g, '') : undefined;
    const token: ScalarToken | undefined =
      quoted !== undefined ? { bytes: textOfLiterals(quoted) } : word !== undefined ? { word } : undefined;
    const value = token && protoScalar(type, declared, token);
    if (value === undefined)
      throw this.#error(`invalid value for ${declared ? 'enum' : type} type: ${quoted ?? word ?? ''}`, start);
    return value;
  }

  /** The value of an entry of a map that says none. */
  #defaultOf(type: string): Value {
    const declared = this.#types.get(type);
    if (declared?.kind === 'message') return {};
    if (declared) return [...declared.values].find(([, number]) => number === 0)?.[0] ?? 0;
    if (type === 'bool') return false;
    if (type === 'string' || type === 'bytes') return '';
    return type.includes('64') ? '0' : 0;
  }
}

function own<T extends Value>(object: PlainObject, name: string): T | undefined {
  return Object.hasOwn(object, name) ? (object[name] as T) : undefined;
}

function defaultKey(type: string): string {
  return type === 'string' ? '' : type === 'bool' ? 'false' : '0';
}

/** An entry of a map as a message. */
function entryType({ name, keyType, type }: Field): ProtoMessage {
  const field = (each: string, of: string): [string, Field] => [
    each,
    {
      name: each,
      type: of,
      keyType: undefined,
      isRepeated: false,
      isRequired: false,
      hasPresence: true,
      oneof: undefined,
    },
  ];
  return { kind: 'message', name, fields: new Map([field('key', keyType!), field('value', type)]) };
}
