import { pointTo, quoteName } from './plan-error.js';

interface Place {
  readonly name: string;
  readonly kind: string;
  /** JSON pointer to the first one. */
  readonly pointer: string;
  count: number;
}

/** A plan may have an unknown member in each statement, each of another name. */
const mostPlaces = 20;

/**
 * The members of a plan that this release does not know, and ignores: those of newer releases and
 * of other compilers.
 */
export class UnknownMembers {
  readonly #places = new Map<string, Place>();
  #more = 0;

  /**
   * @param name of the member
   * @param kind of the object that has it, by its name in the schema
   * @param pointer JSON pointer to the object
   */
  add(name: string, kind: string, pointer: string): void {
    const key = `${kind}/${name}`;
    const place = this.#places.get(key);
    if (place) place.count++;
    else if (this.#places.size === mostPlaces) this.#more++;
    else this.#places.set(key, { name, kind, pointer: pointTo(pointer, name), count: 1 });
  }

  /** A warning for each name and kind of object, with the place of the first. */
  warnings(): string[] {
    const warnings = [...this.#places.values()].map(({ name, kind, pointer, count }) => {
      const times = count === 1 ? '' : `, ${count} times`;
      return `${shortened(pointer)}: member ${quoteName(name)} of ${kind} is not known and is ignored${times}`;
    });
    return this.#more === 0 ? warnings : [...warnings, `${this.#more} more members are not known and are ignored`];
  }

  /** One sentence for all; undefined if there are none. */
  summary(): string | undefined {
    const places = [...this.#places.values()];
    if (places.length === 0) return undefined;
    const shown = places.slice(0, mostShown).map(({ name, kind }) => `${quoteName(name)} of ${kind}`);
    const more = places.length + this.#more - shown.length;
    return `members of the plan are not known and are ignored: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  }
}

/** The most members that a summary names. */
const mostShown = 3;

/** The end says what the pointer points to. */
function shortened(pointer: string): string {
  return pointer.length > longestPointer ? `…${pointer.slice(-longestPointer)}` : pointer;
}

const longestPointer = 200;
