/** Sends events to a service: at intervals, once they fill a chunk, or when it is triggered. */

import { type PlainObject, parseJson, timerMs, toJson } from '../../../values/index.js';
import { backoffMs } from '../clients/backoff.js';
import { ServiceError } from '../clients/request.js';
import type { Services } from '../clients/services.js';
import type { PluginLogger } from '../plugin.js';
import { ChunkEncoder } from './chunk-encoder.js';
import { CountBuffer } from './count-buffer.js';
import type { ReportingConfig, UploadConfig } from './decision-log-config.js';
import type { EventBuffer } from './event-buffer.js';
import type { Losses } from './losses.js';
import { RateLimit } from './rate-limit.js';
import { SizeBuffer } from './size-buffer.js';
import type { Upload } from './upload.js';
import { UploadRound } from './upload-round.js';

interface UploaderContext {
  readonly services: Services;
  readonly logger: PluginLogger;
  readonly losses: Losses;
  /** Called after the first round, and each in which something was sent, or failed to be. */
  readonly onUpload: () => void;
}

/** The shortest pause between two uploads. */
const minPauseMs = 100;

/** Milliseconds for the first pause after a failure. */
const retryMs = 100;

/** Milliseconds that the end of the process waits for the service. */
const lastUploadMs = 10_000;

export class Uploader {
  readonly #context: UploaderContext;
  #config: UploadConfig;
  #buffer: EventBuffer;
  #rate: RateLimit | undefined;
  #timer: NodeJS.Timeout | undefined;
  #uploading: Promise<void> | undefined;
  #failures = 0;
  /** Whether the last upload ended before all chunks were tried. */
  #isBlocked = false;
  #error: ServiceError | undefined;
  /** Whether a round of uploads is over, with events to send or without. */
  #hasTried = false;
  #isStarted = false;
  /** Whether a chunk became full while others were being sent. */
  #isFull = false;
  #abort = new AbortController();

  constructor(config: UploadConfig, context: UploaderContext) {
    this.#context = context;
    this.#config = config;
    this.#buffer = this.#newBuffer();
    this.#rate = rateLimit(config.reporting);
  }

  start(): void {
    this.#isStarted = true;
    this.#schedule();
  }

  /** Events of a buffer of another kind or size are sent before. */
  async reconfigure(config: UploadConfig): Promise<void> {
    const before = this.#config.reporting;
    this.#config = config;
    this.#rate = rateLimit(config.reporting);
    if (!sameBuffer(before, config.reporting)) {
      const old = this.#buffer;
      this.#buffer = this.#newBuffer();
      await this.#uploading;
      await this.#sendLast(old);
    }
    this.#schedule();
  }

