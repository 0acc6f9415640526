/** The memory that the documents of a bundle take while it is read. */

import { BundleError, type TakeMemory } from '../../../engine/index.js';
import { HeldMemory, heapSizeLimit } from '../held-memory.js';

/**
 * The most bytes of a bundle where none are configured: the reference's, unless the heap is too
 * small for a bundle of this size.
 */
export const defaultSizeLimit = Math.min(1024 ** 3, heapSizeLimit / 2);

/**
 * Reads with a function that takes memory. Rejects with a BundleError where the bundle needs more
 * than there is: the version before it goes on.
 */
export async function inBundleMemory<Result>(read: (take: TakeMemory) => Promise<Result>): Promise<Result> {
  const memory = new HeldMemory(
    () => new BundleError('limit', 'bundle read failed: it needs more memory than there is'),
  );
  try {
    return await read(memory.take);
  } finally {
    memory.release();
  }
}
