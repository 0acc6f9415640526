/** The usual shape of the inputs of a decision, learned from samples. */

/** Bounds of a shape: other inputs could cause more code than it saves time. */
const mostKeys = 16;
const mostKeySets = 4;
const longestKey = 64;
const mostDepth = 16;

/** The elements of an array that are samples. */
const sampledElements = 8;

export type ScalarKind = 'string' | 'boolean' | 'number' | 'null';

/** The values at a place of the inputs; the elements of an array are one place. */
export class InputShape {
  readonly scalars = new Set<ScalarKind>();
  /** The shapes of members by key, where objects were seen. */
  members: Map<string, InputShape> | undefined;
  /** Where arrays were seen. */
  elements: InputShape | undefined;
  /** The values differ too much to check them by their shape. */
  isGeneral = false;
  readonly #keySets = new Set<string>();
  readonly #depth: number;
  readonly #room: { places: number };

  /** @param room the places that the shape of the whole input may still get */
  constructor(room: { places: number }, depth = 0) {
    this.#room = room;
    this.#depth = depth;
    this.isGeneral = depth > mostDepth || --room.places < 0;
  }

  /** Adds a sample, which is JSON. */
  add(value: unknown): void {
    if (this.isGeneral) return;
    if (typeof value !== 'object') this.scalars.add(typeof value as ScalarKind);
    else if (value === null) this.scalars.add('null');
    else if (Array.isArray(value)) this.#addArray(value);
    else this.#addObject(value);
    this.isGeneral ||= this.members !== undefined && this.elements !== undefined;
  }

  #addArray(array: readonly unknown[]): void {
    this.elements ??= new InputShape(this.#room, this.#depth + 1);
    for (let i = 0; i < array.length && i < sampledElements; i++) this.elements.add(array[i]);
  }

  #addObject(object: object): void {
    this.members ??= new Map();
    let keys = '';
    for (const key in object) {
      if (!this.#isKnown(key)) {
        this.isGeneral = true;
        return;
      }
      keys += `${key.length}:${key}`;
      this.members.get(key)!.add((object as Record<string, unknown>)[key]);
    }
    this.#keySets.add(keys);
    // V8 reads a key quickly in objects of at most four hidden classes.
    this.isGeneral = this.#keySets.size > mostKeySets;
  }

  /** Adds a key, if that is possible. A name of `Object.prototype` is read in each object. */
  #isKnown(key: string): boolean {
    const members = this.members!;
    if (members.has(key)) return true;
    if (members.size >= mostKeys || key.length > longestKey || key in Object.prototype) return false;
    members.set(key, new InputShape(this.#room, this.#depth + 1));
    return true;
  }
}
