/** A client that is attached to a server: one request after the other is held for it. */
import type { HeldRequest, HoldFilter, RequestHolder } from './host.js';

export class DebugAttachment {
  #held: HeldRequest | undefined;
  #stopHolding: (() => void) | undefined;
  #isOver = false;

  /** The request that is held now. */
  get held(): HeldRequest | undefined {
    return this.#held;
  }

  /**
   * Begins to hold. Rejects with an ArgumentError where the holder refuses.
   * @param onHeld called when a request is held
   */
  async begin(holder: RequestHolder, filter: HoldFilter, onHeld: () => void): Promise<void> {
    this.#stopHolding = await holder.hold(filter, (held) => {
      this.#held = held;
      onHeld();
    });
    if (this.#isOver) this.#stopHolding();
  }

  /** Lets the held request go on, so that the next one is held. */
  release(): void {
    const held = this.#held;
    this.#held = undefined;
    held?.release();
  }

  /** No request is held any more. */
  end(): void {
    this.#isOver = true;
    this.release();
    this.#stopHolding?.();
  }
}
