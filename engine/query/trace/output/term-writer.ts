/** Writes values as JSON of the terms that stand for them. */

import type { ByteChunks, ObjectValue, Steps, Value } from '../../../../values/index.js';
import {
  isArray,
  isNumber,
  isObject,
  isSet,
  numberText,
  sortedEntries,
  sortedMembers,
} from '../../../../values/index.js';

/** Some microseconds. */
const valuesPerStep = 1024;

/** A collection with the progress of its writing. */
interface Open {
  readonly value: Value;
  /** Where its text begins. */
  readonly start: number;
  /** The members; of an object its keys and values in turn. */
  readonly items: readonly Value[];
  readonly isObject: boolean;
  i: number;
}

/** The text of each collection is made once, and copied from there on. */
export class TraceTermWriter {
  readonly #out: ByteChunks;
  readonly #known = new Map<Value, Uint8Array>();
  #count = 0;

  constructor(out: ByteChunks) {
    this.#out = out;
  }

  /** Writes a scalar, or a collection that was written before; returns whether it is one. */
  writeKnown(value: Value): boolean {
    const text = scalarText(value);
    if (text !== undefined) {
      this.#out.text(text);
      return true;
    }
    const known = this.#known.get(value);
    if (known !== undefined) this.#out.bytes(known);
    return known !== undefined;
  }

  /** Writes a collection. */
  *write(value: Value): Steps {
    const out = this.#out;
    const open: Open[] = [this.#begin(value)];
    for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
      if (last.i === last.items.length) {
        this.#end(last);
        open.pop();
        continue;
      }
      const { i, isObject } = last;
      if (isObject) out.text(i % 2 === 1 ? ',' : i === 0 ? '[' : '],[');
      else if (i > 0) out.text(',');
      const item = last.items[last.i++]!;
      if (!this.writeKnown(item)) open.push(this.#begin(item));
      if (++this.#count % valuesPerStep === 0) yield;
    }
  }

  #begin(value: Value): Open {
    const start = this.#out.length;
    if (isObject(value)) {
      this.#out.text('{"type":"object","value":[');
      return { value, start, items: entriesOf(value), isObject: true, i: 0 };
    }
    if (isSet(value)) {
      this.#out.text('{"type":"set","value":[');
      return { value, start, items: sortedMembers(value), isObject: false, i: 0 };
    }
    if (!isArray(value)) throw new Error('no value of the language');
    this.#out.text('{"type":"array","value":[');
    return { value, start, items: value, isObject: false, i: 0 };
  }

  #end({ value, start, items, isObject }: Open): void {
    this.#out.text(isObject && items.length > 0 ? ']]}' : ']}');
    const text = this.#out.since(start);
    if (text !== undefined) this.#known.set(value, text);
  }
}

function entriesOf(value: ObjectValue): readonly Value[] {
  const items: Value[] = [];
  for (const entry of sortedEntries(value)) items.push(...entry);
  return items;
}

function scalarText(value: Value): string | undefined {
  if (value === null) return '{"type":"null","value":{}}';
  if (typeof value === 'string') return `{"type":"string","value":${JSON.stringify(value)}}`;
  if (typeof value === 'boolean') return `{"type":"boolean","value":${value}}`;
  return isNumber(value) ? `{"type":"number","value":${numberText(value)}}` : undefined;
}
