/** The texts of values in traces and recordings. */

import { type Secrets, shownValue } from '../../engine/index.js';
import { isArray, isObject, isSet, objectSize, shortText, type Value } from '../../values/index.js';

/** Members of a collection that is being made whose text is written after each new one. */
const maxShown = 16;

/**
 * @param size characters at which a text is cut; 0 is no limit
 */
export class ValueTexts {
  readonly #size: number;
  readonly #secrets: Secrets | undefined;

  constructor(size: number, secrets?: Secrets) {
    this.#size = size === 0 ? Infinity : size;
    this.#secrets = secrets?.isEmpty === false ? secrets : undefined;
  }

  of(value: Value): string {
    return this.#secrets === undefined
      ? shortText(value, this.#size)
      : shownValue(value, this.#size, this.#secrets).text;
  }

  /** The text of a collection that has got a member: all of a long one takes long each time. */
  ofGrowing(value: Value): string {
    if (isArray(value)) return value.length > maxShown ? `[… ${value.length} elements]` : this.of(value);
    if (isSet(value)) return value.size > maxShown ? `{… ${value.size} members}` : this.of(value);
    if (!isObject(value)) return this.of(value);
    const size = objectSize(value);
    return size > maxShown ? `{… ${size} keys}` : this.of(value);
  }

  message(text: string): string {
    return this.#secrets === undefined ? text : this.#secrets.message(text);
  }
}
