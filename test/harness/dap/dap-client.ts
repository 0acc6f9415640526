/** A client of the debug adapter protocol over streams, for tests: it sends what it is told to. */
import { PassThrough } from 'node:stream';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { AdapterHost } from '../../../cli/dap/host.js';
import { MessageReader } from '../../../cli/dap/protocol/framing.js';
import { serveStreams } from '../../../cli/dap/serve.js';

type Response = DebugProtocol.Response;
type Event = DebugProtocol.Event;

export class DapClient {
  /** All that the adapter sent, in order. */
  readonly received: (Response | Event)[] = [];
  /** Resolves when the adapter closes the connection. */
  readonly closed: Promise<string | undefined>;
  readonly #toAdapter = new PassThrough();
  readonly #waiting = new Set<() => void>();
  #seq = 0;
  #seen = 0;

  constructor(host: AdapterHost) {
    const fromAdapter = new PassThrough();
    const reader = new MessageReader();
    fromAdapter.on('data', (chunk: Buffer) => {
      for (const text of reader.read(chunk)) this.received.push(JSON.parse(text) as Response | Event);
      for (const wake of this.#waiting) wake();
    });
    this.closed = serveStreams(this.#toAdapter, fromAdapter, host);
  }

  /** Bytes as they are. */
  write(bytes: string | Uint8Array): void {
    this.#toAdapter.write(bytes);
  }

  /** Sends a message and gives its number. */
  send(message: object): number {
    const seq = ++this.#seq;
    const text = JSON.stringify({ seq, type: 'request', ...message });
    this.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
    return seq;
  }

  /** The response to a request, successful or not. */
  async ask<T extends Response = Response>(command: string, args?: object): Promise<T> {
    const seq = this.send({ command, ...(args === undefined ? {} : { arguments: args }) });
    return (await this.#until((message) => message.type === 'response' && (message as Response).request_seq === seq)) as T;
  }

  /** The body of a successful response. */
  async get<T = Record<string, unknown>>(command: string, args?: object): Promise<T> {
    const response = await this.ask(command, args);
    if (!response.success) throw new Error(`${command}: ${response.message}`);
    return response.body as T;
  }

  /** The next event of a kind, of those after the last one that was asked for. */
  async event(name: string): Promise<Record<string, unknown>> {
    return ((await this.eventOf(name)).body ?? {}) as Record<string, unknown>;
  }

  /** The next event of some kinds. */
  async eventOf(...names: readonly string[]): Promise<Event> {
    const found = await this.#until(
      (message, i) => i >= this.#seen && message.type === 'event' && names.includes((message as Event).event),
    );
    this.#seen = this.received.indexOf(found) + 1;
    return found as Event;
  }

  end(): void {
    this.#toAdapter.end();
  }

  async #until(fits: (message: Response | Event, index: number) => boolean): Promise<Response | Event> {
    for (;;) {
      const found = this.received.find(fits);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => {
        const wake = () => {
          this.#waiting.delete(wake);
          resolve();
        };
        this.#waiting.add(wake);
      });
    }
  }
}
