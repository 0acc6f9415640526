/** A client that is attached to a server: one request after the other is held for it. */
import type { HeldRequest, HoldFilter, RequestHolder } from './host.js';

export class Attachment {
  readonly #holder: RequestHolder;
  readonly #filter: HoldFilter;
  readonly #onHeld: () => void;
  #held: HeldRequest | undefined;
  #stopHolding: (() => void) | undefined;

  /**
   * Begins to hold. Throws a RequestError where the holder refuses.
   * @param onHeld called when a request is held
   */
  constructor(holder: RequestHolder, filter: HoldFilter, onHeld: () => void) {
    this.#holder = holder;
    this.#filter = filter;
    this.#onHeld = onHeld;
    this.#hold();
  }

  get held(): HeldRequest | undefined {
    return this.#held;
  }

  /** Lets the held request go on, and holds the next one. */
  release(): void {
    this.#held?.release();
    this.#held = undefined;
    this.#hold();
  }

  /** No request is held any more. */
  end(): void {
    this.#stopHolding?.();
    this.#held?.release();
    this.#held = undefined;
  }

  #hold(): void {
    this.#stopHolding = this.#holder.hold(this.#filter, (held) => {
      this.#held = held;
      this.#onHeld();
    });
  }
}
