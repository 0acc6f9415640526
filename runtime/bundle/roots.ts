/** Roots of bundles: paths below `data`, with slashes between segments. */

/** Whether one of two roots lies within the other. */
export function rootsOverlap(a: string, b: string): boolean {
  const x = a.split('/');
  const y = b.split('/');
  return rootContains(x, y) || rootContains(y, x);
}

/** Whether a path lies within one of the roots. */
export function rootsContain(roots: readonly string[], path: string): boolean {
  const segments = path.split('/');
  return roots.some((root) => rootContains(root.split('/'), segments));
}

/** Whether a root contains a path; the empty root contains everything. */
export function rootContains(root: readonly string[], path: readonly string[]): boolean {
  if (root.length === 1 && root[0] === '') return true;
  return root.length <= path.length && root.every((segment, i) => segment === path[i]);
}
