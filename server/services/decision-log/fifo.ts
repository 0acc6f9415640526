/** A queue whose head is taken in constant time, however long it is. */
export class Fifo<Item> {
  #items: Item[] = [];
  #head = 0;

  get length(): number {
    return this.#items.length - this.#head;
  }

  push(item: Item): void {
    this.#items.push(item);
  }

  /** The oldest item, which is taken out. */
  shift(): Item | undefined {
    if (this.length === 0) return undefined;
    const item = this.#items[this.#head]!;
    this.#items[this.#head++] = undefined as Item;
    // Half of the items are moved after as many were taken, so each is moved once on average.
    if (this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }

  /** Puts items in front, in their order. */
  unshift(items: readonly Item[]): void {
    this.#items = [...items, ...this.takeAll()];
  }

  /** All items, which are taken out. */
  takeAll(): readonly Item[] {
    const all = this.#items.slice(this.#head);
    this.#items = [];
    this.#head = 0;
    return all;
  }
}
