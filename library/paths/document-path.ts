/**
 * Paths of documents as callers write them: `authz/allow`, or as in a policy, `data.authz.allow`
 * and `data.files["a/b"][0]`.
 */
import { EngineError } from '../errors/engine-error.js';

/** A text that begins like this is a ref; any other has slashes between its segments. */
const isRef = /^data(?:[.[]|$)/;
const step = /\.([A-Za-z_]\w*)|\[(?:("(?:[^"\\]|\\.)*")|`([^`]*)`|(\d{1,15}))\]/y;
const isName = /^[A-Za-z_]\w*$/;

/**
 * The segments of a path; none for all documents. Slashes at its ends do not count, so `/data.v1/x`
 * has the segments `data.v1` and `x`. Throws an EngineError for a value that is no string, and for
 * a ref that cannot be parsed.
 */
export function segmentsOf(path: string): readonly string[] {
  if (typeof path !== 'string')
    throw new EngineError('invalid_path', `a path is a text such as "authz/allow", not ${typeof path}`);
  if (isRef.test(path)) return segmentsOfRef(path);
  const inner = path.replace(/^\/+|\/+$/g, '');
  return inner === '' ? [] : inner.split('/');
}

function segmentsOfRef(path: string): readonly string[] {
  const segments: string[] = [];
  let at = 'data'.length;
  while (at < path.length) {
    step.lastIndex = at;
    const found = step.exec(path);
    if (found === null) throw unreadable(path, at);
    const [whole, name, quoted, raw, index = ''] = found;
    segments.push(quoted === undefined ? (name ?? raw ?? index) : unquoted(quoted, path, at));
    at += whole.length;
  }
  return segments;
}

function unquoted(quoted: string, path: string, at: number): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    throw unreadable(path, at);
  }
}

function unreadable(path: string, at: number): EngineError {
  const problem = `path ${JSON.stringify(path)} cannot be read from ${JSON.stringify(path.slice(at))} on`;
  return new EngineError(
    'invalid_path',
    `${problem}: after "data" come .name, ["any key"] and [0]; a path with slashes may begin with one`,
  );
}

/** A text that `segmentsOf` reads as these segments: with slashes where that can be. */
export function documentPathText(segments: readonly string[]): string {
  const text = segments.join('/');
  const hasSlashes = segments.some((segment) => segment === '' || segment.includes('/'));
  if (!hasSlashes && !isRef.test(text)) return text;
  return `data${segments.map((segment) => (isName.test(segment) ? `.${segment}` : `[${JSON.stringify(segment)}]`)).join('')}`;
}
