/**
 * Protobuf messages as tables of fields, written by hand: a table is read to decode, to encode and
 * to describe a message. Messages are plain objects by the field's name in JSON.
 */

export type Scalar = 'bool' | 'bytes' | 'enum' | 'int32' | 'int64' | 'string' | 'uint32' | 'uint64';

/** Well-known messages whose objects have a form of their own. */
type WellKnown = 'google.protobuf.Struct' | 'google.protobuf.Timestamp';

export interface MessageField {
  /** The name in the `.proto` file. */
  readonly name: string;
  readonly jsonName: string;
  readonly number: number;
  readonly type: Scalar | WellKnown | MessageType;
  readonly label: 'one' | 'repeated' | 'map';
  /** The group of which only one field is set; its fields are present with default values too. */
  readonly oneof: string | undefined;
}

export class MessageType {
  /** The name with its package. */
  readonly name: string;
  readonly fields: readonly MessageField[];
  readonly byNumber: readonly (MessageField | undefined)[];

  constructor(name: string, fields: Readonly<Record<string, FieldSketch>>) {
    this.name = name;
    this.fields = Object.entries(fields).map(([name, sketch]) => ({ name, jsonName: camelCase(name), ...sketch }));
    const byNumber: MessageField[] = [];
    for (const field of this.fields) byNumber[field.number] = field;
    this.byNumber = byNumber;
  }
}

type FieldSketch = Pick<MessageField, 'number' | 'type' | 'label' | 'oneof'>;

type FieldType = MessageField['type'];

export function field(number: number, type: FieldType, oneof?: string): FieldSketch {
  return { number, type, label: 'one', oneof };
}

export function repeated(number: number, type: FieldType): FieldSketch {
  return { number, type, label: 'repeated', oneof: undefined };
}

/** A map by texts. */
export function map(number: number, type: FieldType): FieldSketch {
  return { number, type, label: 'map', oneof: undefined };
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
