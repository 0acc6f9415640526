/** Relations of paths of documents. */

/** Whether a path begins with another one, or is the same. */
export function beginsWith(path: readonly string[], start: readonly string[]): boolean {
  return start.length <= path.length && start.every((key, i) => key === path[i]);
}

/** Whether one of two paths leads to the other, or both are the same. */
export function areOnOneWay(a: readonly string[], b: readonly string[]): boolean {
  return a.length <= b.length ? beginsWith(b, a) : beginsWith(a, b);
}

export function isSamePath(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && beginsWith(a, b);
}
