import { Composite, countEntries, type Key, keyOf, keyText } from './hash.js';
import { checkMembers } from './memory.js';
import type { Value } from './value.js';

/** A set of distinct values. Immutable once it is visible outside of its builder. */
export class RegoSet extends Composite implements Iterable<Value> {
  readonly #members = new Map<Key, Value>();
  /** The cached order of members (see `sortedMembers`); `add` drops it. */
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

  /** Only for the set's builder. */
  add(value: Value): this {
    const key = keyOf(value);
    const members = this.#members;
    if (members.has(key)) return this;
    checkMembers(members.size + 1);
    members.set(key, value);
    if (this.sorted !== undefined) this.sorted = undefined;
    return this;
  }

  /** Members in insertion order, as a new array. */
  toArray(): Value[] {
    return [...this.#members.values()];
  }

  /** Members in insertion order; see `sortedMembers` for the language's order. */
  [Symbol.iterator](): IterableIterator<Value> {
    return this.#members.values();
  }

  keyText(): string {
    const texts: string[] = [];
    for (const member of this) texts.push(keyText(member));
    countEntries(texts.length);
    return `<${texts.sort().join()}>`;
  }

  /** For hosts that serialise values themselves; unlike `toJson`, it does not sort. */
  toJSON(): Value[] {
    return [...this];
  }
}
