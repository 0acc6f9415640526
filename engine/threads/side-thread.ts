/**
 * A thread for chores, one after the other, each within its time. It starts when it is needed, and
 * ends after a while without chores.
 */
import { getHeapStatistics } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { Chore, ChoreMessage, ChoreReport, OutOfMemory } from './chores.js';
import { workerArgument } from './messages.js';

/** Why a chore was not done. */
export class ChoreError extends Error {
  readonly code: 'timed_out' | 'cancelled' | 'out_of_memory' | 'failed';

  constructor(code: ChoreError['code'], message: string) {
    super(message);
    this.name = 'ChoreError';
    this.code = code;
  }
}

interface ChoreOptions {
  /** Milliseconds, waiting included; 0 is no limit. */
  readonly timeMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Chores that may wait; more than that would not be done in time. */
const longestQueue = 100;

/** The time that a thread without a chore is kept. */
const idleMs = 5000;

/** The thread's heap: half of that of the process. */
const heapMb = Math.max(128, Math.round(getHeapStatistics().heap_size_limit / 2 ** 20 / 2));

interface Waiting {
  readonly chore: Chore;
  resolve(report: ChoreReport): void;
  reject(error: ChoreError): void;
}

export class SideThread {
  readonly #entry: string;
  readonly #queue: Waiting[] = [];
  #worker: Worker | undefined;
  #current: Waiting | undefined;
  #idle: NodeJS.Timeout | undefined;

  /** @param entry see `EvaluationPool` */
  constructor(entry: string) {
    this.#entry = entry;
  }

  /** Rejects with a ChoreError. */
  async run(chore: Chore, { timeMs, signal }: ChoreOptions): Promise<ChoreReport> {
    if (this.#queue.length >= longestQueue) throw new ChoreError('timed_out', 'too much work of this kind waits');
    let timer: NodeJS.Timeout | undefined;
    let cancel: (() => void) | undefined;
    try {
      return await new Promise((resolve, reject) => {
        const waiting: Waiting = { chore, resolve, reject };
        if (timeMs > 0) timer = setTimeout(() => this.#drop(waiting, new ChoreError('timed_out', 'timed out')), timeMs);
        signal?.addEventListener(
          'abort',
          (cancel = () => this.#drop(waiting, new ChoreError('cancelled', 'the caller has gone'))),
        );
        this.#queue.push(waiting);
        this.#next();
      });
    } finally {
      clearTimeout(timer);
      if (cancel !== undefined) signal?.removeEventListener('abort', cancel);
    }
  }

  async close(): Promise<void> {
    for (const { reject } of this.#queue.splice(0)) reject(new ChoreError('cancelled', 'the server stops'));
    await this.#end(new ChoreError('cancelled', 'the server stops'));
  }

  /** A thread's current chore can only be stopped by ending the thread. */
  #drop(waiting: Waiting, error: ChoreError): void {
    const at = this.#queue.indexOf(waiting);
    if (at >= 0) this.#queue.splice(at, 1);
    waiting.reject(error);
    if (this.#current === waiting) void this.#end(error);
  }

  #next(): void {
    if (this.#current !== undefined) return;
    const next = this.#queue.shift();
    if (next === undefined) {
      this.#idle = setTimeout(() => void this.#end(new ChoreError('cancelled', 'idle')), idleMs).unref();
      return;
    }
    clearTimeout(this.#idle);
    this.#current = next;
    this.#worker ??= this.#started();
    this.#worker.postMessage({ chore: next.chore } satisfies ChoreMessage);
  }

  #started(): Worker {
    const worker = new Worker(this.#entry, {
      argv: [workerArgument],
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    });
    worker.unref();
    worker.on('message', (report: ChoreReport | OutOfMemory) => {
      if (worker !== this.#worker) return;
      const done = this.#current;
      this.#current = undefined;
      if ('outOfMemory' in report)
        done?.reject(new ChoreError('out_of_memory', 'the chore needs more memory than there is'));
      else done?.resolve(report);
      this.#next();
    });
    worker.on('error', (error: NodeJS.ErrnoException) => {
      const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      if (worker === this.#worker) void this.#end(new ChoreError(isMemory ? 'out_of_memory' : 'failed', error.message));
    });
    worker.on('exit', () => {
      if (worker === this.#worker) void this.#end(new ChoreError('failed', 'the thread ended'));
    });
    return worker;
  }

  /** Ends the thread and rejects its current chore; waiting chores get another thread. */
  async #end(error: ChoreError): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    const current = this.#current;
    this.#worker = undefined;
    this.#current = undefined;
    current?.reject(error);
    if (this.#queue.length > 0) this.#next();
    await worker?.terminate();
  }
}
