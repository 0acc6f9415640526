/** Values as a client shows them: in Rego's notation, of bounded length. */

import type { ObjectValue, Value } from '../../values/index.js';
import {
  isArray,
  isNumber,
  isObject,
  isSet,
  objectSize,
  quote,
  sortedKeys,
  sortedMembers,
  termText,
  valueAt,
} from '../../values/index.js';

export interface ValueFormat {
  /** Whole numbers in base 16. */
  readonly hex: boolean;
  /** Characters after which a text is cut, with `…` for the rest. */
  readonly longest: number;
}

/** Levels of collections in a text; deeper ones are `…`. */
const mostLevels = 50;

/**
 * The text of a value. Takes time for what is shown only, but for the order of keys and members.
 *
 * @example debugValueText({ a: [255] }, { hex: true, longest: 100 }) // {"a": [0xff]}
 */
export function debugValueText(value: Value | undefined, format: ValueFormat): string {
  const text = new BoundedText(format);
  text.add(value, 0);
  return text.end();
}

class BoundedText {
  readonly #format: ValueFormat;
  #text = '';

  constructor(format: ValueFormat) {
    this.#format = format;
  }

  get #isFull(): boolean {
    return this.#text.length > this.#format.longest;
  }

  add(value: Value | undefined, level: number): void {
    if (this.#isFull) return;
    if (value === undefined) this.#text += 'undefined';
    else if (typeof value === 'string') this.#text += quote(value.slice(0, this.#format.longest + 1));
    else if (isNumber(value)) this.#text += this.#number(value);
    else if (typeof value !== 'object' || value === null) this.#text += termText(value);
    else if (level >= mostLevels) this.#text += '…';
    else if (isArray(value)) this.#members('[', value, ']', level);
    else if (isSet(value)) {
      if (value.size === 0) this.#text += 'set()';
      else this.#members('{', sortedMembers(value), '}', level);
    } else if (isObject(value)) this.#entries(value, level);
  }

  end(): string {
    const { longest } = this.#format;
    return this.#isFull ? `${this.#text.slice(0, longest)}…` : this.#text;
  }

  #number(value: Value): string {
    if (!this.#format.hex) return termText(value);
    const text = termText(value);
    if (!/^-?\d+$/.test(text)) return text;
    return text.startsWith('-') ? `-0x${BigInt(text.slice(1)).toString(16)}` : `0x${BigInt(text).toString(16)}`;
  }

  #members(open: string, members: readonly Value[], close: string, level: number): void {
    this.#text += open;
    for (const [i, member] of members.entries()) {
      if (this.#isFull) break;
      if (i > 0) this.#text += ', ';
      this.add(member, level + 1);
    }
    this.#text += close;
  }

  #entries(object: ObjectValue, level: number): void {
    if (objectSize(object) === 0) this.#text += '{}';
    else {
      this.#text += '{';
      for (const [i, key] of sortedKeys(object).entries()) {
        if (this.#isFull) break;
        if (i > 0) this.#text += ', ';
        this.add(key, level + 1);
        this.#text += ': ';
        this.add(valueAt(object, key), level + 1);
      }
      this.#text += '}';
    }
  }
}
