/** Paths of requests: what they are cleaned to, and their segments. Nothing is decoded before a path is known to be clean. */
import { invalidParameter } from '../responses/api-error.js';
import { percentDecoded } from './params.js';

/** Paths below these lose a slash at their end by a redirect. */
const slashless = ['/v0/data/', '/v1/data/', '/v1/policies/', '/v1/query/', '/v1/compile/', '/health/'];

/** Where a request is sent that names a folder of paths without the slash behind it, undefined for any other. */
export function withSlash(method: string, path: string): string | undefined {
  return path === '/v1/compile' && (method === 'GET' || method === 'HEAD') ? `${path}/` : undefined;
}

const unclean = /\/(?:\/|\.\.?(?:\/|$))/;

/** Where a request with a slash at its end is sent, undefined for one that may stay, or is to be cleaned first. */
export function withoutSlash(path: string): string | undefined {
  if (!path.endsWith('/') || !slashless.some((prefix) => path.startsWith(prefix)) || unclean.test(path)) return undefined;
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

/** The same for a document that is asked for. Throws an ApiError for one that no query can name. */
export function documentSegments(prefix: string, path: string): readonly string[] {
  const segments = segmentsAfter(prefix, path);
  const quoted = segments.find((segment) => segment.includes('"'));
  if (quoted !== undefined) throw invalidParameter(`invalid path: invalid ref term '${quoted}'`);
  return segments;
}

const isName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** A document's path as the language writes it: `data.a[0]["b c"]`. */
export function refText(path: readonly string[]): string {
  return `data${path.map((part) => (/^[+-]?\d+$/.test(part) ? `[${Number(part)}]` : isName.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`)).join('')}`;
}
