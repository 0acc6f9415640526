/** The decisions of a client that are made again when something that they read has changed. */
import type { Turns } from './turns.js';
import { isSameNotification, type Notification, type Watcher, type WatchSource } from './watch-source.js';
import type { Answering } from './watched-path.js';

export class Watch<T, Decided = never> implements Watcher<Answering<Decided, T>, T> {
  readonly asking: Answering<Decided, T>;
  readonly #source: WatchSource<Answering<Decided, T>, T>;
  readonly #turns: Turns;
  readonly #ended: () => void;
  #hasEnded = false;
  /** The notification before. */
  #seen: Notification<T> | undefined;
  #wake: (() => void) | undefined;

  /** @param ended called once */
  constructor(asking: Answering<Decided, T>, source: WatchSource<Answering<Decided, T>, T>, turns: Turns, ended: () => void) {
    this.asking = asking;
    this.#source = source;
    this.#turns = turns;
    this.#ended = ended;
    source.join(this);
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  get isSame(): Answering<Decided, T>['isSame'] {
    return this.asking.isSame;
  }

  wake(): void {
    this.#wake?.();
  }

  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#source.leave(this);
    this.#ended();
    this.wake();
  }

  /**
   * The next answer that differs from the one before; undefined once the watch has ended. Only
   * the latest state is answered: changes that come while nobody asks are put together.
   */
  async next(): Promise<Notification<T> | undefined> {
    while (!this.#hasEnded) {
      if (this.#source.isCurrent && this.#source.last === this.#seen) {
        await this.#change();
        continue;
      }
      const found = await this.#turns.take(() => this.#read());
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Resolves at the next change. */
  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = undefined;
        resolve();
      };
    });
  }

  /** Undefined where the answer is that of before. */
  async #read(): Promise<Notification<T> | undefined> {
    if (this.#hasEnded) return undefined;
    const next = await this.#source.read(this);
    if (this.#hasEnded || next === undefined) return undefined;
    const before = this.#seen;
    this.#seen = next;
    if ('error' in next && next.isLast) this.end();
    return isSameNotification(before, next, this) ? undefined : next;
  }
}
