import { Composite, countEntries, type Key, keyOf, keyText } from './hash.js';
import { checkMembers, uncheckedSize } from './memory.js';
import type { Value } from './value.js';

/** A set of distinct values. Immutable once it is visible outside of its builder. */
export class RegoSet extends Composite implements Iterable<Value> {
  readonly #keys = new Set<Key>();
  /**
   * The members that differ from their key (exact numbers, composites, strings that start with
   * NUL).
   */
  #others: Map<Key, Value> | undefined;
  /** The cached order of members (see `sortedMembers`); `add` drops it. */
  sorted: readonly Value[] | undefined;

  constructor(members?: Iterable<Value>) {
    super();
    if (members !== undefined) for (const member of members) this.add(member);
  }

  get size(): number {
    return this.#keys.size;
  }

  has(value: Value): boolean {
    return this.#keys.has(keyOf(value));
  }

  /** The member equal to a value, undefined if there is none. */
  get(value: Value): Value | undefined {
    const key = keyOf(value);
    return this.#keys.has(key) ? (this.#others?.get(key) ?? key) : undefined;
  }

  /** Only for the set's builder. */
  add(value: Value): this {
    const keys = this.#keys;
    const key = keyOf(value);
    const { size } = keys;
    if (size >= uncheckedSize && !keys.has(key)) checkMembers(size + 1);
    keys.add(key);
    if (keys.size === size) return this;
    if (key !== value) (this.#others ??= new Map()).set(key, value);
    if (this.sorted !== undefined) this.sorted = undefined;
    return this;
  }

  /** Members in insertion order, as a new array. */
  toArray(): Value[] {
    const others = this.#others;
    if (others === undefined) return [...this.#keys];
    const members: Value[] = [];
    for (const key of this.#keys) members.push(others.get(key) ?? key);
    return members;
  }

  /** Members in insertion order; see `sortedMembers` for the language's order. */
  [Symbol.iterator](): IterableIterator<Value> {
    return this.#others === undefined ? this.#keys.values() : this.toArray().values();
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
