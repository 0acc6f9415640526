/** Paths in archives and manifests, which have `/` between segments on all platforms. */
import { BundleError } from './bundle-error.js';

/** A path without `.`, doubled slashes and, after a name, `..`. An empty path becomes `.`. */
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

/** Joins and cleans the parts that are not empty. */
export function joinPath(...parts: readonly string[]): string {
  const given = parts.filter((part) => part !== '');
  return given.length === 0 ? '' : cleanPath(given.join('/'));
}

/** A path's last segment. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The text before the last slash. */
export function dirName(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}

/**
 * The path in the bundle of an archive's member: `/a/b.rego` for `a/b.rego`, `./a/b.rego` and
 * `/a/b.rego`. A policy may leave the bundle (`/../a/b.rego`), since its name is an id alone.
 * Throws a BundleError for any other name that does.
 */
export function pathInBundle(name: string): string {
  const segments: string[] = [];
  for (const segment of name.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.length > 0 && segments.at(-1) !== '..') segments.pop();
    else if (name.endsWith('.rego')) segments.push(segment);
    else throw new BundleError('path', `file name ${JSON.stringify(name)} leaves the bundle`, name);
  }
  return `/${segments.join('/')}`;
}

/** The name of a bundle's policy among those of others. A path may leave the bundle. */
export function policyName(bundle: string, path: string): string {
  return path.startsWith('/../') ? `${bundle}${path}` : joinPath(bundle, path);
}

/** A path without slashes at its ends. */
export function trimSlashes(path: string): string {
  let start = 0;
  let end = path.length;
  while (path[start] === '/') start++;
  while (end > start && path[end - 1] === '/') end--;
  return path.slice(start, end);
}

/** The name of the file with the debug information of `plan.json`. */
export const debugInfoName = 'debug.json';

/** `/a/debug.json` for `/a/plan.json`, `policy.debug.json` for `policy.json`. */
export function debugInfoPath(planPath: string): string {
  const name = baseName(planPath);
  if (name === 'plan.json') return `${planPath.slice(0, -name.length)}${debugInfoName}`;
  return `${planPath.replace(/\.json$/, '')}.${debugInfoName}`;
}
