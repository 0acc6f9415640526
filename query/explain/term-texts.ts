/** Values as JSON of the terms that stand for them. */

import { sortedEntries, sortedMembers } from '../../runtime/values/compare.js';
import { numberText } from '../../runtime/values/numbers/number.js';
import { isArray, isNumber, isObject, isSet, type Value } from '../../runtime/values/value.js';

/** The text of each collection is made once. */
export class TermTexts {
  readonly #known = new Map<Value, string>();

  of(value: Value): string {
    if (value === null) return '{"type":"null","value":{}}';
    if (typeof value === 'string') return `{"type":"string","value":${JSON.stringify(value)}}`;
    if (typeof value === 'boolean') return `{"type":"boolean","value":${value}}`;
    if (isNumber(value)) return `{"type":"number","value":${numberText(value)}}`;
    let text = this.#known.get(value);
    if (text === undefined) this.#known.set(value, (text = this.#collection(value)));
    return text;
  }

  #collection(value: Value): string {
    if (isArray(value)) return `{"type":"array","value":${this.#list(value)}}`;
    if (isSet(value)) return `{"type":"set","value":${this.#list(sortedMembers(value))}}`;
    if (!isObject(value)) throw new Error('no value of the language');
    const entries = [...sortedEntries(value)].map(([key, inner]) => `[${this.of(key)},${this.of(inner)}]`);
    return `{"type":"object","value":[${entries.join(',')}]}`;
  }

  #list(values: readonly Value[]): string {
    return `[${values.map((value) => this.of(value)).join(',')}]`;
  }
}
