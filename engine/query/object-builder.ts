/** An object under construction, to which rules of several depths and kinds add. */

import { equal, HaltError, type Key, keyOf, makeObject, RegoSet, type Value } from '../../values/index.js';

interface ObjectNode {
  readonly type: 'object';
  readonly entries: Map<Key, { readonly key: Value; readonly node: Node }>;
}

/** Objects and sets under construction can grow; the value of a rule cannot. */
type Node =
  | ObjectNode
  | { readonly type: 'set'; readonly set: RegoSet }
  | { readonly type: 'value'; readonly value: Value };

/** An entry of an object under construction. */
interface Place {
  get(): Node | undefined;
  set(node: Node): void;
}

export class ObjectBuilder {
  readonly #root: ObjectNode = { type: 'object', entries: new Map() };

  /** @param parts what is there although nothing is added to it, by keys */
  constructor(parts: readonly { readonly keys: readonly Value[]; readonly kind: 'object' | 'set' }[] = []) {
    for (const { keys, kind } of parts) {
      if (kind === 'object') this.#objectAt(keys);
      else this.#placeAt(keys).set({ type: 'set', set: new RegoSet() });
    }
  }

  /** Gives a path a value. Throws where it has another one. */
  insert(path: readonly Value[], value: Value): void {
    const place = this.#placeAt(path);
    const old = place.get();
    if (old === undefined) place.set({ type: 'value', value });
    else if (!equal(finish(old), value)) throw clash();
  }

  /** Gives a path a value where it has none. */
  insertDefault(path: readonly Value[], value: Value): void {
    const place = this.#placeAt(path);
    if (place.get() === undefined) place.set({ type: 'value', value });
  }

  /** Adds a member to the set at a path. */
  add(path: readonly Value[], member: Value): void {
    const place = this.#placeAt(path);
    const old = place.get();
    if (old?.type === 'set') old.set.add(member);
    else if (old === undefined) place.set({ type: 'set', set: new RegoSet([member]) });
    else throw clash();
  }

  get value(): Value {
    return finish(this.#root);
  }

  #placeAt(path: readonly Value[]): Place {
    const key = path.at(-1);
    // Other rules define an object at the place itself.
    if (key === undefined) throw clash();
    const { entries } = this.#objectAt(path.slice(0, -1));
    const own = keyOf(key);
    return { get: () => entries.get(own)?.node, set: (node) => entries.set(own, { key, node }) };
  }

  #objectAt(path: readonly Value[]): ObjectNode {
    let node = this.#root;
    for (const key of path) {
      let child = node.entries.get(keyOf(key))?.node;
      if (child === undefined)
        node.entries.set(keyOf(key), { key, node: (child = { type: 'object', entries: new Map() }) });
      if (child.type !== 'object') throw clash();
      node = child;
    }
    return node;
  }
}

function clash(): HaltError {
  return new HaltError('eval_conflict_error', 'object keys must be unique');
}

function finish(node: Node): Value {
  if (node.type === 'value') return node.value;
  if (node.type === 'set') return node.set;
  return makeObject([...node.entries.values()].map(({ key, node: inner }) => [key, finish(inner)] as const));
}
