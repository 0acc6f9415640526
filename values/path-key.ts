/** Keys of maps by path. */

/** A text that is unique to a path, for any characters in its segments. */
export function pathKey(path: readonly string[]): string {
  let key = '';
  for (const segment of path) key += segmentKey(segment);
  return key;
}

/** The text that a segment adds to its parent's path key. */
export function segmentKey(segment: string): string {
  return `${segment.length}:${segment}`;
}
