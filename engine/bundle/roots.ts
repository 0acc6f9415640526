/** Roots of bundles: paths below `data`, with slashes between segments. */
import { beginsWith } from '../../values/index.js';
import { slashPath } from './package-path.js';

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
  return (root.length === 1 && root[0] === '') || beginsWith(path, root);
}

/**
 * Whether one of the roots contains a path in `data`. Manifests write segments as they are or, as
 * the packages of a bundle are checked, escaped as in a URL.
 */
export function rootsOwn(roots: readonly string[], path: readonly string[]): boolean {
  if (roots.length === 0) return false;
  const escaped = slashPath(path).split('/');
  return roots.some((root) => {
    const segments = root.split('/');
    return rootContains(segments, path) || rootContains(segments, escaped);
  });
}
