/**
 * Random inputs and data of one shape, so that policies over them are mostly defined. The values
 * are of a few texts and numbers, so that joins find some.
 */
import { parseJson } from '../../../values/json/json.js';
import type { PlainObject, Value } from '../../../values/value.js';
import { TextChoices } from './choices.js';
import type { Documents } from './ways.js';

/** Literals of JSON and of the language. */
export const texts = [
  '"a"',
  '"b"',
  '"c"',
  '"a-b"',
  '"B"',
  '""',
  '"__proto__"',
  '"constructor"',
  '"k\\ud83d\\ude00"',
  '"\\uffee"',
  '"\\ud800z"',
  '"\\u0000sa"',
];
export const numbers = ['1', '0', '2', '3', '1.0', '-1', '0.1', '-0', '12345678901234567890', '1e2', '2.50', '9007199254740993'];
const others = ['true', 'false', 'null'];

/**
 * Documents to be decided upon one after the other: with the first data, with another input, and
 * with data that differ in some parts and share the others.
 */
export function generateDocuments(choices: readonly number[]): readonly Documents[] {
  const generator = new DocumentGenerator(choices);
  const before = generator.data();
  const input = generator.input();
  const other = generator.chance(10) ? undefined : generator.input();
  const after = { ...before, d: { ...(before.d as PlainObject), ...generator.parts() } };
  return [
    { input, data: before },
    { input: other, data: before },
    { input, data: after },
  ];
}

class DocumentGenerator extends TextChoices {
  input(): Value {
    return parseJson(this.#document());
  }

  data(): PlainObject {
    const libraries = this.#object(['c', 'b'], () => this.#object(['p', 's', 'q'], () => this.#scalar()));
    return parseJson(`{"d": ${this.#document()}, "lib": ${libraries}}`) as PlainObject;
  }

  /** Some of the parts of a document, others than before. */
  parts(): PlainObject {
    return parseJson(`{"rows": ${this.#rows()}, "byId": ${this.#byKey(() => this.#row())}, "one": ${this.#scalar()}}`) as PlainObject;
  }

  #document(): string {
    const parts = {
      rows: this.#rows(),
      byId: this.#byKey(() => this.#row()),
      names: this.#list(16, () => this.#scalar()),
      pairs: this.#list(12, () => `[${this.#scalar()}, ${this.#scalar()}]`),
      groups: this.#byKey(() => this.#list(5, () => this.#scalar())),
      flags: this.#byKey(() => this.one(others)),
      row: this.#row(),
      one: this.#scalar(),
      key: this.one(texts),
      n: this.one(numbers),
    };
    const present = Object.entries(parts).filter(() => !this.chance(4));
    return `{${present.map(([key, text]) => `"${key}": ${text}`).join(', ')}}`;
  }

  /** Arrays are indexed from eight elements on, and so are the elements with one value. */
  #rows(): string {
    const [most, kinds] = this.chance(30) ? [24, texts.slice(0, 2)] : [14, texts];
    return this.#list(most, () => (this.chance(6) ? this.one(['null', '"a"', '[]', '{}', '[1, "a"]']) : this.#row(kinds)));
  }

  #row(kinds = texts): string {
    const fields: readonly (readonly [string, () => string])[] = [
      ['id', () => this.#scalar()],
      ['kind', () => this.one(kinds)],
      ['n', () => this.one(numbers)],
      ['tags', () => this.#list(4, () => this.#scalar())],
      ['on', () => this.one(others)],
      ['sub', () => this.#object(['k', '__proto__'], () => this.#scalar())],
    ];
    const present = fields.filter(() => !this.chance(8));
    return `{${present.map(([key, make]) => `"${key}": ${this.chance(4) ? this.#scalar() : make()}`).join(', ')}}`;
  }

  #byKey(make: () => string): string {
    return this.#object(
      this.chance(20) ? [] : texts.slice(0, 4 + this.below(texts.length - 3)).map((text) => JSON.parse(text) as string),
      make,
    );
  }

  #object(keys: readonly string[], make: () => string): string {
    const present = keys.filter(() => !this.chance(15));
    return `{${present.map((key) => `${JSON.stringify(key)}: ${make()}`).join(', ')}}`;
  }

  #list(most: number, make: () => string): string {
    const length = this.chance(15) ? this.below(3) : Math.ceil(most / 2) + this.below(Math.ceil(most / 2));
    return `[${this.times(length, make).join(', ')}]`;
  }

  #scalar(): string {
    return this.weighted<string>([
      [6, () => this.one(texts)],
      [3, () => this.one(numbers)],
      [1, () => this.one(others)],
    ]);
  }
}
