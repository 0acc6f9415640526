/** Keys of calls: the same for equal arguments only. */

import { keyText, type Value } from '../../../values/index.js';

/**
 * Collections are numbered, so a large one that many calls share is read once, and stands in no
 * key.
 */
export class CallKeys {
  readonly #numbers = new WeakMap<object, number>();
  readonly #numbersByText = new Map<string, number>();

  of(args: readonly Value[]): string {
    return args
      .map((arg) => (typeof arg === 'object' && arg !== null ? `#${this.#numberOf(arg)}` : keyText(arg)))
      .join();
  }

  #numberOf(value: object & Value): number {
    let number = this.#numbers.get(value);
    if (number !== undefined) return number;
    const text = keyText(value);
    number = this.#numbersByText.get(text) ?? this.#numbersByText.size;
    this.#numbersByText.set(text, number);
    this.#numbers.set(value, number);
    return number;
  }
}
