/** Decisions that are asked for at the same time, in one request of OPA's batch API. */
import type { RemoteConnection } from './remote-connection.js';
import { type Asked, askAlone, readDecision, refused } from './remote-decision.js';
import { RemoteError } from './remote-error.js';

/** Decisions in a request. */
const maxBatch = 100;

interface Waiting {
  readonly input: unknown;
  resolve(asked: Asked): void;
  reject(error: unknown): void;
}

/** The decisions of one path. */
export class BatchedRequests {
  readonly #connection: RemoteConnection;
  readonly #path: string;
  /** Whether the server has no batch API. */
  #isRefused = false;
  #waiting: Waiting[] = [];

  constructor(connection: RemoteConnection, path: string) {
    this.#connection = connection;
    this.#path = path;
  }

  /** All that is asked for in one turn of the event loop goes together. */
  readonly ask = (input: unknown): Promise<Asked> =>
    new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) setTimeout(() => this.#sendAll());
      this.#waiting.push({ input, resolve, reject });
    });

  #sendAll(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (let i = 0; i < waiting.length; i += maxBatch) void this.#send(waiting.slice(i, i + maxBatch));
  }

  async #send(batch: readonly Waiting[]): Promise<void> {
    const isAlone = batch.length === 1 || this.#isRefused;
    if (isAlone || !(await this.#sendTogether(batch))) for (const one of batch) void this.#sendAlone(one);
  }

  async #sendAlone({ input, resolve, reject }: Waiting): Promise<void> {
    await askAlone(this.#connection, this.#path, input).then(resolve, reject);
  }

  /** Whether the server has the batch API. */
  async #sendTogether(batch: readonly Waiting[]): Promise<boolean> {
    const inputs = Object.fromEntries(batch.map(({ input }, i) => [String(i), input]));
    try {
      const { status, body } = await this.#connection.post(`v1/batch/data/${this.#path}`, { inputs });
      const { responses } = (body ?? {}) as { readonly responses?: unknown };
      if (typeof responses !== 'object' || responses === null) {
        this.#isRefused = status === 404 || status === 405;
        if (this.#isRefused) return false;
        throw status === 200
          ? new RemoteError('remote_response', `${this.#connection.origin} answered no decisions`)
          : refused(this.#connection, status, body);
      }
      for (const [i, one] of batch.entries())
        this.#settle(one, status, (responses as Readonly<Record<string, unknown>>)[i]);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    return true;
  }

  /** In a batch where some failed, status 207, each has its own status. */
  #settle({ resolve, reject }: Waiting, batchStatus: number, response: unknown): void {
    const { code, http_status_code: own } = (response ?? {}) as {
      readonly code?: unknown;
      readonly http_status_code?: unknown;
    };
    const status = batchStatus === 207 ? Number(own ?? 500) : batchStatus;
    try {
      if (code !== undefined || status !== 200) throw refused(this.#connection, status, response);
      resolve(readDecision(response));
    } catch (error) {
      reject(error);
    }
  }
}
