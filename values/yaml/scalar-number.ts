/** A number of a document while it is read: only its place tells whether it is a value or a key. */
import type { NumberValue } from '../numbers/number.js';
import type { Value } from '../value.js';
import { YamlError } from './yaml-error.js';
import { notFinite, scalarNumberKey } from './yaml-scalars.js';

export class ScalarNumber {
  readonly #text: string;
  readonly #value: NumberValue | typeof notFinite;

  constructor(text: string, value: NumberValue | typeof notFinite) {
    this.#text = text;
    this.#value = value;
  }

  /** The reader takes all that call themselves objects for the same key. */
  get [Symbol.toStringTag](): string {
    return 'ScalarNumber';
  }

  /** The number as a key. */
  toString(): string {
    return scalarNumberKey(this.#text);
  }

  value(): NumberValue {
    if (this.#value !== notFinite) return this.#value;
    throw new YamlError(
      `json: unsupported value: ${/nan/i.test(this.#text) ? 'NaN' : this.#text[0] === '-' ? '-Inf' : '+Inf'}`,
    );
  }
}

/**
 * A document that was read, with its numbers in place.
 * @param isShared whether an object may be in it twice
 */
export function withNumbers(document: unknown, isShared: boolean): Value {
  const seen = isShared ? new Set<object>() : undefined;
  const placed = (value: unknown): Value => {
    if (value instanceof ScalarNumber) return value.value();
    if (typeof value !== 'object' || value === null || seen?.has(value)) return value as Value;
    seen?.add(value);
    const members = value as Record<string, unknown>;
    for (const key of Object.keys(members)) {
      const member = members[key];
      if (typeof member === 'object') members[key] = placed(member);
    }
    return value as Value;
  };
  return placed(document);
}
