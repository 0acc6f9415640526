import { Composite, countEntries, type Key, keyOf, keyText } from './hash.js';
import { checkMembers } from './memory.js';
import type { Value } from './value.js';

/** A set: no two members are equal. Immutable once it is visible outside of what built it. */
export class RegoSet extends Composite implements Iterable<Value> {
  readonly #members = new Map<Key, Value>();
  /** Members in the language's order, once someone asked (see `sortedMembers`); `add` forgets it. */
  sorted: readonly Value[] | undefined;

  constructor(members?: Iterable<Value>) {
    super();
    if (members !== undefined) for (const member of members) this.add(member);
  }

  get size(): number {
    return this.#members.size;
  }

  has(value: Value): boolean {
    return this.#members.has(keyOf(value));
  }

  /** The member equal to a value, undefined if there is none. */
  get(value: Value): Value | undefined {
    return this.#members.get(keyOf(value));
  }

  /** Only for whoever builds the set. */
  add(value: Value): this {
    const key = keyOf(value);
    if (!this.#members.has(key)) {
      checkMembers(this.#members.size + 1);
      this.#members.set(key, value);
      this.sorted = undefined;
    }
    return this;
  }

  /** Members in the order they came; see `sortedMembers` for the language's. */
  [Symbol.iterator](): IterableIterator<Value> {
    return this.#members.values();
  }

  keyText(): string {
    const texts: string[] = [];
    for (const member of this) texts.push(keyText(member));
    countEntries(texts.length);
    return `<${texts.sort().join()}>`;
  }

  /** For hosts that serialise a value themselves; `values/json.ts` sorts. */
  toJSON(): Value[] {
    return [...this];
  }
}