  /** Sends the waiting events once more, and ends. */
  async stop(): Promise<void> {
    this.#isStarted = false;
    clearTimeout(this.#timer);
    const until = setTimeout(() => this.#abort.abort(), lastUploadMs);
    await this.#uploading;
    await this.#sendLast(this.#buffer);
    clearTimeout(until);
    this.#abort = new AbortController();
  }

  /** Adds an event as JSON. */
  add(text: string): void {
    if (this.#rate?.allows() === false) this.#context.losses.add('rate');
    else this.#buffer.add(text);
  }

  /** Sends all events now. Never rejects. */
  async trigger(): Promise<void> {
    // The end of an upload may begin another.
    while (this.#uploading !== undefined) await this.#uploading;
    await this.#start(true);
  }

  /**
   * Starts a round of uploads, unless one is running.
   * @param isDue whether events that fill no chunk are sent too
   */
  #start(isDue: boolean): Promise<void> {
    this.#uploading ??= this.#upload(isDue).finally(() => {
      this.#uploading = undefined;
      this.#schedule();
      if (this.#isFull) this.#full();
    });
    return this.#uploading;
  }

  /**
   * The last failure, as status shows it; empty where sending works, undefined before the first
   * try.
   */
  get status(): PlainObject | undefined {
    const error = this.#error;
    if (error === undefined) return this.#hasTried ? {} : undefined;
    return {
      code: 'decision_log_error',
      message: error.message,
      ...(error.status !== undefined && { http_code: error.status }),
    };
  }

  async #upload(isDue: boolean): Promise<void> {
    const { error, sent, isCutShort } = await this.#round(this.#buffer, isDue);
    this.#isBlocked = isCutShort;
    this.#failures = error === undefined || (sent > 0 && !isCutShort) ? 0 : this.#failures + 1;
    this.#error = error === undefined || error instanceof ServiceError ? error : new ServiceError(error.message);
    if (error !== undefined) this.#context.logger.error(`Log upload failed: ${error.message}.`);
    const isFirst = !this.#hasTried;
    this.#hasTried = true;
    if (isFirst || error !== undefined || sent > 0) this.#context.onUpload();
  }

  #round(buffer: EventBuffer, isDue: boolean): Promise<UploadRound> {
    return new UploadRound(buffer, (upload) => this.#send(upload)).run(isDue);
  }

  async #send({ bytes }: Upload): Promise<void> {
    const { service, resource } = this.#config;
    await this.#context.services.client(service).requestOk({
      method: 'POST',
      path: resource,
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: bytes,
      signal: this.#abort.signal,
    });
  }

  async #sendLast(buffer: EventBuffer): Promise<void> {
    const { error } = await this.#round(buffer, true);
    if (error === undefined) return;
    this.#context.logger.error(`Log upload failed: ${error.message}. ${buffer.count} events were not sent.`);
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    const { trigger, minDelaySeconds, maxDelaySeconds } = this.#config.reporting;
    if (!this.#isStarted || trigger === 'manual') return;
    const maxMs = maxDelaySeconds * 1000;
    const pauseMs = minDelaySeconds * 1000 + Math.random() * (maxDelaySeconds - minDelaySeconds) * 1000;
    const backoff = () =>
      Math.max(this.#error?.retryAfterMs ?? 0, backoffMs(this.#failures, { baseMs: retryMs, maxMs }));
    const delayMs = this.#failures === 0 ? pauseMs : backoff();
    this.#timer = setTimeout(() => void this.#start(true), timerMs(Math.max(minPauseMs, delayMs)));
    this.#timer.unref();
  }

  /** Sends full chunks, if that is wanted. While the service fails, the timer decides. */
  #full(): void {
    this.#isFull = this.#uploading !== undefined;
    const { trigger } = this.#config.reporting;
    if (!this.#isFull && this.#isStarted && trigger === 'immediate' && !this.#isBlocked) void this.#start(false);
  }

  #newBuffer(): EventBuffer {
    const { bufferType, bufferSizeLimitBytes, bufferSizeLimitEvents, uploadSizeLimitBytes } = this.#config.reporting;
    const { losses, logger } = this.#context;
    const smaller = (text: string) => {
      const shorter = withoutNdBuiltinCache(text);
      if (shorter !== undefined) losses.add('ndBuiltinCache');
      return shorter;
    };
    const encoder = new ChunkEncoder(uploadSizeLimitBytes, smaller, () => {
      losses.add('encoding');
      logger.error(
        `Log encoding failed: an event is larger than upload_size_limit_bytes (${uploadSizeLimitBytes}), or than the service accepts.`,
      );
    });
    const onFull = () => this.#full();
    return bufferType === 'event'
      ? new CountBuffer({
          encoder,
          limit: bufferSizeLimitEvents,
          lose: (count) => losses.add('bufferEvents', count),
          onFull,
        })
      : new SizeBuffer({
          encoder,
          limit: bufferSizeLimitBytes,
          lose: (count) => losses.add('bufferBytes', count),
          onFull,
        });
  }
}

function rateLimit({ maxDecisionsPerSecond }: ReportingConfig): RateLimit | undefined {
  return maxDecisionsPerSecond === undefined ? undefined : new RateLimit(maxDecisionsPerSecond);
}

function sameBuffer(a: ReportingConfig, b: ReportingConfig): boolean {
  return (
    a.bufferType === b.bufferType &&
    a.bufferSizeLimitBytes === b.bufferSizeLimitBytes &&
    a.bufferSizeLimitEvents === b.bufferSizeLimitEvents &&
    a.uploadSizeLimitBytes === b.uploadSizeLimitBytes
  );
}

/** Recorded results are the part of an event that a receiver misses least. */
function withoutNdBuiltinCache(text: string): string | undefined {
  const event = parseJson(text) as PlainObject;
  if (!Object.hasOwn(event, 'nd_builtin_cache')) return undefined;
  return toJson(Object.fromEntries(Object.entries(event).filter(([name]) => name !== 'nd_builtin_cache')));
}
