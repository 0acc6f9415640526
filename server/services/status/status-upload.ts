/** Sends the status to a service whenever it has changed. Only the newest one counts. */
import { deepJson } from '../../../values/index.js';
import { backoffMs } from '../clients/backoff.js';
import { ServiceError } from '../clients/request.js';
import type { Services } from '../clients/services.js';
import type { LogLineFields, PluginLogger } from '../plugin.js';
import type { StatusTarget } from './status-config.js';

interface UploadContext {
  readonly services: Services;
  readonly logger: PluginLogger;
  readonly snapshot: () => LogLineFields;
}

/** The longest pause between attempts. */
const maxRetryMs = 60_000;

export class StatusUpload {
  readonly #context: UploadContext;
  #target: StatusTarget;
  #isDue = false;
  #sending: Promise<void> | undefined;
  #failures = 0;
  #retryAfterMs = 0;
  #retry: NodeJS.Timeout | undefined;
  #abort = new AbortController();

  constructor(target: StatusTarget, context: UploadContext) {
    this.#target = target;
    this.#context = context;
  }

  reconfigure(target: StatusTarget): void {
    this.#target = target;
  }

  /** Sends the status, unless triggers alone do. */
  changed(): void {
    if (this.#target.trigger === 'manual') return;
    this.#isDue = true;
    // After a failure the timer decides.
    if (this.#retry === undefined) void this.#send();
  }

  /** Sends the status now. Never rejects. */
  async trigger(): Promise<void> {
    this.#isDue = true;
    await this.#send();
  }

  async stop(): Promise<void> {
    this.#isDue = false;
    clearTimeout(this.#retry);
    this.#retry = undefined;
    this.#abort.abort();
    await this.#sending;
    this.#abort = new AbortController();
  }

  #send(): Promise<void> {
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
    return this.#sending;
  }

  /** A status that changes meanwhile is sent as well. */
  async #sendAll(): Promise<void> {
    while (this.#isDue) {
      // Changes of one turn make one update.
      await new Promise((resolve) => setImmediate(resolve));
      this.#isDue = false;
      if (await this.#sendOne()) continue;
      this.#retryLater();
      return;
    }
  }

  async #sendOne(): Promise<boolean> {
    const { services, logger, snapshot } = this.#context;
    const { service, resource } = this.#target;
    const { signal } = this.#abort;
    try {
      const body = deepJson(snapshot());
      const headers = { 'content-type': 'application/json' };
      await services.client(service).requestOk({ method: 'POST', path: resource, headers, body, signal });
      this.#failures = 0;
    } catch (error) {
      if (signal.aborted) return true;
      this.#failures++;
      this.#retryAfterMs = error instanceof ServiceError ? error.retryAfterMs : 0;
      logger.error(`Status update failed: ${(error as Error).message}.`, { plugin: 'status' });
      return false;
    }
    return true;
  }

  #retryLater(): void {
    clearTimeout(this.#retry);
    this.#retry = setTimeout(
      () => {
        this.#retry = undefined;
        this.#isDue = true;
        void this.#send();
      },
      Math.max(this.#retryAfterMs, backoffMs(this.#failures, { maxMs: maxRetryMs })),
    );
    this.#retry.unref();
  }
}
