/**
 * A connection to one client: reads requests, has them answered, and writes responses and events.
 * Every request gets one response. Requests are answered in their order; urgent ones at once.
 */
import type { Readable, Writable } from 'node:stream';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { DebugError } from '../../../views/index.js';
import { ArgumentError, RequestArguments } from './arguments.js';
import { FramingError, framed, MessageReader } from './framing.js';

/** The answer of a request. */
export interface Reply {
  readonly body?: object | undefined;
  /** Called once the response is written: events that the request causes come after it. */
  readonly after?: () => void;
}

export interface DapHandler {
  /** Whether a request is answered before requests that came earlier. */
  isUrgent(command: string): boolean;
  /** Rejects with an ArgumentError if the request cannot be done. */
  answer(command: string, args: RequestArguments): Promise<Reply>;
  /** The client is gone: no response is written any more. */
  close(): void;
}

/** Requests that wait for their turn; more are not read before some are answered. */
const mostWaiting = 1000;

/** Bytes that the client has not read; requests are not read while there are more. */
const mostUnread = 8 * 1024 * 1024;

/** Milliseconds for the last bytes to be sent. */
const lastWriteMs = 1000;

interface Request {
  readonly seq: number;
  readonly command: string;
  readonly args: unknown;
}

export class DapConnection {
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #handler: DapHandler;
  readonly #reader = new MessageReader();
  readonly #waiting: Request[] = [];
  readonly #closed = Promise.withResolvers<string | undefined>();
  /** The request that is being answered, of those that wait for their turn. */
  #current: Request | undefined;
  #isAnswering = false;
  #dropped = 0;
  #isClosed = false;
  #seq = 0;

  constructor(input: Readable, output: Writable, handler: (connection: DapConnection) => DapHandler) {
    this.#input = input;
    this.#output = output;
    this.#handler = handler(this);
    input.on('data', (chunk: Buffer) => this.#receive(chunk));
    for (const end of ['end', 'close', 'error'] as const) input.on(end, () => this.close());
    output.on('error', () => this.close());
    output.on('drain', () => this.#readOn());
  }

  /** Resolves when the connection ends; with a sentence where the client's bytes are the reason. */
  get closed(): Promise<string | undefined> {
    return this.#closed.promise;
  }

  event(event: string, body?: object): void {
    this.#write({ type: 'event', event, ...(body === undefined ? {} : { body }) });
  }

  /** Shows a text in the client's console; texts are dropped while it reads too slowly. */
  output(body: DebugProtocol.OutputEvent['body']): void {
    if (this.#output.writableLength > mostUnread) {
      this.#dropped++;
      return;
    }
    if (this.#dropped > 0)
      this.event('output', { category: 'important', output: `(${this.#dropped} outputs were left out)\n` });
    this.#dropped = 0;
    this.event('output', body);
  }

  /** Ends a request that waits or is being answered; the client gets its response now. */
  cancel(seq: number): void {
    const waiting = this.#waiting.findIndex((request) => request.seq === seq);
    const found =
      waiting >= 0 ? this.#waiting.splice(waiting, 1)[0] : this.#current?.seq === seq ? this.#current : undefined;
    if (found === undefined) return;
    if (found === this.#current) this.#current = undefined;
    this.#refuse(found, 'cancelled');
  }

  close(reason?: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#waiting.length = 0;
    this.#input.pause();
    this.#handler.close();
    this.#output.end();
    // A client that reads no more must not keep the connection.
    setTimeout(() => {
      this.#input.destroy();
      this.#output.destroy();
    }, lastWriteMs).unref();
    this.#closed.resolve(reason);
  }

  #receive(chunk: Buffer): void {
    if (this.#isClosed) return;
    try {
      for (const text of this.#reader.read(chunk)) this.#take(text);
    } catch (error) {
      if (!(error instanceof FramingError)) throw error;
      this.close(error.message);
    }
  }

  #take(text: string): void {
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      return this.#complain('a message that is not JSON was skipped');
    }
    if (typeof message !== 'object' || message === null)
      return this.#complain('a message that is no object was skipped');
    const { type, seq, command, arguments: args } = message as Record<string, unknown>;
    // The adapter sends no requests, so it expects no responses.
    if (type === 'response' || type === 'event') return;
    const request: Request = {
      seq: Number.isSafeInteger(seq) ? (seq as number) : 0,
      command: typeof command === 'string' ? command : '',
      args,
    };
    if (this.#handler.isUrgent(request.command)) return void this.#answer(request, () => true);
    this.#waiting.push(request);
    if (this.#waiting.length >= mostWaiting) this.#input.pause();
    void this.#answerAll();
  }

  /** Tells a person who looks at the client's console. */
  #complain(output: string): void {
    this.output({ category: 'console', output: `writ: ${output}\n` });
  }

  async #answerAll(): Promise<void> {
    if (this.#isAnswering) return;
    this.#isAnswering = true;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      this.#current = next;
      await this.#answer(next, () => this.#current === next);
      this.#current = undefined;
      this.#readOn();
    }
    this.#isAnswering = false;
  }

  /** @param isWanted false once the client has cancelled the request, and got its response */
  async #answer(request: Request, isWanted: () => boolean): Promise<void> {
    const { seq, command, args } = request;
    try {
      const { body, after } = await this.#handler.answer(command, new RequestArguments(args, command));
      if (!isWanted() || this.#isClosed) return;
      this.#write({
        type: 'response',
        request_seq: seq,
        command,
        success: true,
        ...(body === undefined ? {} : { body }),
      });
      after?.();
    } catch (error) {
      // A fault of our own says so, and the session goes on.
      const { message } = error as Error;
      const isExpected = error instanceof ArgumentError || error instanceof DebugError;
      if (isWanted()) this.#refuse(request, isExpected ? message : `internal error: ${message}`);
    }
  }

  #refuse({ seq, command }: Request, reason: string): void {
    const error: DebugProtocol.Message = {
      id: 1,
      format: '{reason}',
      variables: { reason },
      showUser: reason !== 'cancelled',
    };
    this.#write({ type: 'response', request_seq: seq, command, success: false, message: reason, body: { error } });
  }

  #write(message: object): void {
    if (this.#isClosed) return;
    this.#output.write(framed({ seq: ++this.#seq, ...message }));
    if (this.#output.writableLength > mostUnread) this.#input.pause();
  }

  #readOn(): void {
    const mayRead = this.#waiting.length < mostWaiting / 2 && this.#output.writableLength <= mostUnread / 2;
    if (!this.#isClosed && mayRead && this.#input.isPaused()) this.#input.resume();
  }
}
