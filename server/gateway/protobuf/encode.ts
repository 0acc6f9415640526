/** Messages to protobuf's bytes. */
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { ExactNumber, isArray, type NumberValue, type PlainObject, type Value } from '../../../values/index.js';
import type { MessageField, MessageType } from './message-type.js';

/** The bytes of a message in the form that `decodeMessage` gives, with any field left out. */
export function encodeMessage(type: MessageType, message: PlainObject): Uint8Array {
  const writer = new BinaryWriter();
  writeMessage(writer, type, message);
  return writer.finish();
}

function writeMessage(writer: BinaryWriter, type: MessageType, message: PlainObject): void {
  for (const field of type.fields) {
    const value = Object.hasOwn(message, field.jsonName) ? message[field.jsonName] : undefined;
    if (value === undefined) continue;
    if (field.label === 'repeated') for (const member of value as readonly Value[]) writeField(writer, field, member);
    else if (field.label === 'map') {
      for (const [key, member] of Object.entries(value as PlainObject)) {
        writer.tag(field.number, WireType.LengthDelimited).fork();
        writer.tag(1, WireType.LengthDelimited).string(key.toWellFormed());
        writeField(writer, { ...field, number: 2 }, member);
        writer.join();
      }
    } else writeField(writer, field, value);
  }
}

function writeField(writer: BinaryWriter, { number, type }: MessageField, value: Value): void {
  if (typeof type !== 'string') {
    writer.tag(number, WireType.LengthDelimited).fork();
    writeMessage(writer, type, value as PlainObject);
    writer.join();
    return;
  }
  switch (type) {
    case 'string':
      writer.tag(number, WireType.LengthDelimited).string((value as string).toWellFormed());
      break;
    case 'bytes':
      writer.tag(number, WireType.LengthDelimited).bytes(Buffer.from(value as string, 'base64'));
      break;
    case 'bool':
      writer.tag(number, WireType.Varint).bool(value as boolean);
      break;
    case 'int32':
    case 'enum':
      writer.tag(number, WireType.Varint).int32(value as number);
      break;
    case 'uint32':
      writer.tag(number, WireType.Varint).uint32(value as number);
      break;
    case 'int64':
      writer.tag(number, WireType.Varint).int64(integerText(value));
      break;
    case 'uint64':
      writer.tag(number, WireType.Varint).uint64(integerText(value));
      break;
    case 'google.protobuf.Timestamp': {
      const { seconds = 0, nanos = 0 } = value as { readonly seconds?: Value; readonly nanos?: number };
      writer.tag(number, WireType.LengthDelimited).fork();
      if (seconds !== 0) writer.tag(1, WireType.Varint).int64(integerText(seconds));
      if (nanos !== 0) writer.tag(2, WireType.Varint).int32(nanos);
      writer.join();
      break;
    }
    case 'google.protobuf.Struct':
      writer.tag(number, WireType.LengthDelimited).fork();
      writeStruct(writer, value as PlainObject);
      writer.join();
      break;
  }
}

function integerText(value: Value): string {
  return value instanceof ExactNumber ? value.text : String(value as NumberValue | string);
}

/** The numbers of a struct are doubles. Its values are those of JSON. */
function writeStruct(writer: BinaryWriter, struct: PlainObject): void {
  for (const [key, value] of Object.entries(struct)) {
    writer.tag(1, WireType.LengthDelimited).fork();
    writer.tag(1, WireType.LengthDelimited).string(key.toWellFormed());
    writer.tag(2, WireType.LengthDelimited).fork();
    writeStructValue(writer, value);
    writer.join().join();
  }
}

function writeStructValue(writer: BinaryWriter, value: Value): void {
  if (value === null) writer.tag(1, WireType.Varint).int32(0);
  else if (typeof value === 'number') writer.tag(2, WireType.Bit64).double(value);
  else if (value instanceof ExactNumber) writer.tag(2, WireType.Bit64).double(Number(value.text));
  else if (typeof value === 'string') writer.tag(3, WireType.LengthDelimited).string(value.toWellFormed());
  else if (typeof value === 'boolean') writer.tag(4, WireType.Varint).bool(value);
  else if (isArray(value)) {
    writer.tag(6, WireType.LengthDelimited).fork();
    for (const member of value) {
      writer.tag(1, WireType.LengthDelimited).fork();
      writeStructValue(writer, member);
      writer.join();
    }
    writer.join();
  } else {
    writer.tag(5, WireType.LengthDelimited).fork();
    writeStruct(writer, value as PlainObject);
    writer.join();
  }
}
