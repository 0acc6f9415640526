/** URLs taken apart and put together as the reference does it. */
import { goQuote } from '../../../text/term-text.js';
import { type Authority, parseAuthority, type UserInfo } from './authority.js';
import { UrlError } from './escape.js';
import { decodePart, encodePart } from './parts.js';

export interface GoUrl {
  readonly scheme: string;
  /** The text after the scheme where it is no path: `urn:a:b`. */
  readonly opaque: string;
  readonly user: UserInfo | undefined;
  /** Decoded, with the port. */
  readonly host: string;
  /** Decoded; `rawPath` is the path as written where encoding `path` does not give it back. */
  readonly path: string;
  readonly rawPath: string;
  /** Whether there is a path from the root after the scheme, and no authority: `file:/a`. */
  readonly omitHost: boolean;
  /** Whether the URL ends with a question mark. */
  readonly forceQuery: boolean;
  readonly rawQuery: string;
  readonly fragment: string;
  readonly rawFragment: string;
}

/** Scheme, authority and path, query, and fragment. */
const syntax = /^(?:([a-zA-Z][a-zA-Z\d+\-.]*):)?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;

/** Throws a UrlError: `parse "%": invalid URL escape "%"`. */
export function parseUrl(text: string): GoUrl {
  const parts = syntax.exec(text)!;
  const fragment = parts[4] ?? '';
  const withoutFragment = parts[4] === undefined ? text : text.slice(0, text.indexOf('#'));
  const url = naming(withoutFragment, () => hierarchyOf(withoutFragment, parts));
  if (fragment === '') return url;
  const decoded = naming(text, () => decodePart(fragment, 'fragment'));
  return { ...url, fragment: decoded, rawFragment: rawWhereNeeded(fragment, decoded, 'fragment') };
}

function naming<T>(text: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw error instanceof UrlError ? new UrlError(`parse ${goQuote(text)}: ${error.message}`) : error;
  }
}

/** All of a URL but its fragment. */
function hierarchyOf(text: string, [, written = '', rest = '', query]: RegExpExecArray): GoUrl {
  if (/[\0-\x1f\x7f]/.test(text)) throw new UrlError('net/url: invalid control character in URL');
  if (text.startsWith(':')) throw new UrlError('missing protocol scheme');
  const scheme = written.toLowerCase();
  const opaque = scheme !== '' && !rest.startsWith('/') ? rest : '';
  const { authority, path } = splitAuthority(opaque === '' ? rest : '', scheme);
  if (scheme === '' && /^[^/]*:/.test(rest)) throw new UrlError('first path segment in URL cannot contain colon');
  const { user, host }: Authority =
    authority === undefined ? { user: undefined, host: '' } : parseAuthority(authority, scheme);
  const decoded = decodePart(path, 'path');
  return {
    scheme,
    opaque,
    user,
    host,
    path: decoded,
    rawPath: text === '*' ? '' : rawWhereNeeded(path, decoded, 'path'),
    omitHost: scheme !== '' && authority === undefined && path.startsWith('/'),
    forceQuery: query === '',
    rawQuery: query ?? '',
    fragment: '',
    rawFragment: '',
  };
}

/** The authority is between `//` and the next slash. Without a scheme `///` begins a path. */
function splitAuthority(
  rest: string,
  scheme: string,
): { readonly authority: string | undefined; readonly path: string } {
  if (!rest.startsWith('//') || (scheme === '' && rest.startsWith('///'))) return { authority: undefined, path: rest };
  const slash = rest.indexOf('/', 2);
  return slash < 0
    ? { authority: rest.slice(2), path: '' }
    : { authority: rest.slice(2, slash), path: rest.slice(slash) };
}

/** A part as written, empty where encoding it would write the same. */
function rawWhereNeeded(written: string, decoded: string, part: 'path' | 'fragment'): string {
  return encodePart(decoded, part) === written ? '' : written;
}

/** The path as a URL has it: the original text if that is a valid encoding, else encoded. */
export function escapedPath({ path, rawPath }: GoUrl): string {
  if (rawPath !== '' && /^[\w\-.~!$&'()*+,;=:@[\]%/]*$/.test(rawPath)) return rawPath;
  return path === '*' ? '*' : encodePart(path, 'path');
}

function escapedFragment({ fragment, rawFragment }: GoUrl): string {
  if (rawFragment !== '' && /^[\w\-.~!$&'()*+,;=:@[\]%/?]*$/.test(rawFragment)) return rawFragment;
  return encodePart(fragment, 'fragment');
}

/** The whole URL as text. */
export function urlText(url: GoUrl): string {
  const scheme = url.scheme === '' ? '' : `${url.scheme}:`;
  const query = url.forceQuery || url.rawQuery !== '' ? `?${url.rawQuery}` : '';
  const fragment = url.fragment === '' ? '' : `#${escapedFragment(url)}`;
  return scheme + (url.opaque === '' ? authorityAndPath(url) : url.opaque) + query + fragment;
}

function authorityAndPath(url: GoUrl): string {
  const authority = authorityText(url);
  const path = escapedPath(url);
  if (path !== '' && !path.startsWith('/') && url.host !== '') return `${authority}/${path}`;
  // Without the dot the first segment would read as a scheme.
  const readsAsScheme = url.scheme === '' && authority === '' && /^[^/]*:/.test(path);
  return readsAsScheme ? `./${path}` : authority + path;
}

function authorityText({ scheme, host, user, path, omitHost }: GoUrl): string {
  if (host === '' && user === undefined) return path === '' || scheme === '' || omitHost ? '' : '//';
  if (user === undefined) return `//${encodePart(host, 'host')}`;
  const password = user.password === undefined ? '' : `:${encodePart(user.password, 'user')}`;
  return `//${encodePart(user.name, 'user')}${password}@${encodePart(host, 'host')}`;
}
