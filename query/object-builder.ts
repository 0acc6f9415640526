/** An object under construction, to which rules of several depths and kinds add. */

import { HaltError } from '../builtins/builtin-errors.js';
import { makeObject } from '../values/compare.js';
import { equal } from '../values/equal.js';
import { type Key, keyOf } from '../values/hash.js';
import { RegoSet } from '../values/set.js';
import type { Value } from '../values/value.js';

interface ObjectNode {
  readonly type: 'object';
  readonly entries: Map<Key, { readonly key: Value; readonly node: Node }>;
}

/** Objects and sets under construction can grow; the value of a rule cannot. */
type Node =
  | ObjectNode
  | { readonly type: 'set'; readonly set: RegoSet }
  | { readonly type: 'value'; readonly value: Value };

export class ObjectBuilder {
  readonly #root: ObjectNode = { type: 'object', entries: new Map() };

  /** Gives a path a value. Throws where it has another one. */
  insert(path: readonly Value[], value: Value): void {
    const parent = this.#objectAt(path.slice(0, -1));
    const key = path.at(-1)!;
    const old = parent.entries.get(keyOf(key))?.node;
    if (old === undefined) parent.entries.set(keyOf(key), { key, node: { type: 'value', value } });
    else if (!equal(finish(old), value)) throw clash();
  }

  /** Gives a path a value where it has none. */
  insertDefault(path: readonly Value[], value: Value): void {
    const parent = this.#objectAt(path.slice(0, -1));
    const key = path.at(-1)!;
    if (!parent.entries.has(keyOf(key))) parent.entries.set(keyOf(key), { key, node: { type: 'value', value } });
  }

  /** Adds a member to the set at a path. */
  add(path: readonly Value[], member: Value): void {
    // The set is at the path where other rules define the object.
    if (path.length === 0) throw clash();
    const parent = this.#objectAt(path.slice(0, -1));
    const key = path.at(-1)!;
    const old = parent.entries.get(keyOf(key))?.node;
    if (old?.type === 'set') old.set.add(member);
    else if (old === undefined)
      parent.entries.set(keyOf(key), { key, node: { type: 'set', set: new RegoSet([member]) } });
    else throw clash();
  }

  get value(): Value {
    return finish(this.#root);
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
