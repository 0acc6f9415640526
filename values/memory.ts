/**
 * Memory limits of a single value and of the heap: shares of the platform's limits, so that neither
 * a value nor an evaluation takes all memory.
 */

/** A value that would exceed its memory limit. */
export class SizeError extends RangeError {
  constructor(message: string) {
    super(message);
    this.name = 'SizeError';
  }
}

interface HeapStatistics {
  readonly heap_size_limit: number;
  readonly used_heap_size: number;
}

interface NodeProcess {
  getBuiltinModule?(name: 'node:v8'): { getHeapStatistics(): HeapStatistics } | undefined;
}

/** The assumed heap size if the platform does not state one. */
const defaultHeap = 2 ** 31;

/** Limits of this thread, once they are read. */
let known: { readonly statistics: (() => HeapStatistics) | undefined; readonly limit: number } | undefined;

/** V8's stated limit includes the young generation, which cannot hold long-lived values. */
const youngGeneration = 192 * 2 ** 20;

function oldGenerationOf(limit: number): number {
  return limit - Math.min(youngGeneration, limit / 2);
}

/** Loaded on demand, only for large values, since it needs a module. */
function heap() {
  if (known === undefined) {
    const { process } = globalThis as { process?: NodeProcess };
    const statistics = process?.getBuiltinModule?.('node:v8')?.getHeapStatistics;
    known = {
      statistics,
      limit: statistics === undefined ? defaultHeap : oldGenerationOf(statistics().heap_size_limit),
    };
  }
  return known;
}

/**
 * Sets the heap limit of this thread in bytes, below what the platform states. V8 cannot always end
 * a thread whose heap is full: it may end the process. So a thread has a larger heap than it is to
 * fill.
 */
export function limitHeap(bytes: number): void {
  const { statistics, limit } = heap();
  known = { statistics, limit: Math.min(limit, bytes) };
}

/** The heap limit of this thread in bytes. */
export function heapLimit(): number {
  return heap().limit;
}

/** The bytes in use, garbage included; 0 if the platform does not state them. */
export function heapUsed(): number {
  return heap().statistics?.().used_heap_size ?? 0;
}

/**
 * A heap that is filled to this share, garbage included, has room for one more value of the largest
 * size, and V8 does not yet collect garbage in vain, which ends the process.
 */
export const fullHeap = 0.85;

const msPerCheck = 1;

/** The time of the last look at this thread's heap. */
let checked = 0;

/**
 * For work that no meter counts: throws a SizeError where the heap is full. Cheap: looks at the
 * heap once a millisecond.
 */
export function checkHeap(): void {
  const now = performance.now();
  if (now - checked < msPerCheck) return;
  checked = now;
  checkHeapFor(0);
}

/** Throws a SizeError where the heap has no room for the bytes. */
export function checkHeapFor(bytes: number): void {
  if (heapUsed() + bytes > fullHeap * heapLimit()) throw new SizeError('it needs more memory than there is');
}

/**
 * Counts the memory of one value that is made bit by bit. The returned function throws a SizeError
 * where the value takes more than a quarter of the heap, or more than is free: lists that grow take
 * their size once more.
 */
export function memoryOfOne(): (bytes: number) => void {
  let total = 0;
  return (bytes) => {
    total += bytes;
    if (total > uncheckedMemory && total > heapLimit() / 4) throw new SizeError('it needs more memory than there is');
    if (total > uncheckedMemory) checkHeapFor(total);
  };
}

/** Bytes of memory that need no look at the heap. */
const uncheckedMemory = 2 ** 22;

/** Sizes below this are valid on any heap and are not checked. */
export const uncheckedSize = 2 ** 16;

// A V8 string has at most 2^29 - 24 characters, of two bytes each at worst. More than 2^27 elements
// of an array, or 2^24 members of a Map, end the process or throw; a growing array briefly takes
// two and a half times its size, a Map 40 bytes per member and twice that while it grows.
const maxStringLength = 2 ** 29 - 24;
const maxArrayLength = 2 ** 25;
const maxMapSize = 2 ** 24 - 1;

/** The maximum length of a string in UTF-16 units. */
function maxTextLength(): number {
  return Math.min(maxStringLength, Math.floor(heapLimit() / 16));
}

/** The maximum number of elements of an array. */
export function maxElements(): number {
  return Math.min(maxArrayLength, Math.floor(heapLimit() / 64));
}

/** The maximum number of members of a set and of keys of an object. */
function maxMembers(): number {
  return Math.min(maxMapSize, Math.floor(heapLimit() / 256));
}

/** Throws a SizeError for a string of this length if it is too long. */
export function checkTextLength(length: number): void {
  if (length > uncheckedSize && length > maxTextLength())
    throw new SizeError(`the result is too long: more than ${maxTextLength()} characters`);
}

/** Throws a SizeError for an array of this length if it is too long. */
export function checkElements(length: number): void {
  if (length > uncheckedSize && length > maxElements())
    throw new SizeError(`an array of more than ${maxElements()} elements`);
}

/** Throws a SizeError for a set or object of this size if it is too large. */
export function checkMembers(size: number): void {
  if (size > uncheckedSize && size > maxMembers())
    throw new SizeError(`a set or object of more than ${maxMembers()} members`);
}
