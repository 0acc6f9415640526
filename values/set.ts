import { equal } from './equal.js';
import { Composite, countEntries, type Key, keyOf, keyText } from './hash.js';
import { checkMembers, uncheckedSize } from './memory.js';
import { ExactNumber } from './numbers/number.js';
import { roughHash } from './rough-hash.js';
import type { Value } from './value.js';
import { countWork } from './work.js';

/** The most members that are compared with a value before the value's text is looked up. */
const maxCompared = 8;

/** Levels of a composite member that its place is found by. */
const levels = 2;

/** Units for finding a member. */
const unitsPerMember = 5;

/** The keys of sets without members: many sets of messages get none. */
const noKeys = new Set<Key>();

/** A set of distinct values. Immutable once it is visible outside of its builder. */
export class RegoSet extends Composite implements Iterable<Value> {
  /** The keys of members without a place. */
  #keys = noKeys;
  /**
   * The members that differ from their key (exact numbers, strings that start with NUL,
   * composites).
   */
  #others: Map<Key, Value> | undefined;
  /**
   * Composite members by their place: the number behind their hash that no other member has taken
   * before. Where others have taken `maxCompared` such numbers, a member has a key: the time to
   * find it is bounded also if many members have one hash. No member is ever removed, so an empty
   * place ends a search.
   */
  #places: Map<number, Value> | undefined;
  /** The cached order of members (see `sortedMembers`); `add` drops it. */
  sorted: readonly Value[] | undefined;
  /** The cached list of members, of as many as there were. */
  #listed: readonly Value[] | undefined;

  constructor(members?: Iterable<Value>) {
    super();
    if (members !== undefined) for (const member of members) this.add(member);
  }

  get size(): number {
    const { size } = this.#keys;
    return this.#places === undefined ? size : size + this.#places.size;
  }

  has(value: Value): boolean {
    if (typeof value === 'string' && value.charCodeAt(0) !== 0) return this.#keys.has(value);
    return this.get(value) !== undefined;
  }

  /** The member equal to a value, undefined if there is none. */
  get(value: Value): Value | undefined {
    if (isComposite(value)) {
      const place = this.#placeOf(value);
      if (place !== undefined) return this.#places?.get(place);
    }
    const key = keyOf(value);
    return this.#keys.has(key) ? (this.#others?.get(key) ?? key) : undefined;
  }

  /** Adds a member, for the set's builder alone. */
  add(value: Value): this {
    if (this.#keys === noKeys) this.#keys = new Set();
    const keys = this.#keys;
    const { size } = keys;
    if (typeof value === 'string' && size < uncheckedSize && value.charCodeAt(0) !== 0) {
      keys.add(value);
      if (this.sorted !== undefined && keys.size !== size) this.sorted = undefined;
      return this;
    }
    if (isComposite(value) && this.#addComposite(value)) return this;
    const key = keyOf(value);
    if (size >= uncheckedSize && !keys.has(key)) checkMembers(this.size + 1);
    keys.add(key);
    if (keys.size === size) return this;
    if (key !== value) (this.#others ??= new Map()).set(key, value);
    if (this.sorted !== undefined) this.sorted = undefined;
    return this;
  }

  /** False if the value has no place. */
  #addComposite(value: Value): boolean {
    const place = this.#placeOf(value);
    if (place === undefined) return false;
    const places = (this.#places ??= new Map());
    if (places.has(place)) return true;
    checkMembers(this.size + 1);
    places.set(place, value);
    this.sorted = undefined;
    return true;
  }

  /** The place of the member equal to a composite value, or an empty one. */
  #placeOf(value: Value): number | undefined {
    const hash = roughHash(value, levels);
    for (let i = 0; i < maxCompared; i++) {
      const place = (hash + i) | 0;
      const member = this.#places?.get(place);
      if (member === undefined || equal(member, value)) return place;
    }
    return undefined;
  }

  /** The members in no particular order: a list that is used again, until there are more. */
  get members(): readonly Value[] {
    if (this.#listed?.length !== this.size) this.#listed = this.toArray();
    return this.#listed!;
  }

  /** The members in no particular order, as a new array; `sortedMembers` has the language's. */
  toArray(): Value[] {
    const [others, places] = [this.#others, this.#places];
    const members: Value[] =
      others === undefined ? [...this.#keys] : Array.from(this.#keys, (key) => others.get(key) ?? key);
    if (places !== undefined) for (const member of places.values()) members.push(member);
    return members;
  }

  /** The members in no particular order. */
  [Symbol.iterator](): IterableIterator<Value> {
    return this.#others === undefined && this.#places === undefined ? this.#keys.values() : this.toArray().values();
  }

  roughHash(): number {
    return this.size;
  }

  equals(other: Value): boolean {
    if (!(other instanceof RegoSet) || other.size !== this.size) return false;
    for (const member of this) {
      countWork(unitsPerMember);
      if (!other.has(member)) return false;
    }
    return true;
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

/** Whether a value is a collection: others are found by a key that takes no time to make. */
export function isComposite(value: Value): boolean {
  return typeof value === 'object' && value !== null && !(value instanceof ExactNumber);
}
