/** The decisions of a client that are made again when something that they read has changed. */
import type { Turn, WatchTurns } from './turns.js';
import { isSameNotification, type Notification, type Watcher, type WatchSource } from './watch-source.js';
import type { Answering } from './watched-path.js';

/** Gets a notification; undefined once the watch has ended. */
type Listener<T> = (next: Notification<T> | undefined) => void;

export class Watch<T, Decided = never> implements Watcher<Answering<Decided, T>, T>, Turn {
  readonly asking: Answering<Decided, T>;
  readonly #source: WatchSource<Answering<Decided, T>, T>;
  readonly #turns: WatchTurns;
  readonly #ended: () => void;
  #hasEnded = false;
  /** The notification before. */
  #seen: Notification<T> | undefined;
  /** Waits for the next notification. */
  #listener: Listener<T> | undefined;
  /** Whether it has a turn, or waits for one. */
  #isTaking = false;

  /** @param ended called once */
  constructor(
    asking: Answering<Decided, T>,
    source: WatchSource<Answering<Decided, T>, T>,
    turns: WatchTurns,
    ended: () => void,
  ) {
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
    this.#advance();
  }

  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#source.leave(this);
    this.#ended();
    this.#notify(undefined);
  }

  /**
   * Calls back with the next answer that differs from the one before, once. Only the latest state
   * is answered: changes without a listener are put together. Thousands of watches wait:
   * this allocates nothing, so that the collector copies little (`npm run -s bench -- watches`).
   */
  ask(listener: Listener<T>): void {
    this.#listener = listener;
    if (this.#hasEnded) this.#notify(undefined);
    else this.#advance();
  }

  /** The next notification. */
  next(): Promise<Notification<T> | undefined> {
    return new Promise((resolve) => this.ask(resolve));
  }

  /** Asks for a turn if a listener waits and there may be another answer. */
  #advance(): void {
    if (this.#listener === undefined || this.#isTaking) return;
    if (this.#source.isCurrent && this.#source.last === this.#seen) return;
    this.#isTaking = true;
    this.#turns.add(this);
  }

  take(): void {
    const source = this.#source;
    if (this.#hasEnded || source.isCurrent) this.#found(source.last);
    else if (source.isUpdating) this.#isTaking = false;
    else void source.update(this).then((next) => this.#found(next));
  }

  /** @param next undefined where it must be asked for again */
  #found(next: Notification<T> | undefined): void {
    this.#isTaking = false;
    if (this.#hasEnded) return;
    const before = this.#seen;
    if (next !== undefined) this.#seen = next;
    if (next === undefined || isSameNotification(before, next, this)) {
      this.#advance();
      return;
    }
    this.#notify(next);
    if ('error' in next && next.isLast) this.end();
  }

  #notify(next: Notification<T> | undefined): void {
    const listener = this.#listener;
    this.#listener = undefined;
    listener?.(next);
  }
}
