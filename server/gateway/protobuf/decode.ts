/** Protobuf's bytes to messages, as policies see them. */
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { ExactNumber, type PlainObject, type Value } from '../../../values/index.js';
import type { MessageField, MessageType } from './message-type.js';

/** Bytes that are no message. */
export class DecodeError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DecodeError';
  }
}

/** The names in decoded objects. */
export interface Naming {
  readonly of: (field: MessageField) => string;
  /** Whether a field of a oneof is in two objects, by the group's name and by its own. */
  readonly nestsOneofs: boolean;
}

export const jsonNaming: Naming = { of: ({ jsonName }) => jsonName, nestsOneofs: false };

/** Names as Go writes its structures, in JSON that knows nothing of protobuf. */
export const structureNaming: Naming = { of: ({ name }) => name, nestsOneofs: true };

/** Messages inside messages, as C++ bounds them. */
const deepest = 100;

/**
 * The message of some bytes: fields with default values are absent, enumerations are numbers, bytes
 * are in base64, a time has `seconds` and `nanos`, and a struct is the object that it stands for.
 * Throws a DecodeError.
 */
export function decodeMessage(type: MessageType, bytes: Uint8Array, naming: Naming = jsonNaming): PlainObject {
  try {
    return new Decoder(bytes, naming).message(type, bytes.length, 0);
  } catch (error) {
    // The reader's errors are plain, and a length beyond the end is a range error.
    throw error instanceof DecodeError
      ? error
      : new DecodeError(`cannot parse invalid wire-format data: ${(error as Error).message}`);
  }
}

class Decoder {
  readonly #bytes: Buffer;
  readonly #reader: BinaryReader;
  readonly #naming: Naming;

