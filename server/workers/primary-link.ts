/** The channel of a worker to the primary process. */
import type { Socket } from 'node:net';
import type { Losses } from '../services/decision-log/losses.js';
import { StorageError } from '../storage/storage-error.js';
import type { ForwardedAnswer, ForwardedRequest, Head, ToPrimary, ToWorker } from './messages.js';

/** The messages that the link does not answer itself. */
export type ToWorkerAlone = Exclude<ToWorker, { kind: 'answer' | 'head' }>;

/** Bytes of events that wait for the channel. Beyond this, events are dropped and counted. */
const mostWaitingBytes = 64 * 1024 * 1024;

/** The part of a process with a channel. */
interface Channel {
  send?(message: unknown, handle: undefined, options: object, callback: (error: Error | null) => void): boolean;
  on(event: 'message', listener: (message: unknown, socket: unknown) => void): unknown;
}

export class PrimaryLink {
  readonly #channel: Channel;
  readonly #answers = new Map<number, (answer: ForwardedAnswer) => void>();
  readonly #heads = new Map<number, (head: Head) => void>();
  #count = 0;
  #events: string[] = [];
  #eventBytes = 0;
  #waitingBytes = 0;
  #sending: Promise<void> = Promise.resolve();
  /** Counts of events that were lost here. */
  losses: Losses | undefined;

  /** @param receive gets all messages but answers */
  constructor(channel: Channel, receive: (message: ToWorkerAlone, socket: Socket | undefined) => void) {
    this.#channel = channel;
    channel.on('message', (sent, socket) => {
      const message = sent as ToWorker;
      if (message.kind === 'answer') {
        this.#answers.get(message.id)?.(message.answer);
        this.#answers.delete(message.id);
      } else if (message.kind === 'head') {
        this.#heads.get(message.id)?.(message.head);
        this.#heads.delete(message.id);
      } else receive(message, socket as Socket | undefined);
    });
  }

  /** Resolves when the message is on its way. */
  send(message: ToPrimary): Promise<void> {
    return new Promise((resolve) => {
      this.#channel.send?.(message, undefined, {}, () => resolve());
    });
  }

  /** The primary's answer to a request. */
  async ask(request: ForwardedRequest): Promise<ForwardedAnswer> {
    const id = ++this.#count;
    const answered = new Promise<ForwardedAnswer>((resolve) => this.#answers.set(id, resolve));
    await this.send({ kind: 'request', id, request });
    return await answered;
  }

  /** The revision of the last write. Rejects with a StorageError. */
  async head(): Promise<number> {
    const id = ++this.#count;
    const answered = new Promise<Head>((resolve) => this.#heads.set(id, resolve));
    await this.send({ kind: 'head', id });
    const head = await answered;
    if ('problem' in head) throw new StorageError('storage_unavailable', head.problem);
    return head.revision;
  }

  /**
   * Sends an event, with those of other decisions that are made together. It is on its way before
   * the decision is answered: requests are decided together, then answered, and all microtasks of
   * one step come before those of the next.
   */
  log(event: string): void {
    if (this.#waitingBytes + this.#eventBytes > mostWaitingBytes) {
      this.losses?.add('bufferBytes');
      return;
    }
    this.#eventBytes += event.length;
    if (this.#events.push(event) === 1) queueMicrotask(() => this.#sendEvents());
  }

  #sendEvents(): void {
    const events = this.#events;
    const bytes = this.#eventBytes;
    this.#events = [];
    this.#eventBytes = 0;
    this.#waitingBytes += bytes;
    const sent = this.send({ kind: 'events', events, losses: this.losses?.take() ?? [] }).then(() => {
      this.#waitingBytes -= bytes;
    });
    this.#sending = Promise.all([this.#sending, sent]).then(() => undefined);
  }

  /** Resolves when all events are on their way. */
  async flushed(): Promise<void> {
    if (this.#events.length > 0 || this.losses !== undefined) this.#sendEvents();
    await this.#sending;
  }
}
