/** An object that several rules define, one key after the other. */

import { makeObject } from '../../values/compare.js';
import { equal } from '../../values/equal.js';
import { RegoSet } from '../../values/set.js';
import type { Value } from '../../values/value.js';
import { Conflict } from './evaluation.js';

type Part =
  | { readonly kind: 'object'; readonly object: ObjectBuilder }
  | { readonly kind: 'set'; readonly set: RegoSet }
  | { readonly kind: 'value'; readonly value: Value };

export class ObjectBuilder {
  readonly #entries: { readonly key: Value; readonly part: Part }[] = [];

  #find(key: Value): Part | undefined {
    return this.#entries.find((entry) => equal(entry.key, key))?.part;
  }

  #add<Kind extends Part>(key: Value, part: Kind): Kind {
    this.#entries.push({ key, part });
    return part;
  }

  /**
   * The object that holds the last key of a path. Throws Conflict if there is another value on the
   * way.
   */
  #parentOf(path: readonly Value[]): ObjectBuilder {
    // One rule defines a set or a scalar here, another an object.
    if (path.length === 0) throw new Conflict('object keys must be unique');
    let object: ObjectBuilder = this;
    for (const key of path.slice(0, -1)) {
      const part: Part = object.#find(key) ?? object.#add(key, { kind: 'object', object: new ObjectBuilder() });
      if (part.kind !== 'object') throw new Conflict('object keys must be unique');
      object = part.object;
    }
    return object;
  }

  put(path: readonly Value[], value: Value): void {
    const parent = this.#parentOf(path);
    const key = path.at(-1)!;
    const part = parent.#find(key) ?? parent.#add(key, { kind: 'value', value });
    if (part.kind !== 'value' || !equal(part.value, value)) throw new Conflict('object keys must be unique');
  }

  addMember(path: readonly Value[], member: Value): void {
    this.addSet(path).add(member);
  }

  /** The set at a path, which is made if it is not there. */
  addSet(path: readonly Value[]): RegoSet {
    const parent = this.#parentOf(path);
    const key = path.at(-1)!;
    const part = parent.#find(key) ?? parent.#add(key, { kind: 'set', set: new RegoSet() });
    if (part.kind !== 'set') throw new Conflict('object keys must be unique');
    return part.set;
  }

  addObject(path: readonly Value[]): void {
    this.#parentOf([...path, null]);
  }

  get value(): Value {
    return makeObject(this.#entries.map(({ key, part }) => [key, partValue(part)] as const));
  }
}

function partValue(part: Part): Value {
  return part.kind === 'object' ? part.object.value : part.kind === 'set' ? part.set : part.value;
}
