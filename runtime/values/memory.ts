/** How large one value may become, and how full the heap: shares of what the platform has, so that neither a value nor an evaluation takes all memory. */

/** A value that would be larger than what can be held. */
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

/** Where a platform does not say how large its heap is. */
const usualHeap = 2 ** 31;

let known: { readonly statistics: (() => HeapStatistics) | undefined; readonly limit: number } | undefined;

/** What V8 says is the limit includes the space for new values, which is no room for what lives longer. */
const youngGeneration = 192 * 2 ** 20;

function oldGenerationOf(limit: number): number {
  return limit - Math.min(youngGeneration, limit / 2);
}

/** Asked only once something is large, as asking loads a module. */
function heap() {
  if (known === undefined) {
    const { process } = globalThis as { process?: NodeProcess };
    const statistics = process?.getBuiltinModule?.('node:v8')?.getHeapStatistics;
    known = { statistics, limit: statistics === undefined ? usualHeap : oldGenerationOf(statistics().heap_size_limit) };
  }
  return known;
}

/** Bytes that the heap of this thread may have. */
export function heapLimit(): number {
  return heap().limit;
}

/** Bytes in use, garbage included; 0 where the platform does not say. */
export function heapUsed(): number {
  return heap().statistics?.().used_heap_size ?? 0;
}

/** Sizes below this are in bounds on any heap, and cost no look at it. */
const small = 2 ** 16;

// A string of V8 has at most 2^29 - 24 characters, of two bytes each at worst. More than 2^27 elements of an array, or 2^24 members of a Map, end the process or
// throw; a growing array takes two and a half times its size for a moment, a Map 40 bytes a member and twice that while it grows.
const longestString = 2 ** 29 - 24;
const longestArray = 2 ** 25;
const largestMap = 2 ** 24 - 1;

/** UTF-16 units in a string. */
export function maxTextLength(): number {
  return Math.min(longestString, Math.floor(heapLimit() / 16));
}

/** Elements of an array. */
export function maxElements(): number {
  return Math.min(longestArray, Math.floor(heapLimit() / 64));
}

/** Members of a set, keys of an object. */
export function maxMembers(): number {
  return Math.min(largestMap, Math.floor(heapLimit() / 256));
}

/** Throws a SizeError where a string of this length may not be made. */
export function checkTextLength(length: number): void {
  if (length > small && length > maxTextLength()) throw new SizeError(`the result is too long: more than ${maxTextLength()} characters`);
}

/** Throws a SizeError where an array of this length may not be made. */
export function checkElements(length: number): void {
  if (length > small && length > maxElements()) throw new SizeError(`an array of more than ${maxElements()} elements`);
}

/** Throws a SizeError where a set or object of this size may not be made. */
export function checkMembers(size: number): void {
  if (size > small && size > maxMembers()) throw new SizeError(`a set or object of more than ${maxMembers()} members`);
}
