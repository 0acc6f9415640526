/**
 * One connection to an editor: answers its requests, cancels those that it no longer wants, and
 * asks requests of its own. How messages travel is not its matter: a stream, or a worker's port.
 */

import { type CancelToken, errorCodes, RequestError } from '../requests/request.js';
import type { Message, MessageId, Send } from './messages.js';

/** The other side of a connection. */
export interface RpcHandler {
  /** Rejects with a RequestError for a request that cannot be done. */
  answer(method: string, params: unknown, token: CancelToken): Promise<unknown>;
  notified(method: string, params: unknown): void;
}

interface Asked {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

export class RpcConnection {
  readonly #send: Send;
  readonly #handler: RpcHandler;
  readonly #running = new Map<MessageId, { isCancelled: boolean }>();
  readonly #asked = new Map<MessageId, Asked>();
  #lastId = 0;

  constructor(send: Send, handler: (connection: RpcConnection) => RpcHandler) {
    this.#send = send;
    this.#handler = handler(this);
  }

  /** Takes a message of the editor. */
  receive(message: unknown): void {
    if (Array.isArray(message)) {
      for (const each of message) this.receive(each);
      return;
    }
    if (typeof message !== 'object' || message === null)
      return this.#fail(null, errorCodes.invalidRequest, 'a message must be an object');
    const { id, method, params } = message as Message;
    if (typeof method !== 'string') return this.#answered(message as Message);
    if (id !== undefined && id !== null) return void this.#request(id, method, params);
    if (method === '$/cancelRequest') return this.#cancel(params);
    this.#handler.notified(method, params);
  }

  notify(method: string, params: unknown): void {
    this.#send({ jsonrpc: '2.0', method, params });
  }

  /** Asks the editor. Rejects if it answers with an error. */
  request(method: string, params: unknown): Promise<unknown> {
    const id = this.#lastId++;
    return new Promise((resolve, reject) => {
      this.#asked.set(id, { resolve, reject });
      this.#send({ jsonrpc: '2.0', id, method, params });
    });
  }

  async #request(id: MessageId, method: string, params: unknown): Promise<void> {
    const token = { isCancelled: false };
    this.#running.set(id, token);
    try {
      const result = await this.#handler.answer(method, params, token);
      if (token.isCancelled) this.#fail(id, errorCodes.cancelled, 'the request was cancelled');
      else this.#send({ jsonrpc: '2.0', id, result: result ?? null });
    } catch (error) {
      if (error instanceof RequestError) this.#fail(id, error.code, error.message);
      else this.#fail(id, errorCodes.internalError, error instanceof Error ? error.message : String(error));
    } finally {
      this.#running.delete(id);
    }
  }

  #fail(id: MessageId, code: number, message: string): void {
    this.#send({ jsonrpc: '2.0', id, error: { code, message } });
  }

  #cancel(params: unknown): void {
    const { id } = (params ?? {}) as { readonly id?: MessageId };
    const token = id === undefined ? undefined : this.#running.get(id);
    if (token) token.isCancelled = true;
  }

  #answered({ id, result, error }: Message): void {
    if (id === undefined) return;
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    if (error) asked?.reject(new Error(error.message));
    else asked?.resolve(result);
  }
}
