/** The memory of all requests together: a body must fit beside the bodies that are held already. */
import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { ApiError } from '../responses/api-error.js';

/**
 * The part of the free heap that requests may take. Evaluations and the collector need the rest.
 */
const share = 0.4;

/** The size to which the heap may grow. */
export const heapLimit = getHeapStatistics().heap_size_limit;

const majorCollection = constants.NODE_PERFORMANCE_GC_MAJOR;

let held = 0;

/** Heap in use after the last full collection, without the part that requests held. */
let base: number | undefined;

function observe(): void {
  base = getHeapStatistics().used_heap_size;
  new PerformanceObserver((list) => {
    const collections = list.getEntries() as readonly (PerformanceEntry & { readonly detail?: { readonly kind?: number } })[];
    if (collections.some(({ detail }) => detail?.kind === majorCollection)) base = Math.max(0, getHeapStatistics().used_heap_size - held);
  }).observe({ entryTypes: ['gc'] });
}

/** Memory that one request keeps until it is answered. */
export class RequestMemory {
  #held = 0;

  /** Throws an ApiError where so much is not free. */
  readonly take = (bytes: number): void => {
    if (bytes === 0) return;
    if (base === undefined) observe();
    const room = share * Math.max(0, heapLimit - base!);
    if (held + bytes > room) throw this.#held + bytes > room ? tooMuch() : busy();
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

export function tooMuch(): ApiError {
  return new ApiError(413, 'invalid_parameter', 'request body too large: it needs more memory than there is');
}

function busy(): ApiError {
  return new ApiError(503, 'unavailable', 'too many large requests at once');
}
