/**
 * Which documents the store may write into. What it was given with `transferred` is its own with everything below, and so is what it made of that. What
 * it was given otherwise stays as it is: it is copied, level by level, where something in it changes, and then the copy's top level is the store's.
 */
import { isArray, isObject, type Value } from '../values/value.js';

/** `whole`: it and what is below it, where nothing else is noted; `top`: it alone; `none`: neither it nor anything below. */
export type Ownership = 'whole' | 'top' | 'none';

export class Owners {
  /** Only what differs from what stands above it, so that a store that is handed everything notes nothing. */
  readonly #noted = new WeakMap<object, 'top' | 'none'>();

  /** Notes whose a value is that is about to become a document. */
  given(value: Value, transferred: boolean): void {
    if (!isObject(value) && !isArray(value)) return;
    if (transferred) this.#noted.delete(value);
    else this.#noted.set(value, 'none');
  }

  /** @param above whose the object or array is that holds the value */
  of(value: object, above: Ownership): Ownership {
    if (above === 'none') return 'none';
    return this.#noted.get(value) ?? (above === 'whole' ? 'whole' : 'none');
  }

  /** Notes whose a copy is of one level of what was so owned. */
  copied(copy: object, original: Ownership): void {
    if (original !== 'whole') this.#noted.set(copy, 'top');
  }
}
