/** Tells a client how far a movement has come that takes long. */
import type { DapConnection } from './protocol/connection.js';

/** Milliseconds until a movement is told of, and between two reports. */
const interval = 500;

export class DebugProgress {
  readonly #connection: DapConnection;
  /** How many statements the evaluation has passed. */
  readonly #position: () => number;
  #count = 0;
  #timer: NodeJS.Timeout | undefined;
  /** The movement that the client was told of. */
  #told: string | undefined;

  constructor(connection: DapConnection, position: () => number) {
    this.#connection = connection;
    this.#position = position;
  }

  /** A movement begins. */
  begin(): void {
    const progressId = `evaluation ${++this.#count}`;
    this.#timer = setInterval(() => this.#tell(progressId), interval);
    this.#timer.unref();
  }

  /** The movement is over. */
  end(): void {
    clearInterval(this.#timer);
    if (this.#told === undefined) return;
    this.#connection.event('progressEnd', { progressId: this.#told });
    this.#told = undefined;
  }

  /** Whether a client names the movement of now. */
  is(progressId: string): boolean {
    return this.#told === progressId;
  }

  #tell(progressId: string): void {
    const message = `${this.#position().toLocaleString('en')} statements`;
    if (this.#told !== undefined) {
      this.#connection.event('progressUpdate', { progressId, message });
      return;
    }
    this.#told = progressId;
    this.#connection.event('progressStart', { progressId, title: 'Evaluating', message, cancellable: true });
  }
}
