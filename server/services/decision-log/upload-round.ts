/** One round of uploads: the waiting chunks, then the chunks that the service has refused. */
import { ServiceError } from '../clients/request.js';
import type { EventBuffer } from './event-buffer.js';
import type { Upload } from './upload.js';

type Send = (upload: Upload) => Promise<void>;

/** Refusals in a row after which the service probably refuses everything. */
const mostRefusals = 3;

/** Statuses in the range of 400 that do not depend on the events: another time may help. */
const unrelatedToEvents: ReadonlySet<number> = new Set([401, 404, 405, 407, 408, 410, 421, 425, 429]);

/** Sends chunks one after the other until the service fails. Nothing is lost by a failure. */
export class UploadRound {
  readonly #buffer: EventBuffer;
  readonly #send: Send;
  #refusals = 0;
  #hasFailed = false;
  /** The last failure; undefined where all was sent. */
  error: Error | undefined;
  /** The number of chunks that were sent. */
  sent = 0;

  constructor(buffer: EventBuffer, send: Send) {
    this.#buffer = buffer;
    this.#send = send;
  }

  /** Whether the round ended before its last chunk. */
  get isCutShort(): boolean {
    return this.#hasFailed || this.#refusals >= mostRefusals;
  }

  /**
   * Runs the round. Never rejects for a failure of the service.
   * @param isDue whether events that fill no chunk are sent too, and refused chunks again
   */
  async run(isDue: boolean): Promise<this> {
    const refused = isDue ? this.#buffer.takeAside() : [];
    if (isDue) await this.#buffer.flush();
    while (!this.isCutShort) {
      const uploads = await this.#buffer.take();
      if (uploads.length === 0) break;
      await this.#sendWaiting(uploads);
    }
    await this.#sendRefused(refused);
    return this;
  }

  async #sendWaiting(uploads: readonly Upload[]): Promise<void> {
    for (const [i, upload] of uploads.entries()) {
      const status = this.isCutShort ? 'failed' : await this.#attempt(upload);
      if (status === 'failed') {
        this.#buffer.giveBack(uploads.slice(i));
        return;
      }
      if (status === 'too large') {
        this.#buffer.giveBack(uploads.slice(i + 1));
        await this.#buffer.split(upload);
        return;
      }
      if (status === 'refused') this.#buffer.setAside(upload);
    }
  }

  async #sendRefused(uploads: readonly Upload[]): Promise<void> {
    for (const upload of uploads) {
      const status = this.isCutShort ? 'failed' : await this.#attempt(upload);
      if (status === 'too large') await this.#buffer.split(upload);
      else if (status !== 'sent') this.#buffer.setAside(upload);
    }
  }

  async #attempt(upload: Upload): Promise<'sent' | 'refused' | 'too large' | 'failed'> {
    try {
      await this.#send(upload);
    } catch (error) {
      const status = error instanceof ServiceError ? (error.status ?? 0) : 0;
      if (status === 413) return 'too large';
      this.error = error as Error;
      if (status >= 400 && status <= 499 && !unrelatedToEvents.has(status)) {
        this.#refusals++;
        return 'refused';
      }
      this.#hasFailed = true;
      return 'failed';
    }
    this.sent++;
    this.#refusals = 0;
    this.#buffer.sent(upload);
    return 'sent';
  }
}
