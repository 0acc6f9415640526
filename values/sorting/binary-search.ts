/**
 * The number of items at the start of a sorted list for which a question is true: it is true of
 * some first items, and of none after them.
 */
export function countWhile<T>(sorted: readonly T[], isTrue: (item: T) => boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isTrue(sorted[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
}
