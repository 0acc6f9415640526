/**
 * Paths of requests: redirects to clean paths, and segments. A path is decoded only once it is
 * clean.
 */
import { invalidParameter } from '../responses/api-error.js';
import { percentDecoded } from './params.js';

/** Paths below these are redirected if they end in a slash. */
const slashless = [
  '/v0/data/',
  '/v1/data/',
  '/v1/batch/data/',
  '/v1/policies/',
  '/v1/query/',
  '/v1/compile/',
  '/health/',
];

/** The redirect of a path that needs a slash at its end; undefined for any other. */
export function withSlash(method: string, path: string): string | undefined {
  return path === '/v1/compile' && (method === 'GET' || method === 'HEAD') ? `${path}/` : undefined;
}

const unclean = /\/(?:\/|\.\.?(?:\/|$))/;

/**
 * The redirect of a path that must not end in a slash; undefined for any other, and for an unclean
 * one.
 */
export function withoutSlash(path: string): string | undefined {
  if (!path.endsWith('/') || !slashless.some((prefix) => path.startsWith(prefix)) || unclean.test(path))
    return undefined;
  return path.slice(0, -1);
}

/** The path without empty, `.` and `..` segments; undefined where it has none. */
export function cleaned(path: string): string | undefined {
  if (!unclean.test(path)) return undefined;
  const kept: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') kept.pop();
    else if (segment !== '' && segment !== '.') kept.push(segment);
  }
  const clean = `/${kept.join('/')}`;
  return path.endsWith('/') && clean !== '/' ? `${clean}/` : clean;
}

/** The decoded segments of a path behind a prefix (`/v1/data`). */
export function segmentsAfter(prefix: string, path: string): readonly string[] {
  if (path.length <= prefix.length + 1) return [];
  const rest = path.slice(prefix.length + 1);
  const segments = rest.split('/');
  return rest.includes('%') ? segments.map((segment) => percentDecoded(segment) ?? segment) : segments;
}

/** The segments of a document's path. Throws an ApiError for a path that no query can name. */
export function documentSegments(prefix: string, path: string): readonly string[] {
  const segments = segmentsAfter(prefix, path);
  const quoted = segments.find((segment) => segment.includes('"'));
  if (quoted !== undefined) throw invalidParameter(`invalid path: invalid ref term '${quoted}'`);
  return segments;
}

const isName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** A document's path as a ref: `data.a[0]["b c"]`. */
export function refText(path: readonly string[]): string {
  return `data${path.map((part) => (/^[+-]?\d+$/.test(part) ? `[${Number(part)}]` : isName.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`)).join('')}`;
}
