/** The values that a schema's `not` refuses, as far as a type can say it. */
import { compare, isArray, isObject, type PlainObject, type Value } from '../../../values/index.js';

export class Refused {
  readonly #types = new Set<Value>();
  readonly #values: Value[] = [];
  /** Names that an object must not have. */
  readonly members = new Set<string>();

  /** @param not the keyword's schema. Of one with several keywords, a type says nothing. */
  constructor(not: Value | undefined) {
    this.#read(not);
  }

  get hasTypes(): boolean {
    return this.#types.size > 0;
  }

  /** Whether no value of a type is left. */
  hasType(name: Value): boolean {
    return this.#types.has(name) || (name === 'integer' && this.#types.has('number'));
  }

  hasValue(value: Value): boolean {
    return this.#values.some((one) => compare(one, value) === 0);
  }

  #read(not: Value | undefined): void {
    if (not === undefined || !isObject(not)) return;
    const [first, ...others] = Object.entries(not as PlainObject).filter(([name]) => !annotations.has(name));
    if (first === undefined || others.length > 0) return;
    const [keyword, value] = first;
    if (keyword === 'const') this.#values.push(value);
    if (keyword === 'type' && typeof value === 'string') this.#types.add(value);
    if (!isArray(value)) return;
    if (keyword === 'enum') this.#values.push(...value);
    if (keyword === 'type') for (const name of value) this.#types.add(name);
    if (keyword === 'required' && value.length === 1) this.members.add(String(value[0]));
    if (keyword === 'anyOf') for (const one of value) this.#read(one);
  }
}

const annotations: ReadonlySet<string> = new Set(['title', 'description', '$comment']);