  constructor(bytes: Uint8Array, naming: Naming) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#reader = new BinaryReader(bytes);
    this.#naming = naming;
  }

  /** @param message one of the same field; a later one is merged into it: values win, lists grow */
  message(type: MessageType, end: number, depth: number, message: Record<string, Value> = {}): PlainObject {
    if (depth > deepest) throw new DecodeError('messages are nested too deeply');
    const reader = this.#reader;
    while (reader.pos < end) {
      const [number, wire] = reader.tag();
      const field = type.byNumber[number];
      if (field === undefined || !fits(field, wire)) reader.skip(wire, number, deepest - depth);
      else this.#field(type, field, message, depth);
    }
    if (reader.pos !== end) throw new DecodeError('a message ends inside a field');
    return message;
  }

  #field(type: MessageType, field: MessageField, message: Record<string, Value>, depth: number): void {
    const name = this.#naming.of(field);
    if (field.label === 'map') {
      const [key, value] = this.#entry(field, depth);
      set((message[name] ??= {}) as Record<string, Value>, key, value);
    } else if (field.label === 'repeated') {
      const list = (message[name] ??= []) as Value[];
      list.push(this.#value(field, undefined, depth));
    } else if (field.oneof !== undefined) {
      const { nestsOneofs, of } = this.#naming;
      const nameOf = nestsOneofs ? (member: MessageField) => goName(member.name) : of;
      const place = nestsOneofs ? ((message[goName(field.oneof)] ??= {}) as Record<string, Value>) : message;
      for (const other of type.fields) if (other.oneof === field.oneof && other !== field) delete place[nameOf(other)];
      const own = nameOf(field);
      place[own] = this.#value(field, place[own], depth);
    } else {
      const value = this.#value(field, message[name], depth);
      if (isDefault(value)) delete message[name];
      else message[name] = value;
    }
  }

  /** @param before a message of the same field, with which a later one is merged */
  #value({ type }: MessageField, before: Value | undefined, depth: number): Value {
    const reader = this.#reader;
    if (typeof type !== 'string')
      return this.message(type, this.#end(), depth + 1, before as Record<string, Value> | undefined);
    switch (type) {
      case 'string':
        return this.#text();
      case 'bytes': {
        const end = this.#end();
        const text = this.#bytes.toString('base64', reader.pos, end);
        reader.pos = end;
        return text;
      }
      case 'bool':
        return reader.bool();
      case 'int32':
      case 'enum':
        return reader.int32();
      case 'uint32':
        return reader.uint32();
      case 'int64':
        return integer(reader.int64());
      case 'uint64':
        return integer(reader.uint64());
      case 'google.protobuf.Timestamp':
        return this.#time(this.#end());
      case 'google.protobuf.Struct':
        return this.#struct(this.#end(), depth + 1);
    }
  }

  /** The end of a field with a length. */
  #end(): number {
    const reader = this.#reader;
    const end = reader.uint32() + reader.pos;
    if (end > reader.len) throw new DecodeError('a field ends after its message');
    return end;
  }

  #text(): string {
    const end = this.#end();
    const start = this.#reader.pos;
    this.#reader.pos = end;
    const text = this.#bytes.toString('utf8', start, end);
    // The replacement character is rare, and stands for itself more rarely.
    if (text.includes('\ufffd') && !Buffer.from(text).equals(this.#bytes.subarray(start, end)))
      throw new DecodeError('string field contains invalid UTF-8');
    return text;
  }

  #entry(field: MessageField, depth: number): readonly [string, Value] {
    const reader = this.#reader;
    const end = this.#end();
    let key = '';
    let value: Value | undefined;
    while (reader.pos < end) {
      const [number, wire] = reader.tag();
      if (number === 1 && wire === WireType.LengthDelimited) key = this.#text();
      else if (number === 2 && wire === wireOf(field)) value = this.#value(field, undefined, depth);
      else reader.skip(wire, number, deepest);
    }
    if (reader.pos !== end) throw new DecodeError('a map entry ends inside a field');
    return [key, value ?? (field.type === 'string' || field.type === 'bytes' ? '' : {})];
  }

  #time(end: number): PlainObject {
    const reader = this.#reader;
    let seconds: Value = 0;
    let nanos = 0;
    while (reader.pos < end) {
      const [number, wire] = reader.tag();
      if (number === 1 && wire === WireType.Varint) seconds = integer(reader.int64());
      else if (number === 2 && wire === WireType.Varint) nanos = reader.int32();
      else reader.skip(wire, number, deepest);
    }
    return { ...(seconds !== 0 && { seconds }), ...(nanos !== 0 && { nanos }) };
  }

  #struct(end: number, depth: number): PlainObject {
    if (depth > deepest) throw new DecodeError('structs are nested too deeply');
    const reader = this.#reader;
    const struct: Record<string, Value> = {};
    while (reader.pos < end) {
      const [number, wire] = reader.tag();
      if (number !== 1 || wire !== WireType.LengthDelimited) {
        reader.skip(wire, number, deepest);
        continue;
      }
      const entryEnd = this.#end();
      let key = '';
      let value: Value = null;
      while (reader.pos < entryEnd) {
        const [part, partWire] = reader.tag();
        if (part === 1 && partWire === WireType.LengthDelimited) key = this.#text();
        else if (part === 2 && partWire === WireType.LengthDelimited) value = this.#structValue(this.#end(), depth);
        else reader.skip(partWire, part, deepest);
      }
      set(struct, key, value);
    }
    return struct;
  }

  #structValue(end: number, depth: number): Value {
    const reader = this.#reader;
    let value: Value = null;
    while (reader.pos < end) {
      const [number, wire] = reader.tag();
      if (number === 2 && wire === WireType.Bit64) value = reader.double();
      else if (number === 3 && wire === WireType.LengthDelimited) value = this.#text();
      else if (number === 4 && wire === WireType.Varint) value = reader.bool();
      else if (number === 5 && wire === WireType.LengthDelimited) value = this.#struct(this.#end(), depth + 1);
      else if (number === 6 && wire === WireType.LengthDelimited) value = this.#list(this.#end(), depth + 1);
      else reader.skip(wire, number, deepest);
    }
    // JSON has no such numbers: the JSON form of messages has these words.
    return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
  }

  #list(end: number, depth: number): Value[] {
    if (depth > deepest) throw new DecodeError('structs are nested too deeply');
    const reader = this.#reader;
    const list: Value[] = [];
    while (reader.pos < end) {
      const [number, wire] = reader.tag();
      if (number === 1 && wire === WireType.LengthDelimited) list.push(this.#structValue(this.#end(), depth));
      else reader.skip(wire, number, deepest);
    }
    return list;
  }
}

function fits(field: MessageField, wire: WireType): boolean {
  return wire === (field.label === 'map' ? WireType.LengthDelimited : wireOf(field));
}

function wireOf({ type }: MessageField): WireType {
  const isVarint =
    type === 'bool' ||
    type === 'enum' ||
    type === 'int32' ||
    type === 'int64' ||
    type === 'uint32' ||
    type === 'uint64';
  return isVarint ? WireType.Varint : WireType.LengthDelimited;
}

/** A message without fields is none: it is present. */
function isDefault(value: Value): boolean {
  return value === 0 || value === false || value === '';
}

/** Numbers beyond a double's keep their digits. */
function integer(value: bigint | string): Value {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : new ExactNumber(BigInt(value));
}

/** Sets a key of a client, which may be `__proto__`. */
function set(object: Record<string, Value>, key: string, value: Value): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
  else object[key] = value;
}

/** `SocketAddress` for `socket_address`. */
function goName(name: string): string {
  return name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
