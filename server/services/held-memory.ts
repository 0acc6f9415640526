/** The memory of requests and bundles that are read: each must fit beside those held already. */
import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';

/**
 * The part of the free heap that readers may take. Evaluations and the collector need the rest.
 */
const share = 0.4;

/** The size to which the heap may grow. */
export const heapSizeLimit = getHeapStatistics().heap_size_limit;

const majorCollection = constants.NODE_PERFORMANCE_GC_MAJOR;

/** The sum of all that is held: a process has one heap. */
let held = 0;

/** Heap in use after the last full collection, without the part that was held. */
let base: number | undefined;

function observe(): void {
  base = getHeapStatistics().used_heap_size;
  new PerformanceObserver((list) => {
    const collections = list.getEntries() as readonly (PerformanceEntry & {
      readonly detail?: { readonly kind?: number };
    })[];
    if (collections.some(({ detail }) => detail?.kind === majorCollection))
      base = Math.max(0, getHeapStatistics().used_heap_size - held);
  }).observe({ entryTypes: ['gc'] });
}

/** Memory that one reader of documents keeps until it is done. */
export class HeldMemory {
  readonly #refused: (isAlone: boolean) => Error;
  #held = 0;

  /** @param refused the error; whether the reader would need too much even as the only one */
  constructor(refused: (isAlone: boolean) => Error) {
    this.#refused = refused;
  }

  /** Throws the error where so much is not free. */
  readonly take = (bytes: number): void => {
    if (bytes === 0) return;
    if (base === undefined) observe();
    const room = share * Math.max(0, heapSizeLimit - base!);
    if (held + bytes > room) throw this.#refused(this.#held + bytes > room);
    held += bytes;
    this.#held += bytes;
  };

  /** The bytes that are taken. */
  get bytes(): number {
    return this.#held;
  }

  release(): void {
    held -= this.#held;
    this.#held = 0;
  }
}
