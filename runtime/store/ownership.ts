/**
 * Tracks the documents that the store may write into. A transferred document is owned as a whole,
 * and so are copies made of it. Any other document stays unchanged: a change in it copies it level
 * by level, and then the store owns the top level of each copy.
 */
import { isArray, isObject, type Value } from '../../values/index.js';

/**
 * `whole`: the document and everything below it, except where another ownership is recorded; `top`:
 * only the document itself; `none`: neither it nor anything below it.
 */
export type Ownership = 'whole' | 'top' | 'none';

export class Owners {
  /**
   * Records only differences from the parent's ownership, so that a store of transferred documents
   * records nothing.
   */
  readonly #exceptions = new WeakMap<object, 'top' | 'none'>();

  /** Records the ownership of a value that becomes a document. */
  recordValue(value: Value, transferred: boolean): void {
    if (!isObject(value) && !isArray(value)) return;
    if (transferred) this.#exceptions.delete(value);
    else this.#exceptions.set(value, 'none');
  }

  /** @param above ownership of the object or array that holds the value */
  of(value: object, above: Ownership): Ownership {
    if (above === 'none') return 'none';
    return this.#exceptions.get(value) ?? (above === 'whole' ? 'whole' : 'none');
  }

  /** Records the ownership of a copy of one level, from the original's ownership. */
  recordCopy(copy: object, original: Ownership): void {
    if (original !== 'whole') this.#exceptions.set(copy, 'top');
  }
}
