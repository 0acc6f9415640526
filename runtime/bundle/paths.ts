/** Paths with `/` between segments, as archives and manifests write them, on whatever platform. */
import { BundleError } from './errors.js';

/** A path without `.`, `..` and doubled slashes, where that can be said without looking at a disk; `.` for an empty one. */
export function cleanPath(path: string): string {
  const rooted = path.startsWith('/');
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.length > 0 && segments.at(-1) !== '..') segments.pop();
    else if (!rooted) segments.push(segment);
  }
  const joined = segments.join('/');
  return rooted ? `/${joined}` : joined || '.';
}

/** The parts that are not empty, joined and cleaned. */
export function joinPath(...parts: readonly string[]): string {
  const given = parts.filter((part) => part !== '');
  return given.length === 0 ? '' : cleanPath(given.join('/'));
}

/** A path's last segment. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** What stands before the last slash. */
export function dirName(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}

/**
 * Where an archive's member stands within the bundle: `/a/b.rego` for `a/b.rego`, `./a/b.rego` and `/a/b.rego`. Throws a BundleError for
 * a name that climbs out of the bundle.
 */
export function pathInBundle(name: string): string {
  const segments: string[] = [];
  for (const segment of name.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) throw new BundleError('path', `file name ${JSON.stringify(name)} leaves the bundle`, name);
  }
  return `/${segments.join('/')}`;
}

/** A path without slashes at its ends. */
export function trimSlashes(path: string): string {
  return path.replace(/^\/+|\/+$/g, '');
}
