/** The built command as a language server, over its streams. */

import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { framed, MessageReader } from '../../../cli/dap/protocol/framing.js';
import type { Message } from '../../../views/language/connection/messages.js';

const writ = join(import.meta.dirname, '../../../bin/writ');

export class ServerProcess {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (message: Message) => void>();
  readonly #heard = new Set<(message: Message) => boolean>();
  #lastId = 0;
  /** Milliseconds from the start of the process to the answer of `initialize`. */
  initializeMs = 0;

  private constructor(args: readonly string[]) {
    const reader = new MessageReader();
    this.#child = spawn(writ, [...args], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#child.stdout!.on('data', (chunk: Buffer) => {
      for (const text of reader.read(chunk)) this.#receive(JSON.parse(text) as Message);
    });
  }

  /** Starts a server over a folder, and waits until it has read the files. */
  static async start(folder: string, args: readonly string[] = ['language-server']): Promise<ServerProcess> {
    const started = performance.now();
    const server = new ServerProcess(args);
    await server.ask('initialize', { rootUri: `file://${folder}`, capabilities: {} });
    server.initializeMs = performance.now() - started;
    server.tell('initialized', {});
    return server;
  }

  get pid(): number {
    return this.#child.pid!;
  }

  ask<Result>(method: string, params: unknown): Promise<Result> {
    const id = ++this.#lastId;
    this.#send({ id, method, params });
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, ({ result, error }) => (error ? reject(new Error(error.message)) : resolve(result as Result)));
    });
  }

  tell(method: string, params: unknown): void {
    this.#send({ method, params });
  }

  /** Waits for a message. */
  heard(isMeant: (message: Message) => boolean): Promise<Message> {
    return new Promise((resolve) => {
      const hear = (message: Message): boolean => {
        if (!isMeant(message)) return false;
        resolve(message);
        return true;
      };
      this.#heard.add(hear);
    });
  }

  /** Asks the server to end, and answers the exit code. */
  async end(): Promise<number | null> {
    const code = new Promise<number | null>((resolve) => this.#child.once('exit', resolve));
    await this.ask('shutdown', null);
    this.tell('exit', null);
    return await code;
  }

  #send(message: Message): void {
    this.#child.stdin!.write(framed({ jsonrpc: '2.0', ...message }));
  }

  #receive(message: Message): void {
    for (const hear of this.#heard) if (hear(message)) this.#heard.delete(hear);
    if (message.method !== undefined) {
      if (message.id !== undefined) this.#send({ id: message.id, result: null });
      return;
    }
    this.#waiting.get(message.id as number)?.(message);
    this.#waiting.delete(message.id as number);
  }
}
