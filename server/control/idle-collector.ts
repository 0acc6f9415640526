/**
 * Has V8 collect garbage while a server has little to do. By itself V8 collects when more is
 * allocated, so a server that was asked for much would keep the memory until it is asked for as
 * much again.
 */
import { performance } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Milliseconds between two looks. */
const lookMs = 3000;

/** The event loop has little to do where it is busy for less than this part of the time. */
const idleUtilization = 0.1;

/** Bytes beyond those that stayed the last time for which a collection is tried. */
const worthCollecting = 64 * 2 ** 20;

/**
 * What stayed after a collection may have been in use then and not be so any more: it is tried
 * again after so many milliseconds each.
 */
const retriesMs = [10_000, 30_000] as const;

type Collect = (options: { readonly type: 'major'; readonly execution: 'async' }) => Promise<void>;

export class IdleCollector {
  readonly #timer: NodeJS.Timeout;
  #collect: Collect | undefined;
  /** Bytes that stayed in use after the last collection of this kind. */
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
    // A collection takes the longer, the more stays: so it is tried when that is doubled, and a few
    // times after.
    const hasGrown = bytesInUse() >= this.#live + Math.max(worthCollecting, this.#live);
    if (!hasGrown && !this.#isRetryDue()) return;
    this.#retries = hasGrown ? 0 : this.#retries + 1;
    await (this.#collect ??= collector())({ type: 'major', execution: 'async' });
    this.#live = bytesInUse();
    this.#collectedAt = performance.now();
  }

  #isRetryDue(): boolean {
    const pauseMs = retriesMs[this.#retries];
    if (this.#collectedAt === 0 || pauseMs === undefined || performance.now() < this.#collectedAt + pauseMs) return false;
    return bytesInUse() >= this.#least + worthCollecting;
  }
}

function bytesInUse(): number {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
  return heap + external;
}

/** V8's own function, which is there for who asks by a flag. */
function collector(): Collect {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as Collect;
}
