/**
 * Makes V8 collect garbage while the server is idle. By itself V8 collects only on allocation, so a
 * server would keep the memory of large requests until others come.
 */
import { performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { type Collect, collector } from './collector.js';

/** Milliseconds between two looks. */
const lookMs = 3000;

/** The server is idle while the event loop is busy for a smaller part of the time. */
const idleUtilization = 0.1;

/** A collection needs this many bytes more than stayed after the last one. */
const worthCollecting = 64 * 2 ** 20;

/**
 * Pauses until further collections, in milliseconds: values that were in use during one collection
 * may be garbage later.
 */
const retriesMs = [10_000, 30_000] as const;

export class IdleCollector {
  readonly #timer: NodeJS.Timeout;
  #collect: Collect | undefined;
  /** Bytes in use after the last collection of this kind. */
  #live = bytesInUse();
  readonly #least = this.#live;
  #retries = 0;
  #collectedAt = 0;
  #utilization = performance.eventLoopUtilization();

  constructor() {
    this.#timer = setInterval(() => void this.#look(), lookMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    const before = this.#utilization;
    this.#utilization = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(this.#utilization, before);
    if (utilization > idleUtilization) return;
    // A collection takes longer the more stays in use, so it runs when that has doubled, and a few
    // times after that.
    const hasGrown = bytesInUse() >= this.#live + Math.max(worthCollecting, this.#live);
    if (!hasGrown && !this.#isRetryDue()) return;
    this.#retries = hasGrown ? 0 : this.#retries + 1;
    await (this.#collect ??= collector())({ type: 'major', execution: 'async' });
    this.#live = bytesInUse();
    this.#collectedAt = performance.now();
  }

  #isRetryDue(): boolean {
    const pauseMs = retriesMs[this.#retries];
    if (this.#collectedAt === 0 || pauseMs === undefined || performance.now() < this.#collectedAt + pauseMs)
      return false;
    return bytesInUse() >= this.#least + worthCollecting;
  }
}

function bytesInUse(): number {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
  return heap + external;
}
