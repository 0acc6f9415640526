/** Keys of maps by path. */

/** A text that stands for a path and for no other one, whatever its segments hold. */
export function pathKey(path: readonly string[]): string {
  let key = '';
  for (const segment of path) key += segmentKey(segment);
  return key;
}

/** What a segment adds to the text for the path above it. */
export function segmentKey(segment: string): string {
  return `${segment.length}:${segment}`;
}
